/** Tests of every message, field, enum value and presence of the schema. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { Vector } from '../../../src/kit/spec/index.ts';
import { fieldSample, placed, placesOf } from './place.ts';
import type { Place, Sample } from './place.ts';
import type { Field, ProtoSchema } from './schema.ts';
import { defaultOf, edges, ordinary } from './values.ts';
import type { Value } from './values.ts';
import { hexOf, written } from './wire.ts';

/** The flag of bytes that encoders write, too. */
export const canonical = 'canonical';

/** A test of decoding bytes to JSON. */
export const decodingTest = (
  {
    id,
    comment,
    flags = [],
  }: { readonly id: string; readonly comment: string; readonly flags?: readonly string[] },
  type: string,
  { fields, json }: Sample,
): Vector => ({
  id,
  comment,
  flags,
  requirements: [],
  result: 'valid',
  type,
  hex: hexOf(written(fields)),
  expect: { json },
});

export function fieldTests(schema: ProtoSchema): readonly Vector[] {
  const places = placesOf(schema);
  return [...schema.messages].flatMap(([message, fields]) => {
    const place = places.get(message);
    if (place === undefined) throw new Error(`${message} never travels`);
    const test: MakeTest = (id, comment, sample, isCanonical = true) =>
      decodingTest(
        { id: `field-${message}.${id}`, comment, flags: isCanonical ? [canonical] : [] },
        `${schema.package}.${place.root}`,
        placed(place, sample),
      );
    return [
      test('none', `${message} without a field${where(place)}`, { fields: [], json: {} }),
      ...allTests(schema, message, fields, test),
      ...fields.flatMap((field) => testsOf(schema, message, field, test)),
    ];
  });
}

type MakeTest = (id: string, comment: string, sample: Sample, isCanonical?: boolean) => Vector;

const where = ({ root, path }: Place): string =>
  path.length === 0 ? '' : ` at ${[root, ...path.map(({ name }) => name)].join('.')}`;

/** All fields at once, one member of each oneof, in order of their numbers. */
function allTests(
  schema: ProtoSchema,
  message: string,
  fields: readonly Field[],
  test: MakeTest,
): readonly Vector[] {
  const oneofs = new Set<string>();
  const all = fields
    .filter(({ oneof }) => oneof === undefined || (!oneofs.has(oneof) && oneofs.add(oneof)))
    .map((field) => sampleOf(field, ordinary(schema, field)));
  return all.length < 2 ? [] : [test('all', `${message} with every field`, merged(all))];
}

const sampleOf = (field: Field, { wire, json }: Value): Sample => fieldSample(field, wire, json);

const merged = (samples: readonly Sample[]): Sample => ({
  fields: samples.flatMap(({ fields }) => fields),
  json: Object.assign({}, ...samples.map(({ json }) => json)) as JsonObject,
});

function testsOf(schema: ProtoSchema, message: string, field: Field, test: MakeTest): readonly Vector[] {
  const { name, number, type, presence } = field;
  const title = `${message}.${name} (${type} = ${number})`;
  const usual = ordinary(schema, field);
  const least = defaultOf(schema, type);
  const written = sampleOf(field, least);
  return [
    test(name, `${title}: ${usual.text}`, sampleOf(field, usual)),
    presence === 'implicit'
      ? test(
          `${name}.default`,
          `${title}: the default value on the wire is as good as none`,
          { ...written, json: {} },
          false,
        )
      : test(`${name}.default`, `${title}: the default value is there`, written),
    ...edges(schema, type).map((value) =>
      test(`${name}.${value.id}`, `${title}: ${value.text}`, sampleOf(field, value)),
    ),
    ...(presence === 'repeated'
      ? [test(`${name}.many`, `${title}: three, in their order`, many(field, usual, least))]
      : []),
  ];
}

const many = ({ name, number }: Field, usual: Value, least: Value): Sample => {
  const values = [usual, least, usual];
  return {
    fields: values.map(({ wire }) => [number, wire]),
    json: { [name]: values.map(({ json }) => json) },
  };
};
