/** The memory of a parser's answers: its events of whole outputs, with which those of cut ones are compared (SEP-03). */
import { Buffer } from 'node:buffer';
import { isArray } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import type { AnswerMemory } from '../../../src/kit/testee/index.ts';
import { coalesced } from './events.ts';

/** The events of whole outputs, by the output. */
export type ParserMemory = Map<string, readonly Json[]>;

/** The most outputs that are remembered, and the most characters of one. All cuts of an output follow the whole one. */
const kept = { outputs: 4, characters: 1 << 16 } as const;

/** The memory of the suite. */
export const parserMemory: AnswerMemory<ParserMemory> = {
  start: () => new Map(),
  take(memory, ok, request) {
    if (request === undefined || isCut(request)) return;
    const output = outputOf(request);
    if (output.length > kept.characters) return;
    memory.delete(output);
    memory.set(output, coalesced(ok));
    const [oldest = ''] = memory.keys();
    if (memory.size > kept.outputs) memory.delete(oldest);
  },
};

const textsAt = (request: JsonObject, name: string): readonly string[] => {
  const value = request[name];
  return isArray(value) ? value.filter((one) => typeof one === 'string') : [];
};

/** The pieces of a request's output, as bytes. */
export const piecesOf = (request: JsonObject): readonly Buffer[] =>
  request['bytes'] === undefined
    ? textsAt(request, 'chunks').map((text) => Buffer.from(text))
    : textsAt(request, 'bytes').map((hex) => Buffer.from(hex, 'hex'));

/** Whether the output of a request comes in pieces. */
export const isCut = (request: JsonObject): boolean => piecesOf(request).length > 1;

/** The whole output of a request. */
export const outputOf = (request: JsonObject): string =>
  Buffer.concat([...piecesOf(request)]).toString('utf8');
