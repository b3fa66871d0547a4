/** The reader of a dialect. It reads the units of an answer, and adds facts about the dialect's requirements. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Answer } from '../answer.ts';

/** Reads one answer. */
export interface Reader {
  /** Reads a unit: its data, the name of its SSE event, and the id of that event. */
  unit(data: unknown, event: string | undefined, id?: string): void;
  /** Reads an answer without a stream that is not an error. */
  whole(data: JsonObject): void;
  /** Takes note of the orderly end of a body without its last terminal. */
  bodyEnded?(): void;
  /** Takes note of the orderly end of any stream, after {@link Reader.bodyEnded}. */
  streamEnded?(): void;
  /** Takes note of a refusal instead of an answer. */
  refused?(status: number, body: unknown): void;
  /** Takes note of a unit that cannot be read. */
  garbled?(): void;
}

export type MakeReader = (answer: Answer) => Reader;

/** Checks the form of a dialect's error. @returns the fault, or undefined */
export type ErrorForm = (data: unknown) => string | undefined;

/** A member of an object. Undefined for other values. */
export const at = (value: unknown, ...path: readonly string[]): unknown => {
  let found = value;
  for (const name of path) found = isObject(found) ? found[name] : undefined;
  return found;
};

/** The items of an array. Empty for other values. */
export const items = (value: unknown): readonly unknown[] => (isArray(value) ? value : []);

/** Whether a value is present. Null counts as absent. */
export const isPresent = (value: unknown): boolean => value !== undefined && value !== null;
