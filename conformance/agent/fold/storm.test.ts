/** Storms of whole agents. `wireproof selftest agent/fold --seeds N` plays more. */
import { expect, it } from 'vitest';
import { agentFoldSuite } from './suite.ts';

const count = 100;

it(`no rule blames the reference in ${count} random sessions`, { timeout: 120_000 }, () => {
  const storm = agentFoldSuite.storm?.({ from: 1, count, onProgress: () => {} });
  expect(storm?.failures).toEqual([]);
  expect(storm?.sessions).toBe(count);
});
