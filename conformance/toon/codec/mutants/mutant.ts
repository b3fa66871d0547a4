/**
 * How a mutant is made: the reference testee, with something between it and its wire that changes one thing it is
 * asked or one thing it answers. What is not changed passes as it is, so nothing else is wrong with it.
 */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { toonTestee } from '../../../../src/toon/index.ts';

/** What is answered to a request, where the fault shows; undefined where it does not. */
export type AnswerFault = (request: JsonObject) => JsonObject | undefined;

/** A mutant: the reference, but for a fault. */
export const wrong = (breaks: string, id: string, title: string, fault: AnswerFault): Mutant => ({
  id,
  breaks,
  title,
  make: () => testeeOf((request) => fault(request) ?? toonTestee(request)),
});

/** What the reference answers when it does as asked; undefined when it refuses. */
export function okOf(request: JsonObject): JsonObject | undefined {
  const { ok } = toonTestee(request);
  return isObject(ok) ? ok : undefined;
}

/** The code with which the reference refuses; undefined when it does not. */
export function codeOf(request: JsonObject): string | undefined {
  const { error } = toonTestee(request);
  const code = isObject(error) ? error['code'] : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** An answer that does as asked. */
export const ok = ({ id = null }: JsonObject, answer: JsonObject): JsonObject => ({ id, ok: answer });

/** An answer that refuses. */
export const refusal = ({ id = null }: JsonObject, code: string, message: string = code): JsonObject => ({
  id,
  error: { code, message },
});

/** A field of a request or an answer as bytes; none: no bytes. */
export const bytesOf = (hex: unknown): Buffer => Buffer.from(typeof hex === 'string' ? hex : '', 'hex');

/** Bytes as requests and answers have them. */
export const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** A fault in what is encoded: other bytes than those of the reference; undefined: the same. */
export const writes =
  (edit: (wire: Buffer, request: JsonObject) => Uint8Array | undefined): AnswerFault =>
  (request) => {
    const right = request['op'] === 'toon.encode' ? okOf(request) : undefined;
    const wire = right === undefined ? undefined : edit(bytesOf(right['wire']), request);
    return wire === undefined ? undefined : ok(request, { wire: hexOf(wire) });
  };

/** A fault in what single messages decode to: another answer than the reference's; undefined: the same. */
export const decodes =
  (edit: (decoded: JsonObject, request: JsonObject) => JsonObject | undefined): AnswerFault =>
  (request) => {
    const right = request['op'] === 'toon.decode' ? okOf(request) : undefined;
    const decoded = right === undefined ? undefined : edit(right, request);
    return decoded === undefined ? undefined : ok(request, decoded);
  };

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
    return ok(request, op === 'toon.decode' ? decoded : { valid: true });
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
