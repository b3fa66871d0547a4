/** Reads the words at a place of an answer, such as `choices[].finish_reason`. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import type { Place } from '../words/lists.ts';

/** A word in an answer. */
export interface Found {
  readonly kind: string;
  readonly word: string;
  /** The object that has the word, or whose member it names. */
  readonly holder: JsonObject;
  /** Whether the word names a unit, and its place in the order counts. */
  readonly order: boolean;
  /** The word that the members of its holder depend on; undefined where they depend on none. */
  readonly shape: string | undefined;
}

/** Reads the words of a value at one place. */
export type ReadPlace = (value: Json) => readonly Found[];

/** A step of a path. */
interface Step {
  readonly name: string;
  /** Whether the value is an array, and each element counts. */
  readonly each: boolean;
}

/** Members whose word says which other members an object has. */
const shaping: ReadonlySet<string> = new Set(['type', 'object']);

/**
 * The reader of a place.
 *
 * @example
 * readerOf({ kind: 'stop', at: 'choices[].finish_reason' })({ choices: [{ finish_reason: 'stop' }] })[0]?.word; // 'stop'
 */
export function readerOf(place: Place): ReadPlace {
  const named = place.at.endsWith('{}');
  const steps = place.at
    .replace('{}', '')
    .split('.')
    .filter((name) => name !== '')
    .map((name) => ({ name: name.replace('[]', ''), each: name.endsWith('[]') }));
  const last = named ? undefined : steps.pop()?.name;
  return (value) =>
    objectsAt(value, steps).flatMap((holder) =>
      last === undefined ? membersOf(holder, place) : wordsOf(holder, last, place),
    );
}

/** The objects at the end of a path. */
function objectsAt(value: Json | undefined, steps: readonly Step[]): readonly JsonObject[] {
  const [step, ...rest] = steps;
  if (step === undefined) return isObject(value) ? [value] : [];
  if (!isObject(value)) return [];
  const inner = value[step.name];
  if (!step.each) return objectsAt(inner, rest);
  return isArray(inner) ? inner.flatMap((one) => objectsAt(one, rest)) : [];
}

function wordsOf(holder: JsonObject, name: string, { kind, order = false }: Place): readonly Found[] {
  const word = holder[name];
  if (typeof word !== 'string') return [];
  return [{ kind, word, holder, order, shape: shaping.has(name) ? word : undefined }];
}

function membersOf(holder: JsonObject, { kind, order = false }: Place): readonly Found[] {
  return Object.entries(holder).flatMap(([word, value]) => {
    const member = { kind, word, holder, order: order && !isEmpty(value), shape: '' };
    if (!isObject(value)) return [member];
    const inner = Object.keys(value).map((name) => ({ ...member, word: `${word}.${name}`, order: false }));
    return [member, ...inner];
  });
}

/** Whether a member says nothing: the order of what says nothing is no order. */
const isEmpty = (value: Json): boolean =>
  value === null || value === '' || (isArray(value) && value.length === 0);
