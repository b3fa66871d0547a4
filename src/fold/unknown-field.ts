/** Encodes protobuf fields that are not in the schema. */
import protobuf from 'protobufjs/minimal.js';
import type { UnknownField } from '../kit/base/index.ts';

/**
 * The bytes of protobuf fields, one after the other: tag, length (of wire type 2), value.
 *
 * @example
 * [...encodeUnknownFields([{ field: 31, wire_type: 2, hex: '6869' }])]; // [250, 1, 2, 104, 105]
 */
export const encodeUnknownFields = (fields: readonly UnknownField[]): Uint8Array =>
  Buffer.concat(
    fields.flatMap(({ field, wire_type, hex }) => {
      const value = Buffer.from(hex, 'hex');
      const writer = protobuf.Writer.create().uint32(((field << 3) | wire_type) >>> 0);
      return wire_type === 2 ? [writer.bytes(value).finish()] : [writer.finish(), value];
    }),
  );
