/** Reading bodies: the first fault is the refusal, and reading always continues. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import { nestedDeeper } from './arguments.ts';
import { BodyReader, present } from './body-reader.ts';

const reader = (): BodyReader =>
  new BodyReader({
    kinds: {
      string: 'no string',
      object: 'no object',
      array: 'no array',
      integer: 'no integer',
      boolean: 'no boolean',
    },
    problem: (expected, value) => (value === undefined ? 'missing' : expected),
    message: (path, problem) => `${path}: ${problem}`,
  });

/** The names of unknown fields that a reader has noted. */
const unknownOf = (body: BodyReader): readonly string[] => {
  const read = body.result({});
  return read.ok ? (read.value.unknown ?? []) : [];
};

const nested = (levels: number): Json => {
  let value: Json = {};
  for (let i = 1; i < levels; i++) value = i % 2 === 0 ? [value] : { a: value };
  return value;
};

test('the first fault counts, with its path and the dialect’s words', () => {
  const body = reader();
  expect(body.string('a', 'x')).toBe('a');
  expect(body.integer(undefined, 'limit')).toBe(0);
  expect(body.string(1, 'model')).toBe('');
  expect(body.refused).toEqual({
    path: 'limit',
    error: { type: 'invalid_request', status: 400, message: 'limit: missing' },
  });
});

test.each<[string, (body: BodyReader) => unknown]>([
  ['no string', (body) => body.string(null, 'x')],
  ['no object', (body) => body.object([], 'x')],
  ['no array', (body) => body.array({}, 'x')],
  ['no integer', (body) => body.integer(1.5, 'x')],
  ['no boolean', (body) => body.boolean('true', 'x')],
])('%s is refused', (problem, read) => {
  const body = reader();
  read(body);
  expect(body.refused?.error.message).toBe(`x: ${problem}`);
});

describe('an unknown field', () => {
  test('is noted once', () => {
    const body = reader();
    body.ignoreOthers({ a: 1, b: 2 }, new Set(['a']));
    body.ignore('b');
    expect(unknownOf(body)).toEqual(['b']);
  });

  test('is noted up to a bound', () => {
    const body = reader();
    for (let i = 0; i < 1000; i++) body.ignore(`${i}${'x'.repeat(1000)}`);
    expect(unknownOf(body).length).toBeLessThanOrEqual(50);
    expect(unknownOf(body)[0]?.length).toBeLessThanOrEqual(200);
  });
});

describe('nesting', () => {
  test('is counted in levels of objects and arrays', () => {
    expect(nestedDeeper('x', 0)).toBe(false);
    expect(nestedDeeper(nested(3), 3)).toBe(false);
    expect(nestedDeeper(nested(4), 3)).toBe(true);
  });

  test('of a body has a limit, also far beyond the limit of recursion', () => {
    const body = reader();
    expect(body.body(nested(512))).toBeInstanceOf(Object);
    expect(body.refused).toBeUndefined();
    body.body(nested(200_000));
    expect(body.refused?.error.message).toMatch(/512 levels/);
  });
});

test('null stands for absence', () => {
  expect([null, undefined, false, 0, ''].map(present)).toEqual([false, false, true, true, true]);
});
