/** Mutated frames: none makes the decoder throw, none takes it long. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { toonFrames } from '../arbitrary.ts';
import { TOONDecoder } from './decoder.ts';

/** Whole numbers below a bound, from a seed: xorshift32, since many frames need a fast one. */
function random(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % below;
  };
}

const codes = new Set([
  'too-short',
  'truncated',
  'bad-version',
  'bad-type',
  'bad-utf8',
  'bad-json',
  'bad-payload',
  'bad-rle',
  'too-large',
]);

/** Decodes a number of mutated frames. */
export function decodeMutated(count: number): void {
  const frames = fc.sample(toonFrames, { seed: 7, numRuns: 1000 }).filter(({ length }) => length < 600);
  const pick = random(7);
  const decoder = new TOONDecoder();
  const scratch = new Uint8Array(1000);
  const telling = [0, 1, 2, 0x22, 0x5a, 0x5b, 0x7b, 0x7d, 0x80, 0xc3, 0xe2, 0xef, 0xf0, 0xff];
  const counts = new Map<string, number>();
  let slowest = 0;
  for (let i = 0; i < count; i++) {
    const frame = frames[pick(frames.length)] ?? scratch;
    scratch.set(frame);
    for (let edits = pick(4); edits > 0; edits--)
      scratch[pick(2) === 0 ? pick(frame.length) : pick(40)] =
        pick(2) === 0 ? pick(256) : (telling[pick(14)] ?? 0);
    const length = pick(8) === 0 ? pick(frame.length + 20) : frame.length;
    const bytes = scratch.subarray(0, length);
    const began = performance.now();
    const decoded = decoder.decode(bytes);
    const took = performance.now() - began;
    // The machine may have been elsewhere: only a frame that is slow each time is slow.
    if (took > 20) slowest = Math.max(slowest, Math.min(...[1, 2, 3].map(() => timed(decoder, bytes)), took));
    const outcome = decoded.ok ? 'ok' : decoded.error.code;
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  expect(slowest).toBeLessThan(100);
  // It has come everywhere: each refusal, and messages.
  expect([...counts.keys()].toSorted()).toEqual(['ok', ...codes].toSorted());
  for (const met of counts.values()) expect(met).toBeGreaterThan(20);
}

function timed(decoder: TOONDecoder, bytes: Uint8Array): number {
  const began = performance.now();
  decoder.decode(bytes);
  return performance.now() - began;
}
