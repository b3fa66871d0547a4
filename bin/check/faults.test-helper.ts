/** Checks of the example agent with one fault. */
import { expect } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { checked, longTimeouts } from '../run.test-helper.ts';

async function report(args: readonly string[], target: string): Promise<Report> {
  const found = await checked(['fold/agent', ...longTimeouts, ...args], ['node', target, '{address}']);
  if (found.report === undefined) throw new Error(found.stderr);
  return found.report;
}

/** Scenarios of every theme that share a process. A fault must fail its own requirement only. */
const themes = [
  ...['plain-message', 'plain-three-at-once', 'burst', 'thinking-and-text', 'request-fails'],
  ...['tool-success', 'tool-fails', 'tool-held', 'approval-granted', 'approval-denied', 'approve-all'],
  ...['usage-two-calls', 'inject-normal', 'inject-mid-tool', 'cancel-mid-tool', 'cancel-mid-text'],
].flatMap((name) => ['--scenario', name]);

/** Expects that a target fails one MUST, and no other. */
export async function failsOnly(id: string, target: string): Promise<void> {
  const { verdict, requirements } = await report([...themes, '--jobs', '2'], target);
  expect(verdict).toBe('not-conformant');
  const failed = requirements.filter((r) => r.verdict === 'fail' && r.level === 'MUST').map((r) => r.id);
  expect(failed).toEqual([id]);
  const row = requirements.find((r) => r.id === id);
  expect(row?.message).toMatch(/^expected .+; .+/);
  expect(row?.excerpt?.some((line) => line.startsWith('>'))).toBe(true);
  expect(row?.replay).toContain(`--only ${id}`);
}
