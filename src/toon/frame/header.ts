/** The 18-byte header of TOON (Task Orchestration Over Node): packed, little-endian. */
import type { MessageType } from '../messages.ts';

/** Bytes before the payload. Source: TOON Protocol Specification, "Header Fields". */
export const HEADER_SIZE = 18;

/** The only version there is. Source: TOON Protocol Specification, "Schema Versioning". */
export const TOON_VERSION = 1;

/** The highest sequence id; 0 comes after it. */
export const MAX_SEQUENCE_ID = 0xffffffff;

/** Default cap of a payload (bytes), on the wire and expanded: 16 MiB. */
export const MAX_PAYLOAD: number = 16 * 1024 * 1024;

const MAX_TIMESTAMP = 0xffff_ffff_ffff_ffffn;
const WORD = 0x1_0000_0000;

/**
 * What a header says.
 *
 * Source: TOON Protocol Specification, "Header Fields".
 */
export interface TOONHeader {
  /** Always 1 in a message that was decoded. */
  readonly version: number;
  readonly type: MessageType;
  /** Bytes of the payload as it is on the wire: compressed, where it is. */
  readonly payloadLength: number;
  /** Unix milliseconds; a bigint only above 2^53 − 1, where a number would round. */
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

/** The payload's length on the wire, as the header at this place declares it: 0 to 4294967295. */
export const readPayloadLength = (bytes: Uint8Array, at: number): number => readWord(bytes, at + 2);

/** All 64 bits of the timestamp: a bigint only where a number would round (TOON-28). */
export function readTimestamp(bytes: Uint8Array): number | bigint {
  const low = readWord(bytes, 6);
  const high = readWord(bytes, 10);
  const near = high * WORD + low;
  return near <= Number.MAX_SAFE_INTEGER ? near : (BigInt(high) << 32n) | BigInt(low);
}

/** The sequence id of bytes of at least a header. */
export const readSequenceId = (bytes: Uint8Array): number => readWord(bytes, 14);

/** Writes the 18 bytes. Everything in them is in range: see {@link checkStamp}. */
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
    writeWord(into, at + 10, Math.floor(timestamp / WORD));
  } else {
    writeWord(into, at + 6, Number(timestamp & 0xffff_ffffn));
    writeWord(into, at + 10, Number(timestamp >> 32n));
  }
  writeWord(into, at + 14, sequenceId);
}

/**
 * Throws on what a header cannot carry (TOON-32): a type outside 1–8, a sequence id outside 32 bits, a timestamp
 * outside 64 bits, or a number above 2^53 − 1, which may be rounded already (TOON-28).
 */
export function checkStamp(type: number, sequenceId: number, timestamp: number | bigint): void {
  if (!(Number.isInteger(type) && type >= 1 && type <= 8))
    throw new RangeError(`expected a message type from 1 to 8; came ${String(type)}`);
  if (!(Number.isInteger(sequenceId) && sequenceId >= 0 && sequenceId <= MAX_SEQUENCE_ID))
    throw new RangeError(`expected a sequence id from 0 to ${MAX_SEQUENCE_ID}; came ${String(sequenceId)}`);
  if (typeof timestamp === 'bigint' ? timestamp < 0n || timestamp > MAX_TIMESTAMP : !isSafe(timestamp))
    throw new RangeError(
      `expected a timestamp of whole milliseconds from 0 to ${MAX_TIMESTAMP}, as a bigint above ` +
        `${Number.MAX_SAFE_INTEGER}; came ${String(timestamp)}`,
    );
}

const isSafe = (timestamp: number): boolean => Number.isSafeInteger(timestamp) && timestamp >= 0;

/** A timestamp of decimal digits, as messages in memory have it; throws a RangeError on anything else. */
export function parseTimestamp(digits: string): number | bigint {
  if (!/^\d{1,20}$/.test(digits))
    throw new RangeError(`expected a timestamp of decimal digits; came ${JSON.stringify(digits)}`);
  const near = Number(digits);
  return near <= Number.MAX_SAFE_INTEGER ? near : BigInt(digits);
}
