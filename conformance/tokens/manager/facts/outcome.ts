/** What a fact can say of an answer, and the words for what is wrong. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Outcome } from '../../../testee-rules.ts';
import { shown } from '../../../toon/codec/judge-json.ts';

/** Judges an answer's `ok` by what it must be; the request is that of the answer. */
export type Fact = (wanted: Json, ok: JsonObject, request: JsonObject) => Outcome;

/** Facts by the names that tests give them. */
export type Facts = { readonly [name: string]: Fact };

/** Something else was expected. */
export const wrong = (expected: string, came: string): Outcome => ({
  wrong: `expected ${expected}; came ${came}`,
});

/** Holds where nothing is wrong. */
export const unless = (what: string | undefined): Outcome => (what === undefined ? 'holds' : { wrong: what });

/** The value under a name is the one wanted. */
export const same = (name: string, wanted: Json, came: unknown): Outcome =>
  wanted === came ? 'holds' : wrong(`${name} ${shown(wanted)}`, shown(came));

/** A text; anything else is none. */
export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** The objects of an array; none where it is no array. */
export const objectsIn = (value: unknown): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter((one): one is JsonObject => isObject(one)) : [];

/** The texts of an array; none where it is no array. */
export const textsIn = (value: unknown): readonly string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

/** Ids as a person reads them. */
export const listed = (ids: readonly string[]): string =>
  ids.length === 0 ? 'none' : shown(ids.slice(0, 12).join(', '));
