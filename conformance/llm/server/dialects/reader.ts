/** What a dialect's reader is: it reads the units of one answer into its answer, and facts what its dialect demands. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Answer } from '../answer.ts';

/** Reads one answer. */
export interface Reader {
  /** Takes a unit's data, and its event's name in SSE. */
  unit(data: unknown, event: string | undefined): void;
  /** Takes an answer that is no stream, and no error. */
  whole(data: JsonObject): void;
  /** A unit came that cannot be read. */
  garbled?(): void;
}

/** Makes a reader of an answer. */
export type MakeReader = (answer: Answer) => Reader;

/** Whether an error is in the dialect's form: what is wrong; undefined: nothing. */
export type ErrorForm = (data: unknown) => string | undefined;

/** A member of an object; undefined of what is none. */
export const at = (value: unknown, ...path: readonly string[]): unknown => {
  let found = value;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return found;
};

/** The items of an array; none of what is none. */
export const items = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? (value as readonly unknown[]) : [];

/** Whether a value is there: null stands for its absence. */
export const there = (value: unknown): boolean => value !== undefined && value !== null;
