/** Mutated frames: none makes the decoder throw, none takes it long. */
import { expect, it } from 'vitest';
import { decodeMutated } from './decoder-fuzz.test-helper.ts';

// A million: decoder-fuzz.thorough.test.ts.
it('the decoder never throws and never takes long, on 100,000 mutated frames', () => {
  expect(() => decodeMutated(100_000)).not.toThrow();
});
