import { expect, it } from 'vitest';
import { decodeMutated } from './decoder-fuzz.test-helper.ts';

it('the decoder never throws and never takes long, on a million mutated frames', () => {
  expect(() => decodeMutated(1_000_000)).not.toThrow();
});
