/** The steps that change the value of a feed before it is cut ("Feed transformations"). No sentence here shows a value. */
import { exactJsonOf, exactText, isArray, isNumber, isObject, ok, refuse } from '../../kit/base/index.ts';
import type { Json, JsonObject, Result } from '../../kit/base/index.ts';
import { extentOf, refusalOf } from '../values/extent.ts';
import { referencesIn, substituteText, textOf } from '../values/variables.ts';
import { compared, lineOf, valueAt } from './path.ts';

/** What each step takes. */
export interface TransformArguments {
  /** A path, such as `load.cpu[0]`. */
  readonly pick: string;
  readonly keys: readonly string[];
  readonly first: number;
  readonly last: number;
  readonly keep: string;
  readonly drop: string;
  /** A path; the empty one is the item itself. */
  readonly sort: string;
  readonly unique: true;
  readonly count: true;
  readonly join: string;
  readonly lines: true;
  readonly parse: 'json';
  readonly replace: readonly [from: string, to: string];
  readonly format: string;
}

/** A step: an object with one key. */
export type TransformStep = {
  [N in keyof TransformArguments]: { readonly [K in N]: TransformArguments[N] };
}[keyof TransformArguments];

/** The most steps of a feed. */
export const mostTransformSteps = 16;

/** The new value, or why the step does not fit. */
type Changed = Result<Json, string>;

type Steps = {
  readonly [N in keyof TransformArguments]: (
    argument: TransformArguments[N],
    value: Json,
    most: number,
  ) => Changed;
};

const steps: Steps = {
  pick: (path, value) => {
    if (path !== '' && !isObject(value) && !isArray(value)) return misfit('an object or a list', value);
    const found = valueAt(value, path);
    return found === undefined ? refuse('expected a value at its path; there is none') : ok(found);
  },
  keys: (names, value) => {
    if (isObject(value)) return ok(withKeys(value, names));
    if (!isArray(value)) return misfit('an object or a list of objects', value);
    const other = value.find((item) => !isObject(item));
    if (other !== undefined) return misfit('a list of objects', other, 'an item that is ');
    return ok(value.map((item) => (isObject(item) ? withKeys(item, names) : item)));
  },
  first: (count, value) => ofItems(value, (items) => items.slice(0, count)),
  last: (count, value) => ofItems(value, (items) => items.slice(Math.max(0, items.length - count))),
  keep: (text, value) => ofItems(value, (items) => items.filter((item) => textOf(item).includes(text))),
  drop: (text, value) => ofItems(value, (items) => items.filter((item) => !textOf(item).includes(text))),
  sort: (path, value) => (isArray(value) ? sorted(value, path) : misfit('a list', value)),
  unique: (_, value) => ofItems(value, withoutRepeated),
  count: (_, value) => {
    if (isObject(value)) return ok(Object.keys(value).length);
    const items = itemsOf(value);
    return items === undefined ? misfit('a list, a text or an object', value) : ok(items.length);
  },
  join: (between, value, most) => {
    if (!isArray(value)) return misfit('a list', value);
    const texts = value.map(textOf);
    const length = texts.reduce((sum, text) => sum + text.length, between.length * (texts.length - 1));
    return length > most ? tooLong(most) : ok(texts.join(between));
  },
  lines: (_, value) => (typeof value === 'string' ? ok(linesOf(value)) : misfit('a text', value)),
  parse: (_, value) => (typeof value === 'string' ? parsed(value) : misfit('a text', value)),
  replace: ([from, to], value, most) => {
    if (typeof value !== 'string') return misfit('a text', value);
    const pieces = value.split(from);
    const length = value.length + (pieces.length - 1) * (to.length - from.length);
    return length > most ? tooLong(most) : ok(pieces.join(to));
  },
  format: (text, value, most) => {
    const put = textOf(value);
    const places = [...referencesIn(text)].filter(({ name }) => name === 'value').length;
    if (text.length + places * put.length > most) return tooLong(most);
    return ok(substituteText(text, (name) => (name === 'value' ? put : undefined)));
  },
};

/**
 * The value that the steps of a feed make of the value of its source. No value on the way has more than `most` characters
 * as compact JSON.
 *
 * @returns the new value, or a sentence with the number of the step that does not fit; it shows nothing of the value
 * @example
 * transformed([{ pick: 'load' }, { first: 1 }, { join: ', ' }], { load: ['0.5', '0.4'] }, 1000); // { ok: true, value: '0.5' }
 * transformed([{ lines: true }], 7, 1000); // { ok: false, error: 'step 1 of transform (lines): expected a text; came a number' }
 */
export function transformed(
  transform: readonly TransformStep[],
  value: Json,
  most: number,
): Result<Json, string> {
  let changed = value;
  for (const [i, step] of transform.entries()) {
    const [name = ''] = Object.keys(step);
    const next = applied(step, changed, most);
    if (!next.ok) return refuse(`step ${i + 1} of transform (${name}): ${next.error}`);
    changed = next.value;
  }
  return ok(changed);
}

function applied(step: TransformStep, value: Json, most: number): Changed {
  const next = stepOf(step)(value, most);
  if (!next.ok) return next;
  const refused = refusalOf(extentOf(next.value, most, new WeakMap()), 'its value', most);
  return refused === undefined ? next : refuse(refused);
}

/** What a step does. The type of its argument is that of its name: the schema, or the compiler, has seen to it. */
function stepOf(step: TransformStep): (value: Json, most: number) => Changed {
  const [[name, argument] = ['', undefined]] = Object.entries(step);
  const act = Object.hasOwn(steps, name) ? steps[name as keyof Steps] : undefined;
  if (act === undefined) return () => refuse('there is no such step');
  return (value, most) =>
    (act as (argument: unknown, value: Json, most: number) => Changed)(argument, value, most);
}

const misfit = (expected: string, value: Json, what = ''): Changed =>
  refuse(`expected ${expected}; came ${what}${kindOf(value)}`);

const tooLong = (most: number): Changed =>
  refuse(`expected its value to have at most ${most} characters; came more`);

const kinds: { readonly [type: string]: string } = {
  string: 'a text',
  number: 'a number',
  bigint: 'a number',
  boolean: 'true or false',
};

/** The kind of a value. The value itself may be a secret. */
function kindOf(value: Json): string {
  if (value === null) return 'null';
  if (isArray(value)) return 'a list';
  return kinds[typeof value] ?? 'an object';
}

/** The lines of a text. A line break at its end begins no further one. */
function linesOf(text: string): readonly string[] {
  const lines = text.split(lineOf);
  return lines.at(-1) === '' ? lines.slice(0, -1) : lines;
}

const itemsOf = (value: Json): readonly Json[] | undefined => {
  if (isArray(value)) return value;
  return typeof value === 'string' ? linesOf(value) : undefined;
};

/** Changes the items of a list, or the lines of a text, which stays a text. */
function ofItems(value: Json, change: (items: readonly Json[]) => readonly Json[]): Changed {
  const items = itemsOf(value);
  if (items === undefined) return misfit('a list or a text', value);
  const changed = change(items);
  return ok(typeof value === 'string' ? changed.map(textOf).join('\n') : changed);
}

const withKeys = (object: JsonObject, names: readonly string[]): JsonObject =>
  Object.fromEntries(
    names.flatMap((name) => {
      const member = Object.hasOwn(object, name) ? object[name] : undefined;
      return member === undefined ? [] : [[name, member] as const];
    }),
  );

function sorted(items: readonly Json[], path: string): Changed {
  const keyed = items.map((item) => ({ item, key: valueAt(item, path) }));
  const isAll = (is: (key: Json | undefined) => boolean): boolean => keyed.every(({ key }) => is(key));
  if (!isAll(isNumber) && !isAll((key) => typeof key === 'string'))
    return refuse('expected numbers alone, or texts alone, at its path of the items; came others');
  return ok(keyed.toSorted((a, b) => compared(a.key ?? null, b.key ?? null)).map(({ item }) => item));
}

function withoutRepeated(items: readonly Json[]): readonly Json[] {
  const known = new Set<string>();
  return items.filter((item) => {
    const text = exactText(inOrder(item));
    const isNew = !known.has(text);
    known.add(text);
    return isNew;
  });
}

/** Objects with the same members in another order are equal as JSON. */
function inOrder(value: Json): Json {
  if (isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([key, one]) => [key, inOrder(one)]));
}

function parsed(text: string): Changed {
  try {
    return ok(exactJsonOf(text));
  } catch {
    // The words of the reason show the text.
    return refuse('expected JSON; came another text');
  }
}
