/** `wireproof check fold/agent --drive llm`: the reference as a whole agent, whose gateway and model are the kit; its traces, and its statement. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { checked, program, scratch, wireproof } from '../run.test-helper.ts';
import { agent, args, expectConformant, statement } from './whole-agent.test-helper.ts';

it.each(['anthropic', 'lmstudio', 'ollama'])(
  'is conformant in the dialect %s, with every MUST exercised',
  expectConformant,
);

it('is judged alike from the trace that is kept: gateway and model stand in it by turns', async () => {
  const folder = join(scratch, 'kept');
  const kept = ['--trace', 'all', '--trace-dir', folder, '--report', 'json', '--scenario', 'inject-normal'];
  const checkedRun = await wireproof(['check', ...args, ...kept, '--', ...agent('openai-chat')]);
  const report = JSON.parse(checkedRun.stdout) as Report;
  const file = join(folder, 'shared-1.jsonl');
  expect(existsSync(file)).toBe(true);
  const wires = readFileSync(file, 'utf8').match(/"wire":"(fold|llm)"/gu) ?? [];
  // Three requests: each goes down to the model, and comes back.
  expect(wires.filter((wire, i) => i > 0 && wire !== wires[i - 1]).length).toBeGreaterThanOrEqual(6);
  const { stdout } = await wireproof(['judge', file, '--report', 'json']);
  const judged = JSON.parse(stdout) as Report;
  const passed = ({ requirements }: Report): readonly string[] =>
    requirements.filter(({ verdict }) => verdict === 'pass').map(({ id }) => id) ?? [];
  expect(passed(judged)).toEqual(passed(report));
  expect(passed(judged)).toContain('AGENT-07');
});

it('that is not told its window is not judged by it', async () => {
  const tools = readFileSync(statement, 'utf8').replace(/^model:.*\n/mu, '');
  const bare = program('whole-agent-bare.yaml', tools);
  const only = ['--scenario', 'budget-exhausted', '--scenario', 'plain-text'];
  const { report } = await checked(
    ['fold/agent', '--drive', 'llm', '--statement', bare, ...only],
    agent('ollama'),
  );
  const row = report?.requirements.find(({ id }) => id === 'AGENT-13');
  expect(row).toMatchObject({
    verdict: 'not-applicable',
    reason: 'the statement says nothing of the model: it needs model: { window } in the statement, in tokens',
  });
});
