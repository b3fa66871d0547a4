/** What the tables of messages are made of: unions with tags, records, fields and their types. */

/** The type of a field that is a scalar, a list of strings, the action of a loop decision, or any JSON. */
export type SimpleType =
  'string' | 'strings' | 'bool' | 'usize' | 'u64' | 'u32' | 'i64' | 'f64' | 'json' | 'loop-action';

export type FieldType =
  | SimpleType
  | { readonly union: Union }
  | { readonly nullable: 'string' | { readonly union: Union } }
  | { readonly list: RecordShape };

/** A field of a variant or record. */
export interface Field {
  readonly name: string;
  /** The name as canonical text has it: with a comma before it unless it is the first member, in quotes, with its colon. */
  readonly key: string;
  readonly type: FieldType;
  /** The meaning of an absent field; undefined for a required field (KODA-66). */
  readonly absent?: null | readonly never[];
}

/** An object without a tag. */
export interface RecordShape {
  readonly fields: readonly Field[];
  /** The place of each field in `fields`. */
  readonly places: ReadonlyMap<string, number>;
}

/** One kind of a union: its tag and its fields, or the union that lies flat in it. */
export interface Variant extends RecordShape {
  readonly tag: string;
  /** The union whose tag and fields are next to the tag of this variant. */
  readonly flat?: Union;
}

/** An object with a tag. */
export interface Union {
  readonly tagName: string;
  /** The name of the tag as canonical text has it, with its colon and the quote that opens the tag. */
  readonly tagKey: string;
  /** In the order of the Rust declaration: serde reads the number of a variant as its tag. */
  readonly variants: readonly Variant[];
  readonly byTag: ReadonlyMap<string, Variant>;
}

/** The fields of a variant or record by name; their order is the order of the text. */
export type Fields = { readonly [name: string]: FieldType | Omit<Field, 'name' | 'key'> };

/** Makes a union. */
export const union = (tagName: string, variants: readonly Variant[]): Union => ({
  tagName,
  tagKey: `"${tagName}":"`,
  variants,
  byTag: new Map(variants.map((variant) => [variant.tag, variant])),
});

/** Makes a record. */
export const record = (fields: Fields): RecordShape => shapeOf(fields, false);

/** Makes a variant. */
export const variant = (tag: string, fields: Fields = {}): Variant => ({ tag, ...shapeOf(fields, true) });

function shapeOf(fields: Fields, hasTag: boolean): RecordShape {
  const all = Object.entries(fields).map(([name, type], place) => ({
    name,
    key: `${hasTag || place > 0 ? ',' : ''}"${name}":`,
    ...(typeof type === 'object' && 'type' in type ? type : { type }),
  }));
  return { fields: all, places: new Map(all.map(({ name }, place) => [name, place])) };
}
