/** Encodes protobuf fields that are not in the schema. */
import type { UnknownField } from '../kit/base/index.ts';

/**
 * The bytes of protobuf fields, one after the other: tag, length (of wire type 2), value.
 *
 * @example
 * [...encodeUnknownFields([{ field: 31, wire_type: 2, hex: '6869' }])]; // [250, 1, 2, 104, 105]
 */
export const encodeUnknownFields = (fields: readonly UnknownField[]): Uint8Array =>
  Buffer.concat(fields.map(encodeField));

function encodeField({ field, wire_type: wireType, hex }: UnknownField): Buffer {
  const value = Buffer.from(hex, 'hex');
  const tag = varint((field << 3) | wireType);
  return Buffer.from(wireType === 2 ? [...tag, ...varint(value.length), ...value] : [...tag, ...value]);
}

function varint(n: number): number[] {
  const bytes = [];
  for (let rest = n >>> 0; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}
