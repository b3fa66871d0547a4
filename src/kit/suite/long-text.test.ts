/** Long texts of traces: what is kept of them, so that a trace of large messages is judged as the messages were. */
import { expect, test } from 'vitest';
import type { TraceEvent } from '../base/index.ts';
import { shortText, withShortTexts } from './long-text.ts';

const event = (text: string): TraceEvent => ({
  ...{ seq: 0, at: 0, wire: 'x', conn: '', stream: '', from: 'a', to: 'target', kind: 'message' },
  data: { list: [{ text }, 1], name: 'short' },
});

test('an event without long texts stays the same object', () => {
  const one = event('a'.repeat(100));
  expect(withShortTexts(one, 100)).toBe(one);
});

test('a long text is shortened wherever it is, and the rest stays', () => {
  const long = 'a'.repeat(1000);
  expect(withShortTexts(event(long), 100).data).toEqual({
    list: [{ text: shortText(long) }, 1],
    name: 'short',
  });
});

test('equal texts stay equal, and texts that differ in one character stay different', () => {
  const [begin, end] = ['a'.repeat(5000), 'b'.repeat(5000)];
  expect(shortText(`${begin}x${end}`)).toBe(shortText(`${begin}x${end}`));
  expect(shortText(`${begin}x${end}`)).not.toBe(shortText(`${begin}y${end}`));
  expect(shortText(`${begin}x${end}`).length).toBeLessThan(500);
});
