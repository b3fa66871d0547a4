/** Random messages: any fields, in any order, among fields that the schema does not have. */
import type { Json } from '../../../src/kit/base/index.ts';
import type { RandomTests } from '../../../src/kit/testee/index.ts';
import type { Random } from '../../../src/kit/world/index.ts';
import { canonical, decodingTest } from './fields.ts';
import type { Sample } from './place.ts';
import type { Field, ProtoSchema } from './schema.ts';
import { base64Of } from './wire.ts';
import type { WireField, WireValue } from './wire.ts';

/** The roots, and how many messages of each: the most traffic is between agents and gateways. */
const messagesOf = (root: string): number =>
  root === 'AgentMessage' || root === 'ServerMessage' ? 16 : root === 'Empty' ? 0 : 2;

/** Random tests of a schema. */
export const randomMessages =
  (schema: ProtoSchema): RandomTests =>
  (seed, random) => ({
    'fold.decode': schema.roots.flatMap((root) =>
      Array.from({ length: messagesOf(root) }, (_, n) => {
        const { fields, json } = new RandomMessages(schema, random).message(root);
        const inOrder = n % 2 === 0;
        return decodingTest(
          {
            id: `random-${seed}-${root}-${n}`,
            comment: inOrder
              ? `any ${root}`
              : `any ${root}, its fields in any order, and fields that the schema does not have`,
            flags: inOrder ? [canonical] : [],
          },
          `${schema.package}.${root}`,
          { fields: inOrder ? fields : disordered(fields, random), json },
        );
      }),
    ),
  });

class RandomMessages {
  readonly #schema: ProtoSchema;
  readonly #random: Random;

  constructor(schema: ProtoSchema, random: Random) {
    this.#schema = schema;
    this.#random = random;
  }

  /** A message with some of its fields, in order of their numbers. The schema has no message within itself. */
  message(name: string): Sample {
    const fields: WireField[] = [];
    const json: Record<string, Json> = {};
    for (const field of this.#chosen(this.#schema.messages.get(name) ?? [])) {
      const { number, presence } = field;
      const values = Array.from({ length: presence === 'repeated' ? 1 + this.#random.below(3) : 1 }, () =>
        this.#value(field),
      );
      if (presence === 'map') {
        const keys = ['a', 'b', 'c'].slice(0, 1 + this.#random.below(3));
        const entries = keys.map((key) => [`${key}-${this.#random.below(100)}`, this.#text()] as const);
        for (const [key, value] of entries) {
          const entry: readonly WireField[] = [
            [1, key],
            [2, value],
          ];
          fields.push([number, entry]);
        }
        json[field.name] = Object.fromEntries(entries);
        continue;
      }
      for (const { wire } of values) fields.push([number, wire]);
      json[field.name] = presence === 'repeated' ? values.map((one) => one.json) : (values[0]?.json ?? null);
    }
    return { fields, json };
  }

  /** One member of each oneof, and some of the other fields. */
  #chosen(fields: readonly Field[]): readonly Field[] {
    const members = fields.filter(({ oneof }) => oneof !== undefined);
    const member = members[this.#random.below(members.length)];
    return fields.filter((field) =>
      field.oneof === undefined ? this.#random.below(3) > 0 : field === member,
    );
  }

  #value({ type, presence }: Field): { readonly wire: WireValue; readonly json: Json } {
    const random = this.#random;
    // Encoders leave out default values of fields without presence.
    const least = presence === 'implicit' ? 1 : 0;
    const values = [...(this.#schema.enums.get(type) ?? [])];
    if (values.length > 0) {
      const [name, number] = values[least + random.below(values.length - least)] ?? ['', 0];
      return { wire: number, json: name };
    }
    if (type === 'bool')
      return presence === 'implicit' ? { wire: true, json: true } : { wire: false, json: false };
    if (type === 'int32') return same(least + random.below(2 ** random.below(31)));
    if (type === 'int64') {
      const number = BigInt(least + random.below(2 ** 31)) * BigInt(1 + random.below(2 ** 21));
      return { wire: number, json: String(number) };
    }
    if (type === 'bytes') {
      const bytes = Uint8Array.from({ length: least + random.below(40) }, () => random.below(256));
      return { wire: bytes, json: base64Of(bytes) };
    }
    if (type === 'string') return same(least === 1 ? `x${this.#text()}` : this.#text());
    const { fields, json } = this.message(type);
    return { wire: fields, json };
  }

  #text(): string {
    const parts = ['', 'a', 'tool ', 'ü', '✓', '𝄞', '\n', '\u0000', '"', '{}', '\u2028', 'x'.repeat(70)];
    return Array.from(
      { length: this.#random.below(5) },
      () => parts[this.#random.below(parts.length)] ?? '',
    ).join('');
  }
}

const same = <T extends string | number>(value: T): { readonly wire: T; readonly json: T } => ({
  wire: value,
  json: value,
});

/** Fields in another order, in which those of one number keep theirs, and with unknown fields among them. */
function disordered(fields: readonly WireField[], random: Random): readonly WireField[] {
  const numbers = [...new Set(fields.map(([number]) => number))];
  const mixed: WireField[] = [];
  while (numbers.length > 0) {
    const [number] = numbers.splice(random.below(numbers.length), 1);
    if (random.below(3) === 0) mixed.push([1000 + random.below(1000), random.below(2) === 0 ? 7 : 'unknown']);
    mixed.push(...fields.filter(([own]) => own === number).map((field) => inside(field, random)));
  }
  return mixed;
}

const inside = ([number, value]: WireField, random: Random): WireField => [
  number,
  isFields(value) ? disordered(value, random) : value,
];

const isFields = (value: WireValue): value is readonly WireField[] => Array.isArray(value);
