/** Testees that expand compressed payloads wrongly. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { okAnswer } from '../../../../src/kit/suite/index.ts';
import { bytesOf, codeOf, hexOf, okOf, payloadOf, refuses, takes, withPayload } from './mutant.ts';
import type { CodecFaults } from './mutant.ts';

const magic = 0x5a;
const escape = 0xff;
const toolResult = 3;

/** The triples of an RLE text, each with its byte and its count. */
function triplesOf(rle: Uint8Array): readonly { readonly byte: number; readonly count: number }[] {
  const triples = [];
  for (let at = 0; at < rle.length; at += rle[at] === escape ? 3 : 1) {
    if (rle[at] === escape) triples.push({ byte: rle[at + 1] ?? 0, count: rle[at + 2] ?? 0 });
  }
  return triples;
}

/** The RLE text of a compressed message, or of a request to expand RLE. */
function rleOf(bytes: Buffer, right: JsonObject): Buffer | undefined {
  if (right['header'] === undefined) return bytes;
  const payload = payloadOf(bytes);
  return payload[0] === magic ? payload.subarray(1) : undefined;
}

/** Refuses RLE with such a triple, in messages and in `toon.rle.decode`. */
function refusesTriples(test: (triple: { byte: number; count: number }) => boolean): AnswerFault {
  const refused = (bytes: Buffer, right: JsonObject): boolean =>
    triplesOf(rleOf(bytes, right) ?? Buffer.alloc(0)).some(test);
  const inMessages = refuses('toon.decode', 'bad-rle', refused);
  const alone = refuses('toon.rle.decode', 'bad-rle', refused);
  return (request) => inMessages(request) ?? alone(request);
}

/** An RLE text without the triple that is cut off at its end. */
function whole(rle: Uint8Array): Uint8Array {
  let at = 0;
  while (at < rle.length) {
    const size = rle[at] === escape ? 3 : 1;
    if (at + size > rle.length) break;
    at += size;
  }
  return rle.subarray(0, at);
}

/** An RLE text without its counts of 0. */
function withoutZeros(rle: Uint8Array): Uint8Array {
  const kept: number[] = [];
  for (let at = 0; at < rle.length;) {
    const size = rle[at] === escape ? 3 : 1;
    if (size === 1 || rle[at + 2] !== 0) kept.push(...rle.subarray(at, at + size));
    at += size;
  }
  return Uint8Array.from(kept);
}

/** A compressed TOOL_RESULT with a repaired RLE text. */
const mended =
  (mend: (rle: Uint8Array) => Uint8Array) =>
  (wire: Buffer): Uint8Array | undefined =>
    wire[1] === toolResult && wire[18] === magic
      ? withPayload(wire, Buffer.concat([Buffer.of(magic), mend(payloadOf(wire).subarray(1))]))
      : undefined;

/** Accepts RLE in `toon.rle.decode` that the reference refuses. */
const expands =
  (mend: (rle: Uint8Array) => Uint8Array): AnswerFault =>
  (request) => {
    if (request['op'] !== 'toon.rle.decode' || codeOf(request) !== 'bad-rle') return undefined;
    const answer = okOf({ ...request, bytes: hexOf(mend(bytesOf(request['bytes']))) });
    return answer && okAnswer(request, answer);
  };

/** Whether a small message is compressed. */
const isSmall = (wire: Buffer, { header }: JsonObject): boolean => {
  if (header === undefined || wire[18] !== magic) return false;
  return recoded('toon.rle.decode', payloadOf(wire).subarray(1)).length <= 1024;
};

const opensLate = (wire: Buffer): boolean => payloadOf(wire).length > 1024 && wire[18] === 0x20;

const recoded = (op: string, bytes: Uint8Array): Buffer =>
  bytesOf(okOf({ op, bytes: hexOf(bytes) })?.['bytes']);

/** An RLE text whose expansion does not begin with the magic. */
function stripsAll(rle: Uint8Array): Uint8Array {
  const plain = recoded('toon.rle.decode', rle);
  const from = plain.findIndex((byte) => byte !== magic);
  return recoded('toon.rle.encode', plain.subarray(from));
}

const stripsByItself: AnswerFault = (request) => {
  const bytes = bytesOf(request['bytes']);
  if (request['op'] !== 'toon.rle.decode' || bytes[0] !== magic) return undefined;
  return okAnswer(request, { bytes: hexOf(recoded('toon.rle.decode', bytes.subarray(1))) });
};

const small = Buffer.from('{"success":true}');

export const expandingFaults: CodecFaults = {
  'expands-large-only': refuses('toon.decode', 'bad-json', isSmall),
  'guesses-compression': refuses('toon.decode', 'bad-rle', opensLate),
  'refuses-small-counts': refusesTriples(({ byte, count }) => byte !== escape && count < 4),
  'takes-cut-triples': takes('bad-rle', mended(whole)),
  'expands-cut-triples': expands(whole),
  'strips-all-magic': takes('bad-json', mended(stripsAll)),
  'strips-magic-of-rle': stripsByItself,
  'expands-without-cap': takes('too-large', (wire) =>
    wire[18] === magic ? withPayload(wire, small) : undefined,
  ),
  'believes-lengths': takes('too-large', (wire) =>
    wire.length < 1000 ? withPayload(wire, wire.subarray(18)) : undefined,
  ),
  'takes-zero-counts': takes('bad-rle', mended(withoutZeros)),
  'expands-zero-counts': expands(withoutZeros),
};
