/** Paths into values: `.key` and `[0]`. */
import { isArray, isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';

/** A step of a path: a key of an object, or the position of an item. */
export type PathStep = string | number;

const steps = /\.([A-Za-z0-9_-]+)|\[(\d+)\]/g;

/** The steps of a path such as `.load[0]`. */
export const stepsOf = (path: string): readonly PathStep[] =>
  [...path.matchAll(steps)].map(([, key, position]) => key ?? Number(position));

/** The part of a value at a path; undefined: it has none. */
export function partAt(value: Json | undefined, path: readonly PathStep[]): Json | undefined {
  let part = value;
  for (const step of path) {
    if (typeof step === 'number') part = isArray(part) ? part[step] : undefined;
    else part = isObject(part) && Object.hasOwn(part, step) ? part[step] : undefined;
  }
  return part;
}
