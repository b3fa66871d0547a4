/** The values of each type of the schema that a codec must tell apart, as written and as JSON. */
import type { Json } from '../../../src/kit/base/index.ts';
import type { Field, ProtoSchema } from './schema.ts';
import { base64Of } from './wire.ts';
import type { WireField, WireValue } from './wire.ts';

/** A value of a field. */
export interface Value {
  /** Part of the test's id. */
  readonly id: string;
  /** The value in words. */
  readonly text: string;
  readonly wire: WireValue;
  readonly json: Json;
}

const int64Values = ['9223372036854775807', '-9223372036854775808', '9007199254740993', '-1'];
const int32Values = [2147483647, -2147483648, -1, 128];

export function ordinary(schema: ProtoSchema, { name, type, number }: Field): Value {
  const value = (wire: WireValue, json: Json): Value => ({ id: 'value', text: 'a value', wire, json });
  const [, enumValue] = schema.enums.get(type) ?? [];
  if (enumValue !== undefined) return value(1, nameOf(schema, type, 1));
  switch (type) {
    case 'string':
      return value(`${name} ✓`, `${name} ✓`);
    case 'bytes':
      return bytesValue([0, 127, 128, 255]);
    case 'bool':
      return value(true, true);
    case 'int32':
      return value(100 + number, 100 + number);
    case 'int64':
      return value(1768780800000n, '1768780800000');
    default:
      return messageValue(schema, type);
  }
}

/** A message with its first field. */
function messageValue(schema: ProtoSchema, type: string): Value {
  const [first] = schema.messages.get(type) ?? [];
  if (first === undefined || first.presence !== 'implicit')
    return { ...defaultOf(schema, type), id: 'value' };
  const { wire, json } = ordinary(schema, first);
  return { id: 'value', text: 'a value', wire: [[first.number, wire]], json: { [first.name]: json } };
}

const bytesValue = (bytes: readonly number[]): Value => {
  const wire = Uint8Array.from(bytes);
  return { id: `bytes-${bytes.length}`, text: `${bytes.length} bytes`, wire, json: base64Of(wire) };
};

const nameOf = ({ enums }: ProtoSchema, type: string, number: number): Json =>
  [...(enums.get(type) ?? [])].find(([, n]) => n === number)?.[0] ?? number;

/** The default value of a type, written on the wire. */
export function defaultOf(schema: ProtoSchema, type: string): Value {
  const value = (wire: WireValue, json: Json): Value => ({
    id: 'default',
    text: 'the default value',
    wire,
    json,
  });
  if (schema.messages.has(type)) return value([] satisfies readonly WireField[], {});
  if (schema.enums.has(type)) return value(0, nameOf(schema, type, 0));
  if (type === 'bool') return value(false, false);
  if (type === 'int32') return value(0, 0);
  return type === 'int64' ? value(0, '0') : value('', '');
}

/** Every value of an enum, numbers that it does not have, and the values at the edges of the other types. */
export function edges(schema: ProtoSchema, type: string): readonly Value[] {
  const known = [...(schema.enums.get(type) ?? [])].filter(([, number]) => number > 0);
  if (known.length > 0) {
    const values = known.map(([name, number]) => ({ id: name, text: name, wire: number, json: name }));
    const unknown = [known.length + 1, 2147483647, -1].map((number) => numeric(number, number));
    return [
      ...values,
      ...unknown.map((one) => ({ ...one, text: `${one.text}, which the enum does not have` })),
    ];
  }
  if (type === 'int32') return int32Values.map((number) => numeric(number, number));
  if (type === 'int64') return int64Values.map((text) => numeric(BigInt(text), text));
  if (type === 'bytes') return [[1], [1, 2], [251, 255, 254]].map(bytesValue);
  return [];
}

const numeric = (wire: number | bigint, json: Json): Value => ({
  id: String(wire).replace('-', 'minus-'),
  text: String(wire),
  wire,
  json,
});
