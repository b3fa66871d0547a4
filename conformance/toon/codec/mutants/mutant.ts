/** Makes mutant codecs: the reference testee with one fault in its requests or its answers. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { answerFaults, faultyTestee, okAnswer, refusal } from '../../../../src/kit/suite/index.ts';
import type {
  AnswerFault,
  AnswerFaults,
  Faults,
  MakeFaulty,
  TesteeFault,
} from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { toonTestee } from '../../../../src/toon/index.ts';

const faults = answerFaults(toonTestee);

/** See {@link AnswerFaults}. */
export const okOf: AnswerFaults['okOf'] = faults.okOf;
export const codeOf: AnswerFaults['codeOf'] = faults.codeOf;
export const onRequest: AnswerFaults['onRequest'] = faults.onRequest;
export const onAnswer: AnswerFaults['onAnswer'] = faults.onAnswer;

/** Faults by the ids of their mutants. */
export type CodecFaults = Faults<TesteeFault>;

/** Makes the reference codec with a fault. */
export const codecWith: MakeFaulty<TesteeFault> = faultyTestee(faults.faulty, testeeOf);

/** The bytes of a hex field; empty for an absent field. */
export const bytesOf = (hex: unknown): Buffer => Buffer.from(typeof hex === 'string' ? hex : '', 'hex');

export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A fault in encoding. `edit` gives other bytes than the reference; undefined: no change. */
export const writes = (edit: (wire: Buffer, request: JsonObject) => Uint8Array | undefined): AnswerFault =>
  onAnswer('toon.encode', (right, request) => {
    const wire = edit(bytesOf(right['wire']), request);
    return wire && { wire: hexOf(wire) };
  });

/** A fault in decoding a single message. `edit` gives another answer than the reference; undefined: no change. */
export const decodes = (
  edit: (decoded: JsonObject, request: JsonObject) => JsonObject | undefined,
): AnswerFault => onAnswer('toon.decode', edit);

/** Refuses inputs that the reference accepts, if `test` selects them. */
export const refuses =
  (op: string, code: string, test: (bytes: Buffer, right: JsonObject) => boolean): AnswerFault =>
  (request) => {
    if (request['op'] !== op) return undefined;
    const right = okOf(request);
    const bytes = bytesOf(request['wire'] ?? request['bytes']);
    return right !== undefined && test(bytes, right) ? refusal(request, code) : undefined;
  };

/**
 * Accepts messages that the reference refuses with a code, in `toon.decode` and `toon.validate`. `repair` gives the valid
 * message that it reads instead; undefined: it refuses.
 */
export const takes =
  (code: string, repair: (wire: Buffer) => Uint8Array | undefined): AnswerFault =>
  (request) => {
    const { op, wire } = request;
    if (op !== 'toon.decode' && op !== 'toon.validate') return undefined;
    if (codeOf({ ...request, op: 'toon.decode' }) !== code) return undefined;
    const repaired = repair(bytesOf(wire));
    const decoded = repaired && okOf({ op: 'toon.decode', wire: hexOf(repaired) });
    if (decoded === undefined) return undefined;
    return okAnswer(request, op === 'toon.decode' ? decoded : { valid: true });
  };

/** A message with another payload and the right payloadLength. */
export function withPayload(wire: Uint8Array, payload: Uint8Array): Buffer {
  const message = Buffer.concat([wire.subarray(0, 18), payload]);
  message.writeUInt32LE(payload.length, 2);
  return message;
}

/** The payload of a message, by the payloadLength of its header. */
export const payloadOf = (wire: Buffer): Buffer => wire.subarray(18, 18 + wire.readUInt32LE(2));

/** A copy of bytes with other bytes from an offset on. */
export function patched(bytes: Uint8Array, at: number, ...others: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(others, at);
  return copy;
}
