/** Fields that a schema does not know, as bytes. */
import type { UnknownField } from '../base/index.ts';

/** A protobuf field as bytes: tag, length where the wire type has one, value. */
export function unknownField(field: UnknownField): Buffer {
  const value = Buffer.from(field.hex, 'hex');
  const tag = varint((field.field << 3) | field.wire_type);
  return Buffer.from(
    field.wire_type === 2 ? [...tag, ...varint(value.length), ...value] : [...tag, ...value],
  );
}

function varint(n: number): number[] {
  const bytes = [];
  for (let rest = n >>> 0; ; rest >>>= 7) {
    if (rest < 0x80) return [...bytes, rest];
    bytes.push((rest & 0x7f) | 0x80);
  }
}
