/** The codec with Node's Buffer and without one: the same bytes, the same messages, the same refusals. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import * as withBuffer from './bytes.ts';
import { TOONDecoder } from './decoder.ts';
import { TOONEncoder } from './encoder.ts';

const texts = [
  '',
  'plain',
  'é€𝄞',
  '\uFFFD',
  'x\uFFFDé\uFFFD\uFFFD𝄞',
  '\uFEFFmark',
  '\u0000\u007F\u0080\u07FF\u0800\uFFFF',
  'ab'.repeat(2000),
];
const malformed: readonly (readonly [string, number])[] = [
  ['80', 0],
  ['61c3', 1],
  ['c3a961e282', 3],
  ['efbfbd80', 3],
  ['f09d849eeda080', 4],
  ['e282acf8', 3],
];

const { Buffer: NodeBuffer } = globalThis;
vi.resetModules();
vi.stubGlobal('Buffer', undefined);
const without = {
  bytes: await import('./bytes.ts'),
  encoder: await import('./encoder.ts'),
  decoder: await import('./decoder.ts'),
};
vi.unstubAllGlobals();
afterAll(() => vi.resetModules());

const from = (hex: string): Uint8Array => new Uint8Array(NodeBuffer.from(hex, 'hex'));

describe('text', () => {
  it('is read with the Buffer that there is, or none', () => {
    expect([withBuffer.isPooled, without.bytes.isPooled]).toEqual([true, false]);
  });

  it.each([
    ['with', withBuffer],
    ['without', without.bytes],
  ])('goes to UTF-8 and back, %s a Buffer', (_, { allocate, malformedAt, readText, textSize, writeText }) => {
    for (const text of texts) {
      const expected = NodeBuffer.from(text);
      expect(textSize(text)).toBe(expected.length);
      const into = allocate(expected.length + 10).fill(0xee);
      expect(writeText(text, into, 5)).toBe(expected.length);
      expect(NodeBuffer.from(into.subarray(5, 5 + expected.length)).equals(expected)).toBe(true);
      expect([into[4], into[5 + expected.length]]).toEqual([0xee, 0xee]);
      expect(readText(into, 5, 5 + expected.length)).toBe(text);
      expect(malformedAt(text, into, 5)).toBeUndefined();
    }
  });

  it.each([
    ['with', withBuffer],
    ['without', without.bytes],
  ])('that is none is found at its byte, %s a Buffer', (_, { malformedAt, readText }) => {
    for (const [hex, at] of malformed) {
      const bytes = from(`2020${hex}20`);
      expect(malformedAt(readText(bytes, 2, bytes.length), bytes, 2)).toBe(2 + at);
    }
  });

  it('is written into plain arrays: what is given out is no Buffer', () => {
    expect(NodeBuffer.isBuffer(withBuffer.allocate(10))).toBe(false);
    expect(NodeBuffer.isBuffer(new TOONEncoder().encode(6, {}, 1))).toBe(false);
  });
});

describe('the codec without a Buffer', () => {
  const payloads = [{}, ...texts.map((instruction) => ({ instruction })), { instruction: 'x'.repeat(5000) }];
  const now = (): number => 1700000000000;

  it('gives the same bytes', () => {
    const [ours, theirs] = [new TOONEncoder({ now }), new without.encoder.TOONEncoder({ now })];
    for (const [i, payload] of payloads.entries())
      for (const compress of [true, false])
        expect(NodeBuffer.from(theirs.encode(8, payload, i, { compress })).toString('hex')).toBe(
          NodeBuffer.from(ours.encode(8, payload, i, { compress })).toString('hex'),
        );
  });

  it('reads the same messages, and refuses the same', () => {
    const [ours, theirs] = [new TOONDecoder(), new without.decoder.TOONDecoder()];
    for (const payload of payloads) {
      const bytes = new TOONEncoder({ now }).encode(8, payload, 1);
      expect(theirs.decode(bytes)).toEqual(ours.decode(bytes));
      expect(theirs.decode(bytes)).toMatchObject({ ok: true, payload });
    }
    for (const [hex] of malformed) {
      const bytes = from(
        `0106${NodeBuffer.from([hex.length / 2]).toString('hex')}000000${'00'.repeat(12)}${hex}`,
      );
      expect(theirs.decode(bytes)).toEqual(ours.decode(bytes));
      expect(theirs.decode(bytes)).toMatchObject({ ok: false, error: { code: 'bad-utf8' } });
    }
  });
});
