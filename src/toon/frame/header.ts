/** The 18-byte header of TOON (Task Orchestration Over Node): packed, little-endian. */
import type { MessageType } from '../messages.ts';

/** Bytes before the payload. Source: TOON Protocol Specification, "Header Fields". */
export const HEADER_SIZE = 18;

/** The only version there is. Source: TOON Protocol Specification, "Schema Versioning". */
export const TOON_VERSION = 1;

/** The highest sequence id; 0 follows it. */
export const MAX_SEQUENCE_ID = 0xffffffff;

/** The default limit of a payload (bytes), on the wire and expanded: 16 MiB. */
export const MAX_PAYLOAD: number = 16 * 1024 * 1024;

const maxTimestamp = 0xffff_ffff_ffff_ffffn;
const wordRange = 0x1_0000_0000;

/**
 * The fields of a header.
 *
 * Source: TOON Protocol Specification, "Header Fields".
 */
export interface TOONHeader {
  /** Always 1 in a decoded message. */
  readonly version: number;
  readonly type: MessageType;
  /** Bytes of the payload on the wire; of a compressed payload, the compressed ones. */
  readonly payloadLength: number;
  /** Unix milliseconds; a bigint only above 2^53 − 1, because a number would be rounded. */
  readonly timestamp: number | bigint;
  /** Counts per sender and connection, 0 to 4294967295. */
  readonly sequenceId: number;
}

/** An unsigned 32-bit number, little-endian. */
export const readWord = (bytes: Uint8Array, at: number): number =>
  ((bytes[at] ?? 0) |
    ((bytes[at + 1] ?? 0) << 8) |
    ((bytes[at + 2] ?? 0) << 16) |
    ((bytes[at + 3] ?? 0) << 24)) >>>
  0;

function writeWord(bytes: Uint8Array, at: number, word: number): void {
  bytes[at] = word;
  bytes[at + 1] = word >>> 8;
  bytes[at + 2] = word >>> 16;
  bytes[at + 3] = word >>> 24;
}

/** The payload length that the header at this offset declares: 0 to 4294967295. */
export const readPayloadLength = (bytes: Uint8Array, at: number): number => readWord(bytes, at + 2);

/** The timestamp, all 64 bits: a bigint only where a number would be rounded (TOON-28). */
export function readTimestamp(bytes: Uint8Array): number | bigint {
  const low = readWord(bytes, 6);
  const high = readWord(bytes, 10);
  const rounded = high * wordRange + low;
  return rounded <= Number.MAX_SAFE_INTEGER ? rounded : (BigInt(high) << 32n) | BigInt(low);
}

/** The sequence id; the bytes must hold a whole header. */
export const readSequenceId = (bytes: Uint8Array): number => readWord(bytes, 14);

/** Writes a header. The caller has checked the ranges with {@link checkStamp}. */
export function writeHeader(
  into: Uint8Array,
  at: number,
  type: MessageType,
  payloadLength: number,
  timestamp: number | bigint,
  sequenceId: number,
): void {
  into[at] = TOON_VERSION;
  into[at + 1] = type;
  writeWord(into, at + 2, payloadLength);
  if (typeof timestamp === 'number') {
    writeWord(into, at + 6, timestamp >>> 0);
    writeWord(into, at + 10, Math.floor(timestamp / wordRange));
  } else {
    writeWord(into, at + 6, Number(timestamp & 0xffff_ffffn));
    writeWord(into, at + 10, Number(timestamp >> 32n));
  }
  writeWord(into, at + 14, sequenceId);
}

/**
 * Throws a RangeError on a value that does not fit its field (TOON-32): a type outside 1–8, a sequence id outside 32
 * bits, or a timestamp outside 64 bits. A timestamp above 2^53 − 1 must be a bigint: a number may be rounded (TOON-28).
 */
export function checkStamp(type: number, sequenceId: number, timestamp: number | bigint): void {
  if (!(Number.isInteger(type) && type >= 1 && type <= 8))
    throw new RangeError(`expected a message type from 1 to 8; came ${String(type)}`);
  if (!(Number.isInteger(sequenceId) && sequenceId >= 0 && sequenceId <= MAX_SEQUENCE_ID))
    throw new RangeError(`expected a sequence id from 0 to ${MAX_SEQUENCE_ID}; came ${String(sequenceId)}`);
  const isBig = typeof timestamp === 'bigint';
  if (timestamp < 0 || (isBig ? timestamp > maxTimestamp : !Number.isSafeInteger(timestamp)))
    throw new RangeError(
      `expected a timestamp of whole milliseconds from 0 to ${maxTimestamp}, as a bigint above ` +
        `${Number.MAX_SAFE_INTEGER}; came ${String(timestamp)}`,
    );
}

/** Parses the decimal digits of a timestamp; throws a RangeError on any other text. */
export function parseTimestamp(digits: string): number | bigint {
  if (!/^\d{1,20}$/.test(digits))
    throw new RangeError(`expected a timestamp of decimal digits; came ${JSON.stringify(digits)}`);
  const rounded = Number(digits);
  return rounded <= Number.MAX_SAFE_INTEGER ? rounded : BigInt(digits);
}
