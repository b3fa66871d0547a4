/** Where a message is on the wire: the methods' messages travel by themselves, all others inside one of them. */
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import type { Field, ProtoSchema } from './schema.ts';
import type { WireField, WireValue } from './wire.ts';

/** A message as fields on the wire, and as JSON. */
export interface Sample {
  readonly fields: readonly WireField[];
  readonly json: JsonObject;
}

/** A root, and the fields that lead from it to a message. */
export interface Place {
  readonly root: string;
  readonly path: readonly Field[];
}

/** The shortest way to each message. */
export function placesOf({ messages, roots }: ProtoSchema): ReadonlyMap<string, Place> {
  const places = new Map<string, Place>(roots.map((root) => [root, { root, path: [] }]));
  for (const [name, { root, path }] of places)
    for (const field of messages.get(name) ?? [])
      if (messages.has(field.type) && !places.has(field.type))
        places.set(field.type, { root, path: [...path, field] });
  return places;
}

/** A message inside the root of its place. */
export const placed = ({ path }: Place, sample: Sample): Sample =>
  path.reduceRight<Sample>(
    (inner, { name, number, presence }) => ({
      fields: [[number, inner.fields]],
      json: { [name]: presence === 'repeated' ? [inner.json] : inner.json },
    }),
    sample,
  );

/** A field with one value. An entry of a map has the key `key`. */
export const fieldSample = ({ name, number, presence }: Field, value: WireValue, json: Json): Sample => {
  if (presence === 'map') {
    const entry: readonly WireField[] = [
      [1, 'key'],
      [2, value],
    ];
    return { fields: [[number, entry]], json: { [name]: { key: json } } };
  }
  return { fields: [[number, value]], json: { [name]: presence === 'repeated' ? [json] : json } };
};
