/** A comparison of two messages is short, and keeps the place where they begin to differ. */
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../base/index.ts';
import { comparison } from './comparison.ts';

/** A comparison of two texts, with further parts. */
const compared = (said: string, heard: string, more: Partial<Comparison> = {}): Comparison =>
  comparison({
    field: 'text',
    from: 'below',
    below: { label: 'provider said', parts: { text: said, end: 'stop' } },
    above: { label: 'client heard', parts: { text: heard, end: 'stop' } },
    ...more,
  });

describe('a comparison', () => {
  it('of short messages stays as it is', () => {
    const short = compared('yes', 'no', { due: ['yes', 'maybe'], source: 'A document, section 1' });
    expect(short.below.parts).toEqual({ text: 'yes', end: 'stop' });
    expect(short.above.parts).toEqual({ text: 'no', end: 'stop' });
    expect(short).toMatchObject({ field: 'text', from: 'below', due: ['yes', 'maybe'] });
  });

  it('shows where two long texts begin to differ, in the same place of both', () => {
    const same = 'a'.repeat(5000);
    const { above, below } = compared(`${same}one${'b'.repeat(5000)}`, `${same}two`);
    expect(below.parts['text']).toMatch(/^…a{30}oneb{267}…$/);
    expect(above.parts['text']).toBe(`…${'a'.repeat(30)}two`);
  });

  it('splits no surrogate pair', () => {
    const same = '😀'.repeat(200);
    const { above, below } = compared(`${same}x${same}`, `x${same}y`);
    const later = compared(`${same}x`, `${same}y`).above.parts['text'];
    for (const text of [above.parts['text'], below.parts['text'], later])
      expect(text?.isWellFormed()).toBe(true);
  });

  it('has a bounded size, and always the part that differs', () => {
    const parts = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, 'x'.repeat(10_000)]));
    const huge = { label: 'l', parts: { ...parts, text: 'y'.repeat(10_000) } };
    const whole = compared('', '', {
      above: huge,
      below: huge,
      due: Array<string>(500).fill('z'.repeat(500)),
      source: 's'.repeat(10_000),
    });
    expect(JSON.stringify(whole).length).toBeLessThan(8000);
    expect(Object.keys(whole.above.parts)).toContain('text');
  });
});
