/** The reference client's answer to a stream, and the comparison of an answer with a vector. */
import { isObject, jsonOf } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { vectorInput } from '../../../src/kit/spec/index.ts';
import type { Vector } from '../../../src/kit/spec/index.ts';
import { dialectOf, dialects } from '../../../src/llm/index.ts';
import type { Decoded } from '../../../src/llm/index.ts';
import type { VectorMaker } from '../../../src/kit/suite/index.ts';
import { difference } from '../../../src/kit/testee/index.ts';
import { llmCases } from './index.ts';

/** Sizes of the chunks of a body, repeated (bytes). They fit neither lines nor characters. */
export const oddChunks: readonly number[] = [1, 3, 7, 2, 13, 5];

/**
 * Gives the input of `llm.decode` to the reference client.
 *
 * @param chunks - sizes of the chunks of a body, repeated; a message of LM Studio is never split
 * @throws RangeError when the input is invalid for `llm.decode`; vectors that match the schema are valid
 */
export function referenceAnswer(input: JsonObject, chunks: readonly number[] = oddChunks): JsonObject {
  const { dialect, body, hex, messages, ended } = input;
  const name = dialects.find((each) => each === dialect);
  if (name === undefined) throw new RangeError(`expected a dialect; came ${JSON.stringify(dialect)}`);
  const decoder = dialectOf[name].decoder();
  const parts = Array.isArray(messages)
    ? messages.map((message) => utf8(JSON.stringify(message)))
    : pieces(bytesOf(body, hex), chunks);
  for (const part of parts) decoder.push(part);
  return answerOf(decoder.end(ended === 'reset' ? 'reset' : 'clean'));
}

const bytesOf = (body: unknown, hex: unknown): Uint8Array =>
  typeof hex === 'string' ? Buffer.from(hex, 'hex') : utf8(typeof body === 'string' ? body : '');

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);

function pieces(bytes: Uint8Array, sizes: readonly number[]): readonly Uint8Array[] {
  const made: Uint8Array[] = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const end = at + Math.max(1, sizes[i % sizes.length] ?? 1);
    made.push(bytes.subarray(at, end));
    at = end;
  }
  return made;
}

function answerOf({ response, error }: Decoded): JsonObject {
  const { content, toolCalls, metadata, open, thinking } = response;
  const runs = error === undefined ? toolCalls.map(({ name }) => name) : [];
  return {
    content,
    toolCalls: plain(toolCalls),
    stopReason: metadata.stopReason,
    ...(metadata.usage === undefined ? {} : { usage: plain(metadata.usage) }),
    ...(open === undefined ? {} : { open: plain(open) }),
    ...(thinking === undefined ? {} : { thinking: plain(thinking) }),
    ...(error === undefined ? {} : { error: true, code: error.kind }),
    runs,
  };
}

const plain = (value: object): Json => jsonOf(JSON.stringify(value));

/**
 * The first difference between an answer and a vector, or undefined. Only the members of `expect` are compared. In
 * `usage` and `open`, only the named members are compared.
 */
export function answerDifference(test: Vector, answer: JsonObject): string | undefined {
  const { result, error, expect = {} } = test;
  const { code = null } = answer;
  const failed = answer['error'] === true;
  if (result === 'valid' && failed) return `expected a response; came an error (${shown(code)})`;
  if (result === 'invalid' && !failed) return `expected an error (${error ?? 'any'}); came a response`;
  if (failed && error !== undefined && code !== error)
    return `expected the error ${error}; came ${shown(code)}`;
  return firstDifference('', expect, answer, ['usage', 'open']);
}

/**
 * The first member that another object lacks or has with another value. The members in `partly` may have more members.
 */
function firstDifference(
  at: string,
  expected: JsonObject,
  came: JsonObject,
  partly: readonly string[],
): string | undefined {
  for (const [key, value] of Object.entries(expected)) {
    const other = came[key];
    if (partly.includes(key) && isObject(value) && isObject(other)) {
      const inner = firstDifference(`${key}.`, value, other, []);
      if (inner !== undefined) return inner;
    } else if (difference('', value, other) !== undefined)
      return `${at}${key}: expected ${shown(value)}; came ${shown(other)}`;
  }
  return undefined;
}

const shown = (value: Json | undefined): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200);

/** The difference between the reference client and a vector, or undefined. */
export const referenceFault = (test: Vector, chunks: readonly number[] = oddChunks): string | undefined =>
  answerDifference(test, referenceAnswer(vectorInput(test), chunks));

/** The maker of the vectors of LLM streams, with the reference client. */
export const llmVectors: VectorMaker = {
  files: llmCases,
  referenceFault: (_, test) => referenceFault(test),
};
