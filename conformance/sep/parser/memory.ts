/** The memory of a parser's answers: its events of whole outputs, with which those of cut ones are compared (SEP-03). */
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

/** Bytes as hexadecimal digits. */
export const hexText = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

const bytesOf = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (digits) => Number.parseInt(digits, 16));

/** The pieces of a request's output, as bytes of UTF-8. */
export const piecesOf = (request: JsonObject): readonly Uint8Array[] =>
  request['bytes'] === undefined
    ? textsAt(request, 'chunks').map((text) => new TextEncoder().encode(text))
    : textsAt(request, 'bytes').map(bytesOf);

/** Pieces of UTF-8 as one text. */
export function textOfPieces(pieces: readonly Uint8Array[]): string {
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join('') + decoder.decode();
}

/** Whether the output of a request comes in pieces. */
export const isCut = (request: JsonObject): boolean => piecesOf(request).length > 1;

/** The whole output of a request. */
export const outputOf = (request: JsonObject): string => textOfPieces(piecesOf(request));
