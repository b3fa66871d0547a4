/** Testees that split streams wrongly. */
import { isArray } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { AnswerFault } from '../../../../src/kit/suite/index.ts';
import { okAnswer, refusal } from '../../../../src/kit/suite/index.ts';
import { bytesOf, onRequest, hexOf, okOf, patched } from './mutant.ts';
import type { CodecFaults } from './mutant.ts';

const textsOf = (chunks: Json | undefined): readonly string[] =>
  Array.isArray(chunks) ? chunks.filter((chunk) => typeof chunk === 'string') : [];

/** Edits the received chunks; undefined: no change. */
const receives = (edit: (chunks: readonly string[]) => readonly string[] | undefined): AnswerFault =>
  onRequest('toon.stream', (request) => {
    const chunks = edit(textsOf(request['chunks']));
    return chunks && { chunks };
  });

/** Edits the answer; undefined: no change. */
const finds =
  (edit: (found: JsonObject, request: JsonObject) => JsonObject | undefined): AnswerFault =>
  (request) => {
    const right = request['op'] === 'toon.stream' ? okOf(request) : undefined;
    return right && edit(right, request);
  };

/** The frames of a stream in order. `length` gives the length of the frame at an offset. */
function frames(bytes: Buffer, length: (frame: Buffer) => number): Buffer[] {
  const found: Buffer[] = [];
  for (let at = 0; at + 18 <= bytes.length;) {
    const size = Math.max(1, length(bytes.subarray(at)));
    found.push(bytes.subarray(at, at + size));
    at += size;
  }
  return found;
}

const declared = (frame: Buffer): number => 18 + frame.readUInt32LE(2);
const isKnown = (frame: Buffer): boolean => frame[0] === 1 && (frame[1] ?? 0) >= 1 && (frame[1] ?? 0) <= 8;
const cap = 16 << 20;

const joined = (chunks: readonly string[]): Buffer => bytesOf(chunks.join(''));

/** Stops at the first frame of an unknown version or type. */
const closesAtUnknown = receives((chunks) => {
  const all = frames(joined(chunks), declared);
  const odd = all.findIndex((frame) => !isKnown(frame));
  return odd < 0 ? undefined : [hexOf(Buffer.concat(all.slice(0, odd + 1)))];
});

/** Skips only the header of an unknown frame, and reads on in its payload. */
const skipsHeaders = receives((chunks) => {
  const all = frames(joined(chunks), (frame) => (isKnown(frame) ? declared(frame) : 18));
  const kept = all.map((frame) => (isKnown(frame) ? frame : patched(frame, 2, 0, 0, 0, 0)));
  return all.every(isKnown) ? undefined : [hexOf(Buffer.concat(kept))];
});

/** Reads on after the header of a frame over the cap. */
const goesOn = receives((chunks) => {
  const all = frames(joined(chunks), (frame) => (declared(frame) - 18 > cap ? 18 : declared(frame)));
  const kept = all.filter((frame) => frame.length < 18 || frame.readUInt32LE(2) <= cap);
  return kept.length === all.length ? undefined : [hexOf(Buffer.concat(kept))];
});

export const streamFaults: CodecFaults = {
  'refuses-to-wait': finds(({ pending }, request) =>
    Number(pending) > 0 && Number(pending) < 18 ? refusal(request, 'truncated') : undefined,
  ),
  'a-chunk-a-message': finds(({ pending }, request) => {
    const chunks = textsOf(request['chunks']);
    if (chunks.length !== 2 || pending !== 0) return undefined;
    const answers = chunks.map((chunk) => okOf({ op: 'toon.decode', wire: chunk }));
    const messages = answers.flatMap((answer) => (answer === undefined ? [] : [answer]));
    return okAnswer(request, { messages, skipped: answers.length - messages.length, pending: 0 });
  }),
  'few-messages-a-chunk': finds((found, request) =>
    isArray(found['messages']) && found['messages'].length > 32
      ? okAnswer(request, { ...found, messages: found['messages'].slice(0, 32) })
      : undefined,
  ),
  'repeats-the-last': finds((found, request) => {
    const messages = isArray(found['messages']) ? found['messages'] : [];
    const isEmpty = textsOf(request['chunks']).at(-1) === '';
    return isEmpty
      ? okAnswer(request, { ...found, messages: [...messages, ...messages.slice(-1)] })
      : undefined;
  }),
  'closes-at-unknown': closesAtUnknown,
  'skips-headers': skipsHeaders,
  'goes-on-over-the-cap': goesOn,
};
