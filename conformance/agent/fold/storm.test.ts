/** Storms of whole agents. `wireproof selftest agent/fold --seeds N` plays more. */
import { expect, it } from 'vitest';
import { agentFoldSuite } from './suite.ts';

it('no rule blames the reference in 60 random sessions', { timeout: 120_000 }, () => {
  const { sessions, failures } = agentFoldSuite.storm?.({
    from: Number(process.env['FROM'] ?? 1),
    count: Number(process.env['COUNT'] ?? 1500),
    onProgress: () => {},
  }) ?? {
    sessions: 0,
    failures: [],
  };
  expect(failures).toEqual([]);
  expect(sessions).toBe(1500);
});
