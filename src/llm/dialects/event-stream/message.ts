/**
 * A message of an event stream (`application/vnd.amazon.eventstream`): a prelude with two lengths and their checksum, headers,
 * a payload, and a checksum of it all. Big-endian. "Event stream encoding" of Amazon Lex.
 */
import { ok } from '../../../kit/base/index.ts';
import type { Codec, Result, Violation } from '../../../kit/base/index.ts';
import { crc32 } from './crc32.ts';
import { decodeHeaders, encodeHeaders } from './headers.ts';
import type { EventHeader } from './headers.ts';
import { hex, refuseAt, sizes } from './violation.ts';

/** A message. */
export interface EventMessage {
  readonly headers: readonly EventHeader[];
  readonly payload: Uint8Array;
}

/** Both lengths of a message, which are within the limits. */
export interface Prelude {
  /** Bytes of the whole message. */
  readonly total: number;
  /** Bytes of its headers. */
  readonly headers: number;
}

/** The bytes of a message. */
export const encodeMessage = ({ headers, payload }: EventMessage): Uint8Array =>
  messageOf(encodeHeaders(headers), payload);

/** The bytes of a message whose headers are encoded. */
export function messageOf(encoded: Uint8Array, payload: Uint8Array): Uint8Array {
  const total = sizes.least + encoded.length + payload.length;
  const bytes = new Uint8Array(total);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, total);
  view.setUint32(4, encoded.length);
  const prelude = crc32(bytes.subarray(0, 8));
  view.setUint32(8, prelude);
  bytes.set(encoded, sizes.prelude);
  bytes.set(payload, sizes.prelude + encoded.length);
  view.setUint32(total - 4, crc32(bytes.subarray(8, total - 4), prelude));
  return bytes;
}

/**
 * Reads a prelude. Its checksum comes first: with a wrong one, nobody knows where the next message begins.
 *
 * @param bytes - twelve bytes or more
 * @param from - the offset of `bytes` in the stream, for refusals
 */
export function readPrelude(
  bytes: Uint8Array,
  from: number,
  limit: number = sizes.message,
): Result<Prelude, Violation> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const total = view.getUint32(0);
  const headers = view.getUint32(4);
  const stated = view.getUint32(8);
  const computed = crc32(bytes.subarray(0, 8));
  if (stated !== computed)
    return refuseAt(
      'prelude-checksum',
      from + 8,
      `the prelude checksum ${hex(computed)}; came ${hex(stated)}`,
    );
  if (total < sizes.least)
    return refuseAt('bad-length', from, `a total length of at least ${sizes.least}; came ${total}`);
  if (total > limit) return refuseAt('too-large', from, `a total length of at most ${limit}; came ${total}`);
  if (headers > sizes.headers)
    return refuseAt('too-large', from + 4, `headers of at most ${sizes.headers} bytes; came ${headers}`);
  if (headers > total - sizes.least)
    return refuseAt(
      'bad-length',
      from + 4,
      `headers of at most ${total - sizes.least} bytes; came ${headers}`,
    );
  return ok({ total, headers });
}

/**
 * Reads the message of a prelude.
 *
 * @param bytes - the whole message
 * @param from - the offset of `bytes` in the stream, for refusals
 * @param readHeaders - reads its headers
 */
export function readMessage(
  bytes: Uint8Array,
  { total, headers }: Prelude,
  from: number,
  readHeaders: typeof decodeHeaders = decodeHeaders,
): Result<EventMessage, Violation> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const stated = view.getUint32(total - 4);
  // The checksum of the prelude is right, so it is the checksum of the bytes before it.
  const computed = crc32(bytes.subarray(8, total - 4), view.getUint32(8));
  if (stated !== computed)
    return refuseAt(
      'message-checksum',
      from + total - 4,
      `the message checksum ${hex(computed)}; came ${hex(stated)}`,
    );
  const payloadAt = sizes.prelude + headers;
  const read = readHeaders(bytes.subarray(sizes.prelude, payloadAt), from + sizes.prelude);
  return read.ok
    ? ok({ headers: read.value, payload: new Uint8Array(bytes.subarray(payloadAt, total - 4)) })
    : read;
}

/** The codec of one message, whose bytes are all there. */
export const eventMessageCodec: Codec<EventMessage> = {
  name: 'event stream message',
  encode: encodeMessage,
  decode(bytes) {
    if (bytes.length < sizes.least)
      return refuseAt('truncated', bytes.length, `a message of at least ${sizes.least} bytes`);
    const prelude = readPrelude(bytes, 0);
    if (!prelude.ok) return prelude;
    const { total } = prelude.value;
    if (total !== bytes.length)
      return refuseAt(
        total > bytes.length ? 'truncated' : 'bad-length',
        0,
        `a total length of ${bytes.length}; came ${total}`,
      );
    const message = readMessage(bytes, prelude.value, 0);
    return message.ok ? ok({ message: message.value }) : message;
  },
};

/** The text of a header; undefined: it is missing, or no text. */
export function headerText({ headers }: EventMessage, name: string): string | undefined {
  const header = headers.find((one) => one.name === name);
  return header?.type === 'string' ? header.value : undefined;
}
