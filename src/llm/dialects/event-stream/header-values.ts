/** The values of headers: ten types on the wire, of which two are the booleans. */
import { ok, WireproofError } from '../../../kit/base/index.ts';
import type { Result, Violation } from '../../../kit/base/index.ts';
import { refuseAt, sizes } from './violation.ts';

/** A value with its type. Integers of 64 bits are decimal texts; a timestamp counts milliseconds since 1970. */
export type HeaderValue =
  | { readonly type: 'boolean'; readonly value: boolean }
  | { readonly type: 'byte'; readonly value: number }
  | { readonly type: 'short'; readonly value: number }
  | { readonly type: 'integer'; readonly value: number }
  | { readonly type: 'long' | 'timestamp'; readonly value: string }
  | { readonly type: 'string'; readonly value: string }
  | { readonly type: 'uuid'; readonly value: string }
  | { readonly type: 'binary'; readonly value: Uint8Array };

/** A value, and the offset after it. */
export interface ReadValue {
  readonly value: HeaderValue;
  readonly end: number;
}

/** The number of each type on the wire. */
const tags = {
  true: 0,
  false: 1,
  byte: 2,
  short: 3,
  integer: 4,
  long: 5,
  binary: 6,
  string: 7,
  timestamp: 8,
  uuid: 9,
} as const;

/** The bytes of a value by its tag; undefined: two bytes before it have its length. */
const lengths: readonly (number | undefined)[] = [0, 0, 1, 2, 4, 8, undefined, undefined, 8, 16];

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The type byte and the bytes of a value. */
export function encodeValue(header: HeaderValue): Uint8Array {
  switch (header.type) {
    case 'boolean':
      return Uint8Array.of(header.value ? tags.true : tags.false);
    case 'byte':
    case 'short':
    case 'integer':
      return numeric(header.type, (view) => writers[header.type](view, header.value));
    case 'long':
    case 'timestamp':
      return numeric(header.type, (view) => view.setBigInt64(1, BigInt(header.value)));
    case 'uuid':
      return Uint8Array.of(tags.uuid, ...(header.value.replaceAll('-', '').match(/../g) ?? []).map(hexByte));
    case 'string':
      return sized(tags.string, encoder.encode(header.value));
    case 'binary':
      return sized(tags.binary, header.value);
  }
}

const hexByte = (digits: string): number => Number.parseInt(digits, 16);

const writers = {
  byte: (view: DataView, value: number): void => view.setInt8(1, value),
  short: (view: DataView, value: number): void => view.setInt16(1, value),
  integer: (view: DataView, value: number): void => view.setInt32(1, value),
} as const;

type Numeric = 'byte' | 'short' | 'integer' | 'long' | 'timestamp';

function numeric(type: Numeric, write: (view: DataView) => void): Uint8Array {
  const bytes = new Uint8Array(1 + (lengths[tags[type]] ?? 0));
  bytes[0] = tags[type];
  write(new DataView(bytes.buffer));
  return bytes;
}

function sized(tag: number, value: Uint8Array): Uint8Array {
  if (value.length > sizes.value)
    throw new WireproofError(
      'internal',
      `expected a header value of at most ${sizes.value} bytes; came ${value.length}`,
    );
  const bytes = new Uint8Array(3 + value.length);
  bytes.set([tag, value.length >> 8, value.length & 0xff]);
  bytes.set(value, 3);
  return bytes;
}

/**
 * Reads a value.
 *
 * @param at - where its type byte is
 * @param from - the offset of `bytes` in the stream, for refusals
 */
export function decodeValue(bytes: Uint8Array, at: number, from: number): Result<ReadValue, Violation> {
  const tag = bytes[at];
  if (tag === undefined) return refuseAt('bad-header', from + at, 'the type of a header within the headers');
  if (tag >= lengths.length)
    return refuseAt('bad-header', from + at, `a header type from 0 to 9; came ${tag}`);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const isSized = lengths[tag] === undefined;
  if (isSized && at + 3 > bytes.length)
    return refuseAt('bad-header', from + at + 1, 'the length of a header value within the headers');
  const length = lengths[tag] ?? view.getUint16(at + 1);
  const start = at + (isSized ? 3 : 1);
  const end = start + length;
  if (length > sizes.value)
    return refuseAt(
      'too-large',
      from + at + 1,
      `a header value of at most ${sizes.value} bytes; came ${length}`,
    );
  if (end > bytes.length)
    return refuseAt('bad-header', from + start, `a header value of ${length} bytes within the headers`);
  const value = valueAt(tag, view, bytes.subarray(start, end), start);
  return value === undefined
    ? refuseAt('bad-utf8', from + start, 'a header value in UTF-8')
    : ok({ value, end });
}

/** The value of a tag; undefined: its text is no UTF-8. */
function valueAt(tag: number, view: DataView, bytes: Uint8Array, start: number): HeaderValue | undefined {
  switch (tag) {
    case tags.true:
    case tags.false:
      return { type: 'boolean', value: tag === tags.true };
    case tags.byte:
      return { type: 'byte', value: view.getInt8(start) };
    case tags.short:
      return { type: 'short', value: view.getInt16(start) };
    case tags.integer:
      return { type: 'integer', value: view.getInt32(start) };
    case tags.long:
      return { type: 'long', value: String(view.getBigInt64(start)) };
    case tags.timestamp:
      return { type: 'timestamp', value: String(view.getBigInt64(start)) };
    case tags.uuid:
      return { type: 'uuid', value: uuidOf(bytes) };
    case tags.binary:
      return { type: 'binary', value: new Uint8Array(bytes) };
    default:
      return textValue(bytes);
  }
}

function textValue(bytes: Uint8Array): HeaderValue | undefined {
  try {
    return { type: 'string', value: decoder.decode(bytes) };
  } catch {
    return undefined;
  }
}

const uuidOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte, i) => (uuidBreaks.has(i) ? '-' : '') + byte.toString(16).padStart(2, '0')).join(
    '',
  );

const uuidBreaks: ReadonlySet<number> = new Set([4, 6, 8, 10]);
