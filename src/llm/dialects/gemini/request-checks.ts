/**
 * The checks of Gemini's `generateContent`, with its words. Turns of calls and of results are counted as the API does: a
 * turn with calls comes after a turn of the user or of results, and its results come in the turn after it.
 */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { textIn } from '../shared/body-reader.ts';

/** Why a request is refused, and the place in its body. */
export interface GeminiFault {
  readonly path: string;
  readonly message: string;
}

/** The first fault of a request. A count of tokens is not held to the order of turns. */
export const geminiFault = (
  body: JsonObject,
  contents: readonly Json[],
  isCount: boolean,
): GeminiFault | undefined =>
  contentFault(contents) ?? (isCount ? undefined : turnFault(contents)) ?? toolFault(body);

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});
const listOf = (value: Json | undefined): readonly Json[] => (isArray(value) ? value : []);
/** The number of parts with this field, which may have either of its two spellings. */
const countOf = (content: Json | undefined, camel: string, snake: string): number =>
  listOf(objectOf(content)['parts']).filter((part) =>
    isObject(objectOf(part)[camel] ?? objectOf(part)[snake]),
  ).length;

const roles: readonly Json[] = ['user', 'model', 'function'];

/** Fields of a part that are no data. */
const besideData = new Set(['thought', 'thoughtSignature', 'partMetadata', 'videoMetadata']);

function contentFault(contents: readonly Json[]): GeminiFault | undefined {
  for (const [i, content] of contents.entries()) {
    const path = `contents[${i}]`;
    const { role = 'user', parts } = objectOf(content);
    if (!roles.includes(role))
      return { path: `${path}.role`, message: 'Please use a valid role: user, model.' };
    if (listOf(parts).length === 0)
      return {
        path,
        message: `* GenerateContentRequest.${path}.parts: contents.parts must not be empty.\n`,
      };
    const bare = listOf(parts).findIndex((part) => isBare(objectOf(part)));
    const words = "required oneof field 'data' must have one initialized field";
    if (bare >= 0)
      return {
        path: `${path}.parts[${bare}]`,
        message: `* GenerateContentRequest.${path}.parts[${bare}].data: ${words}\n`,
      };
  }
  return undefined;
}

/** Whether a part says nothing. A part with a signature alone may come from the model. */
const isBare = (part: JsonObject): boolean =>
  part['thoughtSignature'] === undefined && Object.keys(part).every((key) => besideData.has(key));

const wrongPlace =
  'Please ensure that function call turn comes immediately after a user turn or after a function response turn.';
const noCall = 'Please ensure that function response turn comes immediately after a function call turn.';
const wrongNumber =
  'Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.';

/** Contents in a row of one side are one turn. */
interface GeminiTurn {
  readonly isModel: boolean;
  readonly path: string;
  calls: number;
  results: number;
}

function turnsOf(contents: readonly Json[]): readonly GeminiTurn[] {
  const turns: GeminiTurn[] = [];
  for (const [i, content] of contents.entries()) {
    const isModel = objectOf(content)['role'] === 'model';
    let turn = turns.at(-1);
    if (turn?.isModel !== isModel) {
      turn = { isModel, path: `contents[${i}]`, calls: 0, results: 0 };
      turns.push(turn);
    }
    turn.calls += isModel ? countOf(content, 'functionCall', 'function_call') : 0;
    turn.results += isModel ? 0 : countOf(content, 'functionResponse', 'function_response');
  }
  return turns;
}

function turnFault(contents: readonly Json[]): GeminiFault | undefined {
  const turns = turnsOf(contents);
  for (const [i, { calls, results, isModel, path }] of turns.entries()) {
    if (isModel && calls > 0 && i === 0) return { path, message: wrongPlace };
    if (isModel && calls > 0 && turns[i + 1]?.results !== calls)
      return { path: turns[i + 1]?.path ?? path, message: wrongNumber };
    if (results > 0 && (turns[i - 1]?.calls ?? 0) === 0) return { path, message: noCall };
  }
  return undefined;
}

/** Letters first, then letters, digits, and four other characters; 128 characters at most. */
const nameForm = /^[a-zA-Z_][\w.:-]{0,127}$/;
const nameWords =
  'Invalid function name. Must start with a letter or an underscore. Must be alphameric (a-z, A-Z, 0-9), underscores (_), dots (.), colons (:), or dashes (-)';

function toolFault({ tools, toolConfig }: JsonObject): GeminiFault | undefined {
  let declared = 0;
  for (const [i, tool] of listOf(tools).entries()) {
    const { functionDeclarations: camel, function_declarations: snake } = objectOf(tool);
    const list = listOf(camel ?? snake);
    declared += list.length;
    const at = list.findIndex((entry) => !nameForm.test(textIn(objectOf(entry)['name'])));
    if (at < 0) continue;
    const place = `tools[${i}].function_declarations[${at}].name`;
    return {
      path: `tools[${i}].functionDeclarations[${at}].name`,
      message: `* GenerateContentRequest.${place}: ${nameWords}.\n`,
    };
  }
  return declared === 0 && isObject(objectOf(toolConfig)['functionCallingConfig'])
    ? { path: 'toolConfig', message: 'Function calling config is set without function_declarations.' }
    : undefined;
}
