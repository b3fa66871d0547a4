/** `wireproof check` of a target that answers nothing: no scenario waits for an event that never comes. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import type { Report } from '../../src/kit/base/index.ts';
import { wireproof } from '../run.test-helper.ts';

const dull = join(packageRoot(), '.config/attack/dull-agent.mjs');

it.each(['close'])(
  'an agent that registers and whose habit is %s costs few waits, and the report gives the reason',
  { timeout: 60_000 },
  async (habit) => {
    const target = [process.execPath, dull, '{address}', habit];
    // A slow machine may need long for the handshake.
    const flags = [
      '--jobs',
      '1',
      '--timeout-scale',
      '0.1',
      '--timeout',
      'handshake=20s',
      '--json',
      '--trace',
      'off',
    ];
    const { code, stdout } = await wireproof(['check', 'fold/agent', ...flags, '--', ...target]);
    expect(code).toBe(1);
    const { scenarios, verdict } = JSON.parse(stdout) as Report;
    expect(verdict).toBe('not-conformant');
    const reasons = scenarios.flatMap(({ outcome, reason = '' }) => (outcome === 'not-run' ? [reason] : []));
    expect(reasons.filter((reason) => !/^not run: no .* came in \d+ scenarios$/.test(reason))).toEqual([]);
    expect(reasons.length).toBeGreaterThan(0);
  },
);
