/** Storms of whole agents. `wireproof selftest agent/fold --seeds N` plays more. */
import { expect, it } from 'vitest';
import { playStorm } from '../../../../src/kit/storm/index.ts';
import { wholeAgentStorm } from './storm.ts';

const count = 100;

it(`no rule blames the reference in ${count} random sessions`, { timeout: 120_000 }, () => {
  const storm = playStorm(wholeAgentStorm(), { from: 1, count, onProgress: () => {} });
  expect(storm.failures.map(({ seed, what }) => `${seed} ${what}`)).toEqual([]);
  expect(storm.sessions).toBe(count);
});
