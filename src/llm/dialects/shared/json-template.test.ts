/** A template returns the strings of JSON.parse, or undefined. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import { mutated } from '../../../kit/laws/index.ts';
import { anyText } from '../../arbitrary/answer.ts';
import { JsonTemplate } from './json-template.ts';

const learned = (text: string, keys: readonly string[]): JsonTemplate => {
  const template = new JsonTemplate();
  template.learn(text, keys);
  return template;
};

/** The value with these strings under these keys, at any place. */
function withStrings(value: Json, strings: ReadonlyMap<string, string>): unknown {
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) =>
    typeof inner === 'string' ? (strings.get(key) ?? inner) : inner,
  );
}

const event = fc.record({
  type: fc.constantFrom('a', 'text', 'content'),
  index: fc.nat(3),
  at: anyText,
  delta: fc.record({ text: anyText, other: fc.constantFrom('text', 'x', '"text":"y"') }),
});

test('a match equals the result of JSON.parse', () => {
  const bytes = fc.tuple(event, anyText).map(([value, text]) => {
    const changed = { ...value, delta: { ...value.delta, text } };
    return Buffer.from(JSON.stringify(changed));
  });
  fc.assert(
    fc.property(event, fc.oneof(bytes, mutated(bytes)), (value, raw) => {
      const text = Buffer.from(raw).toString();
      const values = learned(JSON.stringify(value), ['at', 'text']).match(text);
      if (values === undefined) return;
      const [at = '', inner = ''] = values;
      expect(JSON.parse(text)).toEqual(
        withStrings(
          value,
          new Map([
            ['at', at],
            ['text', inner],
          ]),
        ),
      );
    }),
    { numRuns: 3000 },
  );
});

test('it matches the text with any other string without escapes', () => {
  const plain = anyText.filter((text) => JSON.stringify(text).length === text.length + 2);
  fc.assert(
    fc.property(plain, plain, (first, second) => {
      const of = (text: string): string => JSON.stringify({ type: 'delta', delta: { text }, index: 0 });
      expect(learned(of(first), ['text']).match(of(second))).toEqual(first === 'text' ? undefined : [second]);
    }),
  );
});

describe('a text that cannot be learned', () => {
  test.each([
    ['a key that occurs twice', '{"x":{"text":"a"},"text":"b"}', ['text']],
    ['a key that also occurs as a string', '{"x":"text","text":"b"}', ['text']],
    ['a key whose value is not a string', '{"text":1,"x":"b"}', ['text']],
    ['a missing key', '{"x":"b"}', ['text']],
    ['keys in another order', '{"text":"a","at":"b"}', ['at', 'text']],
    ['an escape anywhere', '{"x":"\\u0022text\\u0022","text":"b"}', ['text']],
    ['a long text', `{"x":"${'x'.repeat(3000)}","text":"b"}`, ['text']],
  ])('of %s', (_name, text, keys) => {
    expect(learned(text, keys).match(text)).toBeUndefined();
  });
});

test.each(['{"text":"a\tb"}', '{"text":"a\\nb"}', '{"text":"a"} ', '{"text":"a","x":1}', '{"text":"a', ''])(
  '%j does not match {"text":"x"}',
  (text) => {
    expect(learned('{"text":"x"}', ['text']).match(text)).toBeUndefined();
  },
);

test('a forgotten text does not match', () => {
  const template = learned('{"text":"x"}', ['text']);
  template.forget();
  expect(template.match('{"text":"x"}')).toBeUndefined();
});
