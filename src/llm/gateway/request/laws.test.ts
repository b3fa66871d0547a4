/** The laws of reading and writing full requests, in each dialect and across two. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { exactJsonOf, exactText, isArray, isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { anyFullRequest } from '../../arbitrary/full-request.ts';
import { dialectOf } from '../../dialects/index.ts';
import { arrived } from './arrived.test-helper.ts';
import { readFullRequest, writeFullRequest } from './index.ts';
import type { GatewayDialect } from './request.ts';

const dialects: readonly GatewayDialect[] = ['anthropic', 'openai-chat', 'openai-responses', 'ollama'];

/** Over the wire: the text of a body, parsed. */
const wired = (body: Json): Json => exactJsonOf(exactText(body));

describe.each(dialects)('%s', (dialect) => {
  test('a request that it can say is read as it was written, and nothing is lost', () => {
    fc.assert(
      fc.property(anyFullRequest(dialect), (request) => {
        const { body, lost, names } = writeFullRequest(dialect, request);
        expect(readFullRequest(dialect, wired(body))).toEqual(request);
        expect(lost).toEqual([]);
        expect(names.size).toBe(0);
      }),
    );
  });

  test('any JSON is read, and can be written in every dialect', () => {
    fc.assert(
      fc.property(fc.oneof(fc.jsonValue().map(asJson), anyOddBody(dialect)), (body) => {
        const request = readFullRequest(dialect, body);
        for (const other of dialects) exactText(writeFullRequest(other, request).body);
      }),
    );
  });

  test('an odd body that was written is written again as it is', () => {
    fc.assert(
      fc.property(anyOddBody(dialect), (odd) => {
        const { body } = writeFullRequest(dialect, readFullRequest(dialect, odd));
        expect(writeFullRequest(dialect, readFullRequest(dialect, body)).body).toEqual(body);
      }),
    );
  });
});

const pairs = dialects.flatMap((from) =>
  dialects.filter((to) => to !== from).map((to) => [from, to] as const),
);

describe.each(pairs)('%s to %s', (from, to) => {
  test('what is read in the other dialect is the request, but for what is lost', () => {
    fc.assert(
      fc.property(anyFullRequest(from), (request) => {
        const written = writeFullRequest(to, request);
        const read = readFullRequest(to, wired(written.body));
        expect(arrived(read, to)).toEqual(arrived(request, to, written.lost));
      }),
    );
  });

  test('the simulated provider takes it, which refuses what providers refuse (LLM-G54)', () => {
    fc.assert(
      fc.property(anyFullRequest(from), (request) => {
        const { body, headers, path } = writeFullRequest(to, request);
        const taken = dialectOf[to].readRequest(wired(body), headers, path);
        expect(taken.ok ? undefined : taken.error).toBeUndefined();
      }),
    );
  });

  test('a body that was written is written again as it is', () => {
    fc.assert(
      fc.property(anyFullRequest(from), (request) => {
        const { body } = writeFullRequest(to, request);
        expect(writeFullRequest(to, readFullRequest(to, wired(body))).body).toEqual(body);
      }),
    );
  });
});

const asJson = (value: unknown): Json => exactJsonOf(JSON.stringify(value));

/** A body in which one value, at any depth, is another JSON value. */
const anyOddBody = (dialect: GatewayDialect): fc.Arbitrary<Json> =>
  fc
    .tuple(anyFullRequest(dialect), fc.jsonValue({ maxDepth: 2 }), fc.infiniteStream(fc.nat({ max: 1000 })))
    .map(([request, value, turns]) =>
      replaced(writeFullRequest(dialect, request).body, asJson(value), turns),
    );

/** Goes down into a value by these numbers, and replaces what is there. */
function replaced(value: Json, by: Json, turns: Iterator<number>): Json {
  const { value: turn } = turns.next() as { value: number };
  const keys = isArray(value) ? [...value.keys()].map(String) : isObject(value) ? Object.keys(value) : [];
  const key = keys[turn % (keys.length + (keys.length > 0 ? 0 : 1))];
  if (key === undefined || turn % 7 === 0) return by;
  const inner = (at: string, one: Json): Json => (at === key ? replaced(one, by, turns) : one);
  if (isArray(value)) return value.map((one, i) => inner(String(i), one));
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([at, one]) => [at, inner(at, one)]))
    : by;
}
