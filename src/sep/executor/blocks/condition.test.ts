/** Conditions: spec/sep/README.md, "Blocks". Each row cites a form of the table there. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import { Comparison } from './compare.ts';
import { conditionOf, isTrue, listOf } from './condition.ts';

const values: { readonly [name: string]: Json } = {
  n: 5,
  zero: 0,
  text: 'abc',
  empty: '',
  list: [1, { a: [2] }, 'x'],
  none: [],
  object: { key: [{ 'a-b': 7 }], no: null },
  nothing: {},
  nil: null,
  yes: true,
};

/** The truth of a condition, and the names that had no value. */
function look(text: string): { readonly value: boolean; readonly missing: readonly string[] } {
  const found = conditionOf(text);
  if ('fault' in found) throw new Error(found.fault);
  const missing: string[] = [];
  const value = isTrue(found.read, {
    lookup: (name) => (Object.hasOwn(values, name) ? values[name] : undefined),
    missing: (name) => void missing.push(name),
    comparison: new Comparison(),
  });
  return { value, missing };
}

const hold = [
  ...['$n', '$text', '$list', '$object', '$yes', "'false'", '[0]', '{"a": null}', '-1'],
  ...['$object.key[0].a-b == 7', '$list[1].a[0] == 2', '$list[1] == {"a": [2.0]}', "$text == 'abc'"],
  ...['$n != 4', "$n != '5'", '$nil == null', '$nothing == {}', "{'a': 1, 'b': 2} == {'b': 2, 'a': 1}"],
  ...['$n > 4', '$n >= 5', '$n < 5.5', '$n <= 5', "$text < 'b'", "$text > 'abB'", "'abc' >= $text"],
  ...["'x' in $list", '{"a": [2]} in $list', "'bc' in $text", "'' in $text", "'key' in $object"],
  ...['defined $nil', 'defined $object.no', 'not defined $object.other', 'not defined $unknown'],
  ...['not $zero', 'not not $n', '$zero or $n', '$n and $text', '($zero or $n) and $yes', 'not $zero and $n'],
  ...['$n or $zero and $zero', 'not ($n and $zero)', String.raw`'it\'s "so"' == "it's \"so\""`],
];

const fail = [
  ...[
    '$zero',
    '$empty',
    '$none',
    '$nothing',
    '$nil',
    'false',
    'null',
    '0',
    "''",
    '[]',
    '{}',
    '$object.other',
  ],
  ...['$list[9]', '$text[0]', '$list.length', '$object.constructor', '$text.length', '$list[1][0]'],
  ...["$n == '5'", '$nil == false', '$zero == $nil', '$none == $nothing', '$list == [1]', '$n < $text'],
  ...[
    '$list < $list',
    '$nil <= $nil',
    '$yes >= $yes',
    "'z' in $list",
    "'no-key' in $object",
    '5 in $n',
    '1 in $text',
  ],
  ...['$unknown == $unknown', '$unknown != 1', '$n != $object.other', "'constructor' in $object"],
  ...['($zero or $n) and $zero', 'not $n or $zero', '$zero and $unknown'],
];

describe('a condition', () => {
  it.each(hold)('%s is true', (text) => expect(look(text).value).toBe(true));
  it.each(fail)('%s is false', (text) => expect(look(text).value).toBe(false));

  it('tells of names without a value, but not in defined, and not of what is not read', () => {
    expect(look('$unknown or $other.key == 1').missing).toEqual(['unknown', 'other']);
    expect(look('defined $unknown').missing).toEqual([]);
    expect(look('defined $unknown and $unknown > 5').missing).toEqual([]);
    expect(look('$object.other').missing).toEqual([]);
  });

  it.each([
    ...[
      '',
      ' ',
      '$',
      '$$n',
      '$n =',
      '$n = 5',
      '$n == ',
      '== 5',
      '$n 5',
      '5 6',
      '(',
      '($n',
      '$n)',
      '()',
      'not',
      '$n and',
    ],
    ...[
      'and $n',
      'defined 5',
      'defined',
      '$n == 5 == 5',
      '($n) == 5',
      '$n.',
      '$n[',
      '$n[a]',
      '$n[-1]',
      '$5',
      'n',
      'True',
    ],
    ...[
      "'open",
      '"a" + "b"',
      '$n && $n',
      '!$n',
      '1e999',
      '01',
      '[1,]',
      '[1 2]',
      '{1: 2}',
      '{a: 1}',
      '[$n]',
      '$n eq 5',
    ],
    ...["'a\nb'", String.raw`'\x'`, 'notdefined $n', 'len($n)', '$n; $n'],
  ])('%j is none', (text) => expect(conditionOf(text)).toHaveProperty('fault'));

  it('has at most 1,000 characters and 32 levels', () => {
    expect(conditionOf(`$n${' '.repeat(998)}`)).toHaveProperty('read');
    expect(conditionOf(`$n${' '.repeat(999)}`)).toMatchObject({
      fault: expect.stringContaining('at most 1000'),
    });
    for (const [open, inner, close] of [
      ['(', '$n', ')'],
      ['[', '1', ']'],
      ['not ', '$n', ''],
    ] as const) {
      const nested = (levels: number): string => open.repeat(levels) + inner + close.repeat(levels);
      expect(conditionOf(nested(32))).toHaveProperty('read');
      expect(conditionOf(nested(33))).toMatchObject({ fault: expect.stringContaining('at most 32 levels') });
    }
  });

  it('of any text is read or refused', () => {
    const token = fc.constantFrom(
      '$n',
      '(',
      ')',
      'not ',
      ' and ',
      ' or ',
      '==',
      '<',
      '[',
      ']',
      '{',
      '}',
      ':',
      ',',
      '5',
      "'a'",
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(token, fc.string({ maxLength: 3 })), { maxLength: 12 }), (all) => {
        const found = conditionOf(all.join(''));
        if ('read' in found) look(all.join(''));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the list of a loop', () => {
  it.each(['$a', ' $a.b[0] ', '[]', '[1, [2]]', '[\'x\', "y"]', '["$a"]'])('%s is one', (text) =>
    expect(listOf(text)).toHaveProperty('read'),
  );
  it.each(['', '5', '{}', "'text'", '$a, $b', '[1', '$a == 1', 'not $a', '[$a]'])('%j is none', (text) =>
    expect(listOf(text)).toHaveProperty('fault'),
  );
});

describe('a comparison', () => {
  const shuffled = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(shuffled);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, one]) => [key, shuffled(one)]),
    );
  };
  const json = fc.jsonValue() as fc.Arbitrary<Json>;

  it('finds values equal that are equal as JSON, in any order of their keys', () => {
    fc.assert(
      fc.property(json, json, (a, b) => {
        expect(new Comparison().equal(a, shuffled(a))).toBe(true);
        const canonical = (value: Json): string =>
          JSON.stringify(value, (_, one: Json) =>
            typeof one === 'object' && one !== null && !Array.isArray(one)
              ? Object.fromEntries(Object.entries(one).toSorted(([x], [y]) => (x < y ? -1 : 1)))
              : one,
          );
        expect(new Comparison().equal(a, b)).toBe(canonical(a) === canonical(b));
      }),
    );
  });

  it('orders texts by their code points', () => {
    const compared = new Comparison();
    const unusual = fc.string({
      unit: fc.constantFrom('a', 'é', '\ud7ff', '\ue000', '～', '𝒙', '😀'),
      maxLength: 4,
    });
    // U+FF5E comes before U+1D465, whose first unit is D835.
    expect(compared.order('～', '𝒙')).toBeLessThan(0);
    fc.assert(
      fc.property(unusual, unusual, (a, b) => {
        const [one, other] = [a, b].map((text) => Array.from(text, (char) => char.codePointAt(0) ?? 0)) as [
          number[],
          number[],
        ];
        const at = one.findIndex((code, i) => code !== other[i]);
        const expected = at < 0 ? one.length - other.length : (one[at] ?? 0) - (other[at] ?? -1);
        expect(Math.sign(compared.order(a, b) ?? 0)).toBe(Math.sign(expected));
      }),
    );
  });

  it('finds a long text in another one as the engine does', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 40 });
    fc.assert(
      fc.property(text, text, fc.nat(30), (part, rest, times) => {
        const whole = `${rest}${part.repeat(times)}${rest}`;
        const long = part.repeat(Math.max(1, times - 1)) + rest;
        expect(new Comparison().has(whole, long)).toBe(whole.includes(long));
      }),
    );
  });

  it('of deep and of hostile values takes a time that is linear in them', () => {
    const deep = (levels: number): Json => {
      let value: Json = 1;
      for (let i = 0; i < levels; i++) value = [value];
      return value;
    };
    expect(new Comparison().equal(deep(100_000), deep(100_000))).toBe(true);
    // The search of the engine takes minutes for these.
    const half = 'a'.repeat(20_000);
    expect(new Comparison().has('a'.repeat(4_000_000), `${half}b${half}`)).toBe(false);
  });

  it('ends after a number of steps, and says so', () => {
    const list = Array.from({ length: 100 }, () => 0);
    const short = new Comparison(150);
    expect(short.equal(list, [...list])).toBe(true);
    expect(short.isSpent).toBe(false);
    expect(short.equal(list, [...list])).toBe(false);
    expect(short.isSpent).toBe(true);
  });
});
