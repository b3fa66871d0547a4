/** "Your first green check" of each protocol, run as it is written; that of Fold is the first command of the README (readme.test.ts). */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { python38 } from '../../conformance/examples/python.test-helper.ts';
import { firstChecks, firstCommands, greenReport, lineOf } from './readme.test-helper.ts';

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
