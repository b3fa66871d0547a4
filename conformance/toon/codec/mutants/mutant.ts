/** How a mutant codec is made: the reference testee with one fault in what it is asked or what it answers. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { answerFaults, okAnswer, refusal } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, AnswerFaults, Mutant } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { toonTestee } from '../../../../src/toon/index.ts';

const faults = answerFaults(toonTestee);

/** See {@link AnswerFaults}. */
export const okOf: AnswerFaults['okOf'] = faults.okOf;
export const codeOf: AnswerFaults['codeOf'] = faults.codeOf;
export const editIncoming: AnswerFaults['editIncoming'] = faults.editIncoming;
export const editOutgoing: AnswerFaults['editOutgoing'] = faults.editOutgoing;

/** A mutant: the reference with a fault. */
export const mutant = (breaks: string, id: string, title: string, fault: AnswerFault): Mutant => ({
  id,
  breaks,
  title,
  make: () => testeeOf(faults.faulty(fault)),
});

/** A field of a request or an answer as bytes; none: no bytes. */
export const bytesOf = (hex: unknown): Buffer => Buffer.from(typeof hex === 'string' ? hex : '', 'hex');

/** Bytes as requests and answers have them. */
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A fault in what is encoded: other bytes than those of the reference; undefined: the same. */
export const writes = (edit: (wire: Buffer, request: JsonObject) => Uint8Array | undefined): AnswerFault =>
  editOutgoing('toon.encode', (right, request) => {
    const wire = edit(bytesOf(right['wire']), request);
    return wire && { wire: hexOf(wire) };
  });

/** A fault in what single messages decode to: another answer than the reference's; undefined: the same. */
export const decodes = (
  edit: (decoded: JsonObject, request: JsonObject) => JsonObject | undefined,
): AnswerFault => editOutgoing('toon.decode', edit);

/** Refuses what the reference decodes, where a test says so. */
export const refuses =
  (op: string, code: string, test: (bytes: Buffer, right: JsonObject) => boolean): AnswerFault =>
  (request) => {
    if (request['op'] !== op) return undefined;
    const right = okOf(request);
    const bytes = bytesOf(request['wire'] ?? request['bytes']);
    return right !== undefined && test(bytes, right) ? refusal(request, code) : undefined;
  };

/**
 * Takes what the reference refuses with a code, for what a repair makes of it (undefined: nothing); the same in
 * `toon.decode` and `toon.validate`. The bytes are whole messages.
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

/** A message with another payload: its header's length is that payload's. */
export function withPayload(wire: Uint8Array, payload: Uint8Array): Buffer {
  const message = Buffer.concat([wire.subarray(0, 18), payload]);
  message.writeUInt32LE(payload.length, 2);
  return message;
}

/** The payload of a message, as long as its header says. */
export const payloadOf = (wire: Buffer): Buffer => wire.subarray(18, 18 + wire.readUInt32LE(2));

/** Bytes with a few of them others. */
export function patched(bytes: Uint8Array, at: number, ...others: readonly number[]): Buffer {
  const copy = Buffer.from(bytes);
  copy.set(others, at);
  return copy;
}
