/** Tokens, UTF-8 places, pieces, cuts and writes: laws over any text. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../kit/world/index.ts';
import { anyChunk, anyRequest, anyText } from '../arbitrary/answer.ts';
import { cutOffset, offsetOf, offsetOfToken } from './cut.ts';
import { seededIds } from './ids.ts';
import { partedAt, pauseOf, piecesOf } from './pacing.ts';
import { countPrompt, defaultTokenizer, virtualTokenizer } from '../dialects/shared/tokenizer.ts';
import {
  byteLength,
  charLength,
  filled,
  isWellFormed,
  offsetOfByte,
  offsetOfChar,
  writes,
} from '../dialects/shared/utf8.ts';
import type { Split } from '../dialects/shared/utf8.ts';

const units = fc.integer({ min: 2, max: 9 });

describe('the virtual tokenizer', () => {
  // llm.md, "The script": default ceil(UTF-16 units / 4).
  it('counts ceil(UTF-16 units / 4)', () => {
    expect(['', 'a', 'abcd', 'abcde', '𝄞𝄞𝄞'].map((text) => defaultTokenizer.count(text))).toEqual([
      0, 1, 1, 2, 2,
    ]);
  });

  it('gives as many pieces as it counts, for a text and its prefixes; they join to it and split no pair', () => {
    fc.assert(
      fc.property(anyText, units, (text, n) => {
        const tokenizer = virtualTokenizer(n);
        const pieces = [...tokenizer.pieces(text)];
        expect(pieces.join('')).toBe(text);
        expect(pieces.every((piece) => piece !== '' && isWellFormed(piece))).toBe(true);
        expect(pieces.length).toBe(tokenizer.count(text));
        for (let i = 0; i <= pieces.length; i++) expect(tokenizer.count(pieces.slice(0, i).join(''))).toBe(i);
      }),
    );
  });

  it('counts each part of a request', () => {
    const four = 'abcd';
    expect(
      countPrompt(
        {
          dialect: 'anthropic',
          model: 'not counted',
          system: four,
          messages: [
            { role: 'user', content: four },
            {
              role: 'assistant',
              content: four,
              thinking: [{ text: four }],
              toolCalls: [{ id: '1', name: 'a', input: 1 }],
            },
            { role: 'user', content: '', toolResults: [{ id: '1', content: four, isError: false }] },
          ],
          tools: [{ name: 'a', inputSchema: {} }],
          stream: true,
          includeUsage: true,
        },
        defaultTokenizer,
      ),
      // Five texts of one token; ["a",1] has 7 units, {"name":"a","inputSchema":{}} 29.
    ).toBe(5 + 2 + 8);
  });

  it('counts more for a longer request', () => {
    fc.assert(
      fc.property(anyRequest('openai-chat'), (request) => {
        const more = {
          ...request,
          messages: [...request.messages, { role: 'user' as const, content: 'more' }],
        };
        expect(countPrompt(more, defaultTokenizer)).toBe(countPrompt(request, defaultTokenizer) + 1);
      }),
    );
  });
});

describe('places in a text', () => {
  it('by byte are the start of the character with this byte, in the encoding of TextEncoder', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const bytes = new TextEncoder().encode(text);
        expect(byteLength(text)).toBe(bytes.length);
        for (let n = 0; n <= bytes.length; n++) {
          let start = n;
          while (((bytes[start] ?? 0) & 0xc0) === 0x80) start--;
          const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, start));
          expect(text.slice(0, offsetOfByte(text, n))).toBe(before);
        }
      }),
    );
  });

  it('by character are as Array.from counts them', () => {
    fc.assert(
      fc.property(anyText, fc.nat(30), (text, n) => {
        const characters = Array.from(text);
        expect(charLength(text)).toBe(characters.length);
        expect(text.slice(0, offsetOfChar(text, n))).toBe(characters.slice(0, n).join(''));
      }),
    );
  });

  it('by token have this number of tokens before them', () => {
    fc.assert(
      fc.property(anyText, units, fc.nat(8), (text, size, n) => {
        const tokenizer = virtualTokenizer(size);
        const before = text.slice(0, offsetOfToken(text, n, tokenizer));
        expect(tokenizer.count(before)).toBe(Math.min(n, tokenizer.count(text)));
      }),
    );
  });

  it('are found by their unit', () => {
    const at = (place: Parameters<typeof offsetOf>[1]): number =>
      offsetOf('aé𝄞bcdef', place, defaultTokenizer);
    expect([at({ byte: 3 }), at({ byte: 5 }), at({ char: 3 }), at({ token: 1 })]).toEqual([2, 2, 4, 4]);
    expect(cutOffset('{"a":1}', { json: 'after-last-brace', nth: 0 }, defaultTokenizer)).toBe(7);
    expect(cutOffset('{"a":1}', { json: 'inside-number', nth: 0 }, defaultTokenizer)).toBeUndefined();
  });
});

describe('pieces', () => {
  it('join to the text, are never empty and never split a pair, with any size and any split', () => {
    fc.assert(
      fc.property(anyText, anyChunk, fc.array(fc.nat(30)), (text, chunk, chars) => {
        const stops = chars.map((n) => offsetOfChar(text, n)).sort((a, b) => a - b);
        const pieces = [...partedAt(piecesOf(text, chunk, defaultTokenizer), stops)];
        expect(pieces.join('')).toBe(text);
        expect(pieces.every((piece) => piece !== '' && isWellFormed(piece))).toBe(true);
        const ends = new Set([0]);
        let at = 0;
        for (const piece of pieces) ends.add((at += piece.length));
        expect(stops.filter((stop) => !ends.has(stop))).toEqual([]);
      }),
    );
  });

  it('are paced with a jitter that is never below 0', () => {
    const random = seededRandom('pace');
    const pauses = Array.from({ length: 500 }, () => pauseOf(3, 10, random));
    expect(Math.min(...pauses)).toBe(0);
    expect(Math.max(...pauses)).toBeGreaterThan(10);
    expect(Math.max(...pauses)).toBeLessThanOrEqual(13);
    expect(pauseOf(20, 0, random)).toBe(20);
  });
});

describe('a filling', () => {
  it('has at most its number of bytes, in whole characters, and less than one character is missing', () => {
    const text = anyText.filter((t) => t !== '');
    fc.assert(
      fc.property(text, fc.nat(200), (t, bytes) => {
        const all = filled({ text: t, bytes });
        expect(isWellFormed(all)).toBe(true);
        expect(byteLength(all)).toBeLessThanOrEqual(bytes);
        expect(byteLength(all)).toBeGreaterThan(bytes - 4);
        expect(t.repeat(201).startsWith(all)).toBe(true);
      }),
    );
  });
});

describe('writes', () => {
  const split = fc.oneof(
    fc.constantFrom<Split | undefined>(undefined, 'byte', 'utf8', 'lines'),
    fc.record({ size: fc.integer({ min: 1, max: 9 }) }),
  );

  it('join to the bytes, and none is empty', () => {
    fc.assert(
      fc.property(fc.uint8Array(), split, (bytes, how) => {
        const parts = [...writes(bytes, how)];
        expect(Buffer.concat(parts)).toEqual(Buffer.from(bytes));
        expect(parts.every((part) => part.length > 0)).toBe(true);
      }),
    );
  });

  const lengths = (text: string, how: Split): number[] =>
    [...writes(new TextEncoder().encode(text), how)].map((part) => part.length);

  it('split inside every multi-byte character, around and inside every line end, or after every n bytes', () => {
    expect(lengths('aé𝄞b', 'utf8')).toEqual([2, 2, 1, 1, 2]);
    expect(lengths('ab\r\ncd\n', 'lines')).toEqual([2, 1, 1, 2, 1]);
    expect(lengths('abcdefg', { size: 3 })).toEqual([3, 3, 1]);
    expect(lengths('abc', 'byte')).toEqual([1, 1, 1]);
  });
});

describe('ids', () => {
  it('begin with their prefix, repeat from the same seed, and are unique', () => {
    const ids = (seed: string): string[] => {
      const id = seededIds(seededRandom(seed));
      return Array.from({ length: 200 }, () => id('msg_'));
    };
    expect(ids('1')).toEqual(ids('1'));
    expect(new Set([...ids('1'), ...ids('2')]).size).toBe(400);
    expect(ids('1').filter((id) => !/^msg_[0-9A-Za-z]{24}$/.test(id))).toEqual([]);
  });
});
