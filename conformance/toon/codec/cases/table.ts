/** Functions that make random tests. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Vector } from '../../../../src/kit/spec/index.ts';

type Columns = Pick<Vector, 'id' | 'comment' | 'flags' | 'requirements'>;

/** The common members of a test. `row`: the number of the row that a wrong answer violates. */
const columns = (id: string, comment: string, row: number): Columns => ({
  id,
  comment,
  flags: [],
  requirements: [`TOON-${String(row).padStart(2, '0')}`],
});

/** A test whose input must be accepted, with the expected facts of the answer. */
export const valid = (
  id: string,
  comment: string,
  row: number,
  input: JsonObject,
  expect: JsonObject,
): Vector => ({ ...columns(id, comment, row), ...input, result: 'valid', expect });

/** A test whose input must be refused. */
export const invalid = (
  id: string,
  comment: string,
  row: number,
  input: JsonObject,
  error: string,
): Vector => ({ ...columns(id, comment, row), ...input, result: 'invalid', error });

/** Makes `count` tests, numbered from 1. */
export const many = <T>(count: number, make: (n: number) => T): readonly T[] =>
  Array.from({ length: count }, (_, i) => make(i + 1));

/** The input of `toon.encode`. */
export const sending = (type: string, payload: Json, more: JsonObject = {}): JsonObject => ({
  type,
  payload,
  sequenceId: 1,
  timestamp: '1700000000000',
  compress: true,
  ...more,
});
