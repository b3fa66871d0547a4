import { describe, expect, it } from 'vitest';
import { loneSurrogateIn, offsetOfLone, wellFormedJson } from './lone-surrogate.ts';

describe('half a surrogate pair', () => {
  it.each([
    [{ a: [{ b: 'x \ud83d' }] }, { path: 'a[0].b', half: 'high' }],
    ['\ude00 x', { path: '', half: 'low' }],
    [{ a: { '\ud83d': 1 } }, { path: 'a', half: 'high' }],
    [{ a: '😀', b: [1, null, true, '\\ud83d'] }, undefined],
  ])('in %j', (value, found) => {
    expect(loneSurrogateIn(value)).toEqual(found);
  });

  // The offsets are those of orjson 3.11: json.loads of the same text fails at "char 8" and "char 6".
  it.each([
    [{ a: 'x \ud83d' }, 8],
    [{ a: '\udc00' }, 6],
    [{ a: '\\ud83d \\\ud83d' }, 16],
  ])('%j has it at %d', (value, offset) => {
    expect(offsetOfLone(value)).toBe(offset);
    expect(JSON.stringify(value).slice(offset, offset + 3)).toBe('\\ud');
  });

  it('becomes U+FFFD, and nothing else changes', () => {
    expect(wellFormedJson({ a: '\ud83d😀\\ud83d' })).toBe('{"a":"\\ufffd😀\\\\ud83d"}');
    const plain = { a: ['😀', '\\\\', 1, null] };
    expect(wellFormedJson(plain)).toBe(JSON.stringify(plain));
  });
});
