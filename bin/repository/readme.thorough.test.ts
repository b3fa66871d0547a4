/** "Your first green check" of each protocol, and the first checks of README.md, run as they are written. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { python38 } from '../../conformance/examples/python.test-helper.ts';
import { agentCommand } from '../protocols/llm-programs.test-helper.ts';
import { wireproof } from '../run.test-helper.ts';
import { command, doors, firstChecks, firstCommands, greenReport, lineOf } from './readme.test-helper.ts';

const { path: python, why } = python38();
const known = new Set(firstCommands.map(lineOf));
const checks = firstChecks.filter((words) => !known.has(lineOf(words)));

/** What else the report of an example says, by the end of its command. */
const more: { readonly [example: string]: (report: Report) => void } = {
  'llm_client.py': ({ features }) =>
    expect(features).toEqual(['anthropic', 'openai-chat', 'streaming', 'thinking']),
  // The statement has a window, and says that injections are refused.
  'whole-agent.yaml': ({ requirements }) =>
    expect(requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id)).toEqual(
      expect.arrayContaining(['AGENT-08', 'AGENT-13', 'AGENT-14']),
    ),
};

describe('is green, with every applicable MUST exercised:', () => {
  it.each(checks.map((words) => [lineOf(words), words] as const))('%s', async (line, words) => {
    if (python === undefined && words.includes('python3')) return console.warn(`skipped: ${why}`);
    const report = await greenReport(words.map((word) => (word === 'python3' ? (python ?? word) : word)));
    more[line.split('/').at(-1) ?? '']?.(report);
  });
});

describe('is green:', () => {
  it('the check of the example agent, with at least 50 of 56 rows exercised', async () => {
    const { counts } = await greenReport(command(firstCommands, 'check fold/agent'));
    expect(counts.pass).toBeGreaterThanOrEqual(50);
    // It is the first green check of Fold, too.
    expect(firstChecks.map(lineOf)).toContain(lineOf(command(firstCommands, 'check fold/agent')));
  });

  it('the check of a program that asks a model', { timeout: 180_000 }, async () => {
    const program = agentCommand('openai-chat', 'refuses');
    const words = command(doors, 'check llm/client', (word) => (word === './my-agent' ? program : [word]));
    const { code, stdout } = await wireproof([...words.slice(0, 1), '--trace', 'off', ...words.slice(1)]);
    // A stranger's program without a statement cannot show all requirements of its suite (4): nothing failed.
    expect([0, 4], stdout.slice(-2000)).toContain(code);
  });
});
