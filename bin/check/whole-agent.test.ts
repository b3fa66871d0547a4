/** `wireproof check fold/agent --drive llm`: the reference as a whole agent, its gateway and its model are the kit. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { checked, program, reference, scratch, wireproof } from '../run.test-helper.ts';

/** The tools of the reference, and the window that its flags give it. */
const statement = program(
  'whole-agent.yaml',
  `suite: fold/agent
drive: llm
tools:
  quick: { name: echo, input: { text: 'quick and complete {nonce}' }, shows: 'complete {nonce}' }
  slow: { name: run, input: ${JSON.stringify({ command: process.execPath, args: ['-e', 'setTimeout(() => {}, 60_000)', '{nonce}'] })} }
  failing: { name: fail, input: { message: it cannot be done } }
  gated: { name: write, input: { text: gated and complete } }
model: { window: 8000 }
`,
);

/** The reference as a target that speaks a dialect. */
const agent = (dialect: string): readonly string[] =>
  reference(
    ...['simulate', 'fold/agent', '--connect', '{address}', '--llm', '{llm_url}', '--dialect', dialect],
    ...['--window', '8000', '--idle', '10s', '--run', '--approve', 'write', '--quiet', '--no-rules'],
  );

const patient = ['handshake', 'step', 'cancel', 'ends'].flatMap((name) => ['--timeout', `${name}=60s`]);
// The agent waits 10 s for a silent model. A scenario is silent for a second, and on a busy machine for longer.
const args = ['fold/agent', '--drive', 'llm', '--statement', statement, '--timeout', 'stall=60s', ...patient];

describe('the reference as a whole agent', () => {
  it.each(['anthropic', 'lmstudio'])(
    'is conformant in the dialect %s, with every MUST exercised',
    async (dialect) => {
      const { code, report, failed, stderr } = await checked(args, agent(dialect));
      const unplayed = report?.scenarios.filter(({ outcome }) => outcome !== 'done');
      expect({ code, verdict: report?.verdict, failed, unplayed, stderr }).toEqual({
        code: 0,
        verdict: 'conformant',
        failed: [],
        unplayed: [],
        stderr: '',
      });
      const { exercised, applicable } = report?.scope.must ?? {};
      expect(exercised).toBe(applicable);
      // The statement's slow tool is a process, which a cancel ends.
      const row = report?.requirements.find(({ id }) => id === 'AGENT-21');
      expect(row?.verdict).toBe(process.platform === 'win32' ? 'untestable' : 'pass');
    },
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
      reason:
        'the statement says nothing of the model: it needs model: { window } in the statement, in tokens',
    });
  });
});
