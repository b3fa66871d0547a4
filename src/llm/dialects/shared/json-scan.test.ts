/**
 * Places in the arguments of a call; the sentences are RFC 8259's grammar and llm.md, "The script" and Anthropic (d).
 */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { anyArguments } from '../../arbitrary/answer.ts';
import { cutPositions, parameterBoundary, placeOf, jsonPlaces } from './json-scan.ts';

const json = String.raw`{"ti\u00e9":"x\n", "n":-1.5,"ok":true,"l":[null,{"k":1}]}`;
const at = (where: string): number[] =>
  cutPositions(json)
    .filter((position) => position.where === where)
    .map((position) => position.at);
/** Every offset inside the first occurrence of a text, `edge` units away from its ends. */
const within = (text: string, edge = 1): number[] => {
  const from = json.indexOf(text);
  return Array.from({ length: text.length + 1 }, (_, i) => from + i).slice(edge, text.length + 1 - edge);
};

describe('the places of a cut', () => {
  it('are inside an escape from after its backslash to before its last character, in keys and strings', () => {
    expect(at('inside-escape')).toEqual([...within(String.raw`\u00e9`), ...within(String.raw`\n`)]);
  });

  it('are inside keys and strings from after the opening quote to before the closing one', () => {
    const escapes = new Set(at('inside-escape'));
    const inside = (...texts: string[]): number[] =>
      texts.flatMap((text) => within(text)).filter((place) => !escapes.has(place));
    expect(at('inside-key')).toEqual(inside(String.raw`"ti\u00e9"`, '"n"', '"ok"', '"l"', '"k"'));
    expect(at('inside-string')).toEqual(inside(String.raw`"x\n"`));
  });

  it('are inside a number or literal only with its characters on both sides', () => {
    expect(at('inside-number')).toEqual(within('-1.5'));
    expect(at('inside-literal')).toEqual([...within('true'), ...within('null')]);
  });

  it('are between parameters from the end of a value to the next key or the last brace', () => {
    const ends = [json.indexOf('",') + 1, json.indexOf(', ') + 1, json.indexOf(' "n"') + 1];
    const list = json.lastIndexOf(']') + 1;
    const later = ['5,', 'e,"l'].flatMap((text) => [json.indexOf(text) + 1, json.indexOf(text) + 2]);
    expect(at('between-parameters')).toEqual([...ends, ...later, list]);
  });

  it('are after the last brace at the end, and at the start before everything', () => {
    expect(at('after-last-brace')).toEqual([json.length]);
    expect(at('start')).toEqual([0]);
  });

  it('never split a surrogate pair, and come in order', () => {
    expect(cutPositions('{"𝄞":"𝄞"}').map((position) => position.at)).toEqual([
      0, 1, 2, 4, 5, 6, 7, 9, 10, 11,
    ]);
  });

  it('are malformed from the first character that is not valid JSON', () => {
    expect(cutPositions('{"a" 1}').map(({ where }) => where)).toEqual([
      ...[
        'start',
        'structure',
        'inside-key',
        'inside-key',
        'structure',
        'structure',
        'malformed',
        'malformed',
      ],
    ]);
  });

  it('are found by kind and number in the order of the whole list', () => {
    fc.assert(
      fc.property(anyArguments, fc.constantFrom(...jsonPlaces), fc.nat(3), (input, place, nth) => {
        const text = JSON.stringify(input);
        const all = cutPositions(text).filter(({ where }) => where === place);
        expect(placeOf(text, place, nth)).toBe(all[nth]?.at);
      }),
    );
  });

  it('are never malformed in JSON with any spaces', () => {
    fc.assert(
      fc.property(anyArguments, fc.constantFrom('', ' ', '\t', '\n'), (input, space) => {
        const text = JSON.stringify(input, undefined, space);
        expect(cutPositions(text).filter(({ where }) => where === 'malformed')).toEqual([]);
        expect(cutPositions(text).at(-1)).toEqual({ at: text.length, where: 'after-last-brace' });
      }),
    );
  });

  it('are found in any text, also with deep nesting', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => cutPositions(text).length > 0));
    expect(placeOf('['.repeat(200_000), 'inside-key', 0)).toBeUndefined();
  });
});

describe('a parameter boundary', () => {
  // llm.md, Anthropic (d): the cut falls on a parameter boundary, such as {"title":"x" without brace.
  const two = '{"title":"x","body":[1,2]}';
  it.each([
    [two.indexOf('x'), ''],
    [two.indexOf(',"body'), '{"title":"x"'],
    [two.indexOf('2'), '{"title":"x"'],
    [two.indexOf(']'), '{"title":"x"'],
    [two.indexOf(']') + 1, '{"title":"x","body":[1,2]'],
    [two.length, two],
  ])('of a cut at %i is after "%s"', (cut, seen) => {
    expect(two.slice(0, parameterBoundary(two, cut))).toBe(seen);
  });

  it('treats a number as complete only when something follows it', () => {
    expect(parameterBoundary('{"a":12,"b":3}', 6)).toBe(0);
    expect(parameterBoundary('{"a":12,"b":3}', 7)).toBe(7);
  });

  it('completed by a brace gives the first parameters unchanged', () => {
    fc.assert(
      fc.property(anyArguments, fc.nat(), (input, seed) => {
        const text = JSON.stringify(input);
        const cut = seed % (text.length + 1);
        const seen = text.slice(0, parameterBoundary(text, cut));
        expect(seen.length).toBeLessThanOrEqual(cut);
        if (seen === text || seen === '') return;
        const entries = Object.entries(JSON.parse(`${seen}}`) as object);
        const kept = new Set(entries.map(([key]) => key));
        expect(entries).toEqual(Object.entries(input).filter(([key]) => kept.has(key)));
        expect(entries.length).toBeGreaterThan(0);
      }),
    );
  });
});
