/**
 * The signatures that this provider gave on Gemini's calls. "When using Gemini 3 models, you must pass back thought signatures
 * during function calling, otherwise you will get a validation error (4xx status code)": the first call of each step of the
 * current turn is held to it. Only answers of this run are known; calls of other providers are not checked.
 */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { isArray } from '../dialects/shared/body-reader.ts';
import { memberOf, nameIn, objectIn, partsOf } from '../dialects/gemini/members.ts';
import type { GeneratedBlock, Refused } from '../messages.ts';

/** The signatures by the ids of their calls. */
export type GivenSignatures = Map<string, string>;

/** Most signatures that are kept; the oldest are forgotten. */
const mostKept = 1000;

/** Words that the API takes instead of a signature, for histories from elsewhere ("Thought Signatures", FAQ). */
const stoodIn: ReadonlySet<string> = new Set([
  'context_engineering_is_the_way_to_go',
  'skip_thought_signature_validator',
]);

/** Keeps the signatures of an answer. */
export function keepSignatures(given: GivenSignatures, blocks: readonly GeneratedBlock[]): void {
  for (const block of blocks)
    if (block.kind === 'tool_call' && block.complete && block.signature !== undefined)
      given.set(block.id, block.signature);
  for (const oldest of given.keys()) if (given.size > mostKept) given.delete(oldest);
}

/** Why a request is refused that lacks a signature, or has another one. */
export function signatureFault(given: GivenSignatures, body: Json): Refused | undefined {
  const { contents } = objectIn(body);
  if (given.size === 0 || !isArray(contents)) return undefined;
  const start = contents.findLastIndex(isQuestion);
  for (const [i, content] of contents.entries()) {
    if (i <= start || objectIn(content)['role'] !== 'model') continue;
    const parts = partsOf(content);
    const n = parts.findIndex((part) => callIn(part) !== undefined);
    const fault = n < 0 ? undefined : faultOf(given, parts[n] ?? {});
    if (fault !== undefined)
      return {
        path: `contents[${i}].parts[${n}]`,
        error: { type: 'invalid_request', status: 400, message: fault(i + 1) },
      };
  }
  return undefined;
}

const callIn = (part: JsonObject): Json | undefined => memberOf(part, 'functionCall');

/** A turn begins with a content of the user that is more than results. */
const isQuestion = (content: Json): boolean =>
  (objectIn(content)['role'] ?? 'user') !== 'model' &&
  partsOf(content).some((part) => memberOf(part, 'functionResponse') === undefined);

/** The words for a call's fault; `position` is that of its content, from 1. */
function faultOf(given: GivenSignatures, part: JsonObject): ((position: number) => string) | undefined {
  const { id, name } = objectIn(callIn(part));
  const expected = given.get(nameIn(id));
  const signature = memberOf(part, 'thoughtSignature');
  if (expected === undefined || signature === expected || stoodIn.has(nameIn(signature))) return undefined;
  return signature === undefined
    ? (position) => missing(nameIn(name), position)
    : () => 'Corrupted thought signature.';
}

const missing = (name: string, position: number): string =>
  'Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, ' +
  'and missing thought_signature may lead to degraded model performance. Additional data, function call ' +
  `\`default_api:${name}\` , position ${position}. Please refer to ` +
  'https://ai.google.dev/gemini-api/docs/thought-signatures for more details.';
