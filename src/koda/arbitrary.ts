/**
 * Generators for Koda: events and commands in canonical form (as the codec decodes them), made from the tables of the
 * codec, and hostile texts, which are texts of messages with a few edits.
 */
import fc from 'fast-check';
import type { Json } from '../kit/base/index.ts';
import { encodeText } from './codec.ts';
import type { FieldType, RecordShape, SimpleType, Union } from './codec/shapes.ts';
import { loopActions, tables } from './codec/tables.ts';
import type { EngineCommand, EngineEvent, Integer, MessageKind, Messages } from './messages.ts';

/** Any text without lone surrogates, among them the texts that break implementations. */
const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  // The data of an image is a text in the table.
  fc.base64String({ maxLength: 12 }),
  fc.constantFrom(
    '',
    '__proto__',
    '\uFEFFx',
    '\0',
    '\u2028',
    '\u007F',
    '𝄞',
    '"',
    '\\',
    '\\ud800',
    'a\nb',
    '1e400',
  ),
);

const texts = fc.array(text, { maxLength: 3 });

/** An integer from `least` to `most`, in the form of messages: digits beyond 2^53 - 1. */
const integer = (least: bigint, most: bigint): fc.Arbitrary<Integer> =>
  fc
    .oneof(
      fc.bigInt({ min: least, max: most }),
      fc.integer({ min: 0, max: 5000 }).map(BigInt),
      fc.constantFrom(least, most, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n),
    )
    .map((n) => (Number.isSafeInteger(Number(n)) ? Number(n) : String(n)));

const usize = integer(0n, 2n ** 64n - 1n);
const i64 = integer(-(2n ** 63n), 2n ** 63n - 1n);
const u32 = fc.oneof(fc.integer({ min: 0, max: 2 ** 32 - 1 }), fc.constantFrom(0, 200, 2 ** 32 - 1));

/** A finite double. Its text may be spelled with an exponent. */
const float = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0),
  fc.integer({ min: 0, max: 1000 }),
  fc.constantFrom(5e-324, 1e21, 0.1, Number.MAX_SAFE_INTEGER),
);

const json = fc.jsonValue({ maxDepth: 3, stringUnit: 'binary' }) as fc.Arbitrary<Json>;

/** Any JSON, among it the names that break implementations. Its numbers are doubles that JSON.stringify writes exactly. */
const args: fc.Arbitrary<Json> = fc.oneof(
  json,
  fc.dictionary(fc.oneof(text, fc.constantFrom('constructor', 'toString', '0')), json, {
    noNullPrototype: true,
  }),
  json.map((value) => JSON.parse(`{"__proto__":${JSON.stringify(value)},"command":"ls"}`) as Json),
);

/** The values of each type of the tables, which say nothing of the values that break implementations. */
const simple: { readonly [T in SimpleType]: fc.Arbitrary<unknown> } = {
  string: text,
  strings: texts,
  bool: fc.boolean(),
  usize,
  u64: usize,
  u32,
  i64,
  f64: float,
  json: args,
  'loop-action': fc.constantFrom(...loopActions),
};

function valueOf(type: FieldType): fc.Arbitrary<unknown> {
  if (typeof type === 'string') return simple[type];
  if ('union' in type) return unionOf(type.union);
  if ('list' in type) return fc.array(record(membersOf(type.list)), { maxLength: 2 });
  return fc.option<unknown>(type.nullable === 'string' ? text : unionOf(type.nullable.union));
}

type Members = { readonly [name: string]: fc.Arbitrary<unknown> };

const membersOf = ({ fields }: RecordShape): Members =>
  Object.fromEntries(fields.map(({ name, type }) => [name, valueOf(type)]));

const record = <T extends object>(members: {
  readonly [K in keyof T]: fc.Arbitrary<T[K]>;
}): fc.Arbitrary<T> => fc.record(members, { noNullPrototype: true }) as fc.Arbitrary<T>;

/** The objects of each variant. `outer`: the members next to a union that lies flat in a variant. */
const recordsOf = ({ tagName, variants }: Union, outer: Members = {}): readonly fc.Arbitrary<object>[] =>
  variants.flatMap((variant) => {
    const members = { ...outer, [tagName]: fc.constant(variant.tag), ...membersOf(variant) };
    return variant.flat === undefined ? [record(members)] : recordsOf(variant.flat, members);
  });

const unionOf = (union: Union): fc.Arbitrary<object> => fc.oneof(...recordsOf(union));

/** Events of all 24 types, in canonical form. */
export const eventArbitrary = unionOf(tables.event) as fc.Arbitrary<EngineEvent>;

/** Commands of all 7 types and 10 slash commands, in canonical form. */
export const commandArbitrary = unionOf(tables.command) as fc.Arbitrary<EngineCommand>;

/** The messages of both kinds. */
export const messageArbitrary: { readonly [K in MessageKind]: fc.Arbitrary<Messages[K]> } = {
  event: eventArbitrary,
  command: commandArbitrary,
};

/** Tokens that change what a text means. */
const tokens: readonly string[] = [
  ', : " \\ { } [ ] {} [] null true "x" "type": "kind": "text":"", "__proto__":{"x":1},',
  '0 -0 -1 1.0 1e2 1e400 01 .5 4294967296 9007199254740993 18446744073709551616',
  '"\\ud800" "\\ud834\\udd1e" \ud800 \0 \uFEFF',
  '"complete" ["complete"] {"kind":0} "stop" {"stop":null} {"cmd":"help"}',
].flatMap((line) => ['', ' ', ...line.split(' ')]);

/** One edit of a text: what follows `at` loses `remove` tokens or characters, and gains `insert`. */
interface Edit {
  readonly by: 'token' | 'character';
  readonly at: number;
  readonly remove: number;
  readonly insert: string;
}

const edit: fc.Arbitrary<Edit> = record<Edit>({
  by: fc.constantFrom('token' as const, 'character' as const),
  at: fc.nat(0xffff),
  remove: fc.nat(3),
  insert: fc.oneof(
    fc.constantFrom(...tokens),
    json.map((value) => JSON.stringify(value)),
    text,
  ),
});

/** The texts of messages of this kind with up to three edits: tokens or characters are removed, inserted or repeated. */
export const hostileTextArbitrary = (kind: MessageKind): fc.Arbitrary<string> =>
  kind === 'event'
    ? hostile(eventArbitrary, (message) => encodeText('event', message))
    : hostile(commandArbitrary, (message) => encodeText('command', message));

const hostile = <M>(messages: fc.Arbitrary<M>, encode: (message: M) => string): fc.Arbitrary<string> =>
  fc
    .tuple(messages, fc.array(edit, { maxLength: 3 }))
    .map(([message, edits]) => edits.reduce(edited, encode(message)));

function edited(source: string, { by, at, remove, insert }: Edit): string {
  const parts = by === 'token' ? (source.match(/"(?:[^"\\]|\\.)*"|[-+.\w]+|[^]/g) ?? []) : Array.from(source);
  const start = at % (parts.length + 1);
  // An edit that changes nothing repeats the parts instead.
  const inserted = insert === '' && remove === 0 ? parts.slice(start, start + 2).join('') : insert;
  return parts.toSpliced(start, remove, inserted).join('');
}
