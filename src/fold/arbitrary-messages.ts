/**
 * Messages of Fold in canonical form (as decoding returns them, without default values), made from spec/fold/coven.proto.
 * The schema says which fields there are. The values that break implementations are written here.
 */
import fc from 'fast-check';
import protobuf from 'protobufjs';
import { packageRoot } from '../kit/spec/index.ts';
import type { InjectionPriority } from './messages.ts';

/** Any text that UTF-8 can encode, with texts that many implementations get wrong. */
export const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom('', '__proto__', '\uFFFD', '\uFEFFx', '\0', '\u2028', 'é'.repeat(100), '𝄞'),
);

/** Bytes in Base64, at least one. */
export const bytes: fc.Arbitrary<string> = fc
  .uint8Array({ minLength: 1, maxLength: 40 })
  .map((b) => Buffer.from(b).toString('base64'));

const int32 = fc
  .oneof(fc.integer(), fc.constantFrom(1, -1, 127, 128, 2147483647, -2147483648))
  .filter((n) => n !== 0);
const int64 = fc
  .oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    fc.constantFrom(2n ** 53n + 1n, -1n, 2n ** 63n - 1n),
  )
  .filter((n) => n !== 0n)
  .map(String);

/** Values of each scalar type, other than its default, which is not sent. */
const scalars: { readonly [type: string]: fc.Arbitrary<unknown> } = {
  string: text.filter((t) => t !== ''),
  bool: fc.constant(true),
  bytes,
  int32,
  int64,
};

/** A message in which any field can be absent. */
const fields = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }) =>
  fc.record<T, never>(model, { requiredKeys: [] });

const schema = new protobuf.Root();
schema.loadSync(`${packageRoot()}/spec/fold/coven.proto`, { keepCase: true });
schema.resolveAll();

/** A name of the enum other than the first, which is the default; or an unknown number. */
function enumOf({ values }: protobuf.Enum): fc.Arbitrary<unknown> {
  const names = Object.keys(values);
  return fc.oneof(fc.constantFrom(...names.slice(1)), fc.constantFrom(names.length, 99, -1, 2147483647));
}

function valueOf(field: protobuf.Field): fc.Arbitrary<unknown> {
  const { resolvedType } = field;
  if (resolvedType instanceof protobuf.Enum) return enumOf(resolvedType);
  if (resolvedType instanceof protobuf.Type) return messageOf(resolvedType);
  // A member of a oneof, an optional field and an item of a list may have the default value.
  if (field.type === 'string' && (field.partOf !== null || field.repeated)) return text;
  const scalar = scalars[field.type];
  if (scalar === undefined) throw new Error(`no values of the type ${field.type}`);
  return scalar;
}

function fieldOf(field: protobuf.Field): fc.Arbitrary<unknown> {
  if (field instanceof protobuf.MapField)
    return fc.dictionary(text, text, { minKeys: 1, maxKeys: 3, noNullPrototype: true });
  return field.repeated ? fc.array(valueOf(field), { minLength: 1, maxLength: 3 }) : valueOf(field);
}

/** A message of a type: some of its fields, and at most one member of each oneof. */
function messageOf(type: protobuf.Type): fc.Arbitrary<object> {
  const oneofs = type.oneofsArray.filter(({ isProto3Optional }) => !isProto3Optional);
  const inOneof = new Set(oneofs.flatMap(({ fieldsArray }) => fieldsArray));
  const free = type.fieldsArray.filter((field) => !inOneof.has(field));
  const rest = fields(Object.fromEntries(free.map((field) => [field.name, fieldOf(field)])));
  const chosen = oneofs.map(({ fieldsArray }) =>
    fc.oneof(fc.constant({}), ...fieldsArray.map((field) => fc.record({ [field.name]: fieldOf(field) }))),
  );
  return fc.tuple(rest, ...chosen).map((parts) => Object.assign({}, ...parts) as object);
}

/** Any message of a type, in canonical form. */
export const anyMessage = <M>(type: string): fc.Arbitrary<M> =>
  messageOf(schema.lookupType(type)) as fc.Arbitrary<M>;

/** A priority of an injection. */
export const priority = enumOf(schema.lookupEnum('InjectionPriority')) as fc.Arbitrary<
  InjectionPriority | number
>;
