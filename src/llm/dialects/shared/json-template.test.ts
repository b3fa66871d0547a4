/** The short way says what JSON.parse says, or nothing. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import { mutated } from '../../../kit/laws/index.ts';
import { anyText } from '../../arbitrary.ts';
import { JsonTemplate } from './json-template.ts';

const learned = (text: string, keys: readonly string[]): JsonTemplate => {
  const template = new JsonTemplate();
  template.learn(text, keys);
  return template;
};

/** The value with these strings behind these keys, wherever they stand. */
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

test('what it knows, JSON.parse says as well', () => {
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

test('it knows a text again that has no escapes, with any other such string', () => {
  const plain = anyText.filter((text) => JSON.stringify(text).length === text.length + 2);
  fc.assert(
    fc.property(plain, plain, (first, second) => {
      const of = (text: string): string => JSON.stringify({ type: 'delta', delta: { text }, index: 0 });
      expect(learned(of(first), ['text']).match(of(second))).toEqual(first === 'text' ? undefined : [second]);
    }),
  );
});

describe('nothing is learned', () => {
  test.each([
    ['a key that stands twice', '{"x":{"text":"a"},"text":"b"}', ['text']],
    ['a key that is a string elsewhere', '{"x":"text","text":"b"}', ['text']],
    ['a key whose value is no string', '{"text":1,"x":"b"}', ['text']],
    ['a key that is not there', '{"x":"b"}', ['text']],
    ['keys in another order', '{"text":"a","at":"b"}', ['at', 'text']],
    ['an escape anywhere', '{"x":"\\u0022text\\u0022","text":"b"}', ['text']],
    ['a text that is long', `{"x":"${'x'.repeat(3000)}","text":"b"}`, ['text']],
  ])('of %s', (_name, text, keys) => {
    expect(learned(text, keys).match(text)).toBeUndefined();
  });
});

test.each(['{"text":"a\tb"}', '{"text":"a\\nb"}', '{"text":"a"} ', '{"text":"a","x":1}', '{"text":"a', ''])(
  '%j is not known by {"text":"x"}',
  (text) => {
    expect(learned('{"text":"x"}', ['text']).match(text)).toBeUndefined();
  },
);

test('what was forgotten is not known', () => {
  const template = learned('{"text":"x"}', ['text']);
  template.forget();
  expect(template.match('{"text":"x"}')).toBeUndefined();
});
