/** Writes protobuf's wire format for vectors. It shares no code with the codec, whose errors the vectors must show. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json } from '../../../src/kit/base/index.ts';

export type Bytes = readonly number[];

/** The value of a field: a varint, a text, bytes, or the fields of a message. */
export type WireValue = number | bigint | boolean | string | Uint8Array | readonly WireField[];

export type WireField = readonly [number: number, value: WireValue];

/** A varint in as few bytes as it needs. A negative number is written as 64 bits. */
export function varint(value: number | bigint): Bytes {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, BigInt(value));
  while (rest > 0x7fn) {
    bytes.push(Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  return [...bytes, Number(rest)];
}

/** Fields one after another: tag, length if it has one, value. */
export const written = (fields: readonly WireField[]): Bytes =>
  fields.flatMap(([number, value]) => {
    if (typeof value === 'number' || typeof value === 'bigint')
      return [...varint(number * 8), ...varint(value)];
    if (typeof value === 'boolean') return [...varint(number * 8), value ? 1 : 0];
    const content = contentOf(value);
    return [...varint(number * 8 + 2), ...varint(content.length), ...content];
  });

function contentOf(value: string | Uint8Array | readonly WireField[]): Bytes {
  if (typeof value === 'string') return [...new TextEncoder().encode(value)];
  return value instanceof Uint8Array ? [...value] : written(value);
}

/** Bytes as hexadecimal digits. */
export const hexOf = (bytes: Iterable<number>): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');

/** The bytes of hexadecimal digits, between which there may be spaces. @throws Error on other characters */
export function bytesOf(hex: string): Uint8Array {
  const digits = hex.replaceAll(' ', '');
  if (!/^(?:[0-9a-f]{2})*$/.test(digits)) throw new Error(`expected hexadecimal digits; came ${hex}`);
  return Uint8Array.from(digits.match(/../g) ?? [], (byte) => Number.parseInt(byte, 16));
}

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

/** Bytes as base64, the JSON mapping of `bytes`. */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let i = 0; i < bytes.length; i += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(i, i + 3);
    const bits = (a << 16) | (b << 8) | c;
    const letters = [18, 12, 6, 0].map((shift) => digits.charAt((bits >> shift) & 63)).join('');
    text += letters.slice(0, Math.min(bytes.length - i, 3) + 1).padEnd(4, '=');
  }
  return text;
}

/**
 * Fields as a case table writes them: `[[number, value], …]`. A value is an integer (a varint), a text, a list of fields (a
 * message), or `{hex: digits}` (bytes).
 */
export function fieldsIn(table: Json | undefined): readonly WireField[] {
  if (!isArray(table)) throw new Error(`expected a list of fields; came ${JSON.stringify(table)}`);
  return table.map((field) => {
    const [number, value] = isArray(field) ? field : [];
    if (typeof number !== 'number')
      throw new Error(`expected [number, value]; came ${JSON.stringify(field)}`);
    return [number, valueIn(value)];
  });
}

function valueIn(value: Json | undefined): WireValue {
  if (typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean') return value;
  const hex = isObject(value) ? value['hex'] : undefined;
  return typeof hex === 'string' ? bytesOf(hex) : fieldsIn(value);
}
