/** JSON with one form only, and where its parts stand. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../base/index.ts';
import { canonicalJson, placeAt, placeInJson, placesInJson } from './canonical-json.ts';

describe('canonical JSON', () => {
  it('has its keys in the order of their UTF-16 code units (RFC 8785, 3.2.3)', () => {
    const keys = ['\u20ac', '\r', '\ufb33', '1', '\u{1f600}', '\u0080', '\u00f6'];
    const text = canonicalJson(Object.fromEntries(keys.map((key) => [key, 0])));
    const order = [...text.matchAll(/^ {2}("[^"]*")/gm)].map(([, key = '']) => JSON.parse(key) as string);
    expect(order).toEqual(['\r', '1', '\u0080', '\u00f6', '\u20ac', '\u{1f600}', '\ufb33']);
  });

  it('orders keys that are numbers as texts too, as no object of JavaScript does', () => {
    expect(canonicalJson({ 9: 1, 10: 2, a: 3 })).toBe('{\n  "10": 2,\n  "9": 1,\n  "a": 3\n}\n');
  });

  it.each([
    [null, 'null\n'],
    ['\u00e9"\n', '"\u00e9\\"\\n"\n'],
    [[], '[]\n'],
    [{}, '{}\n'],
    [[1, [2], {}], '[\n  1,\n  [\n    2\n  ],\n  {}\n]\n'],
    [[[[[]]]], '[\n  [\n    [\n      []\n    ]\n  ]\n]\n'],
  ] as readonly (readonly [Json, string])[])('writes %j with two spaces and LF', (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it('writes a test of a file of vectors as one line', () => {
    const file = {
      groups: [{ op: 'x', tests: [{ id: 'b', expect: { 9: [1, {}], 10: 'y z' } }, { id: 'c' }] }],
    };
    expect(canonicalJson(file)).toBe(
      [
        '{',
        '  "groups": [',
        '    {',
        '      "op": "x",',
        '      "tests": [',
        '        {"expect":{"10":"y z","9":[1,{}]},"id":"b"},',
        '        {"id":"c"}',
        '      ]',
        '    }',
        '  ]',
        '}',
        '',
      ].join('\n'),
    );
  });

  it('keeps a key "__proto__"', () => {
    expect(canonicalJson(JSON.parse('{"__proto__":1}') as Json)).toBe('{\n  "__proto__": 1\n}\n');
  });

  it('is read back as what it was', () => {
    const value = { b: [1.5, 'x', { c: null, a: [[]] }], a: { '': true } };
    expect(JSON.parse(canonicalJson(value))).toEqual(value);
  });
});

describe('the place of a part', () => {
  const text = '{\n  "a": [1, {"b": "}"}],\n  "x/y~z": {"": 2},\n  "b": 3\n}\n';

  it.each([
    ['', '1:1'],
    ['/a', '2:8'],
    ['/a/0', '2:9'],
    ['/a/1', '2:12'],
    ['/a/1/b', '2:18'],
    ['/x~1y~0z/', '3:17'],
    ['/b', '4:8'],
  ])('%s is %s', (pointer, place) => {
    expect(placeInJson(text, pointer)).toBe(place);
  });

  it('is that of the nearest part above where there is none', () => {
    expect(placeInJson(text, '/a/7')).toBe('2:8');
    expect(placeInJson(text, '/nothing/at/all')).toBe('1:1');
  });

  it('counts lines and columns from 1', () => {
    expect([0, 1, 2, 4].map((offset) => placeAt('a\nbc', offset))).toEqual(['1:1', '1:2', '2:1', '2:3']);
  });
});

describe('places of many values', () => {
  const text = '{\n  "a": [1, {"b": 2}],\n\n  "c": [\n    3]\n}\n';

  it('are those of each value alone', () => {
    const pointers = ['', '/a', '/a/0', '/a/1/b', '/c', '/c/0'];
    expect([...placesInJson(text, new Set(pointers))]).toEqual(
      pointers.map((pointer) => [pointer, placeInJson(text, pointer)]),
    );
  });

  it('leave out a pointer without a value', () => {
    expect(placesInJson(text, new Set(['/a/2', '/d'])).size).toBe(0);
  });
});
