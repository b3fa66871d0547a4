/** Koda on the command line, as a user runs it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  checked,
  portOf,
  program,
  reference,
  scratch,
  startWireproof,
  wireproof,
} from '../run.test-helper.ts';

/** Long enough for a busy machine. No scenario waits for these times to pass. */
const patient = ['handshake', 'prompt', 'turn', 'interrupt', 'answer', 'step'].flatMap((name) => [
  '--timeout',
  `${name}=30s`,
]);

const memory = '{"type":"slash_command","cmd":"memory","action":null}';

describe('wireproof testee koda/codec', () => {
  // koda.thorough.test.ts checks a codec by the whole suite, and conformance/koda/codec/suite.test.ts this one.
  it('is conformant in a part of its own suite', async () => {
    const target = reference('testee', 'koda/codec');
    const rows = ['--only', 'KODA-6*'];
    const { code, report, stderr } = await checked(['koda/codec', ...rows, '--timeout', 'step=30s'], target);
    const { verdict, scope } = report ?? {};
    expect({ code, verdict, stderr }).toEqual({ code: 0, verdict: 'partial', stderr: '' });
    expect(scope?.must.exercised).toBe(scope?.must.applicable);
    expect(scope?.must.exercised).toBeGreaterThanOrEqual(3);
  });
});

/** Flags that play only these scenarios. */
const scenarios = (...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => ['--scenario', name]);

// readme.thorough.test.ts plays all scenarios with an engine on stdin and stdout, koda-roles.thorough.test.ts with a client
// that dials; conformance/koda/system/carriers.test.ts holds that the events of a session do not depend on the carrier.
describe('wireproof check of Koda', () => {
  it('an engine that listens for a WebSocket is conformant', async () => {
    const target = reference('simulate', 'koda/engine', '--listen', '{listen}', '--quiet');
    const { code, report, failed, stderr } = await checked(['koda/engine', ...patient], target);
    expect({ code, verdict: report?.verdict, drive: report?.drive, failed, stderr }).toEqual({
      code: 0,
      verdict: 'conformant',
      drive: 'directive',
      failed: [],
      stderr: '',
    });
    expect(report?.scenarios.filter(({ outcome }) => outcome !== 'done')).toEqual([]);
  });

  it('an engine on stdin and stdout fails nothing, and ends every scenario', async () => {
    const target = reference('simulate', 'koda/engine', '--carrier', 'stdio', '--quiet');
    const names = ['plain-prompt', 'parallel-tools', 'approval-approved', 'question-answered', 'many-deltas'];
    const more = ['interrupt-mid-text', 'queued-prompts', 'large-prompt', 'garbled-command'];
    const played = scenarios(...names, ...more);
    const { code, report, failed, stderr } = await checked(['koda/engine', ...patient, ...played], target);
    expect({ code, drive: report?.drive, failed, stderr }).toEqual({
      code: 4,
      drive: 'directive',
      failed: [],
      stderr: '',
    });
    expect(report?.scenarios.filter(({ outcome }) => outcome === 'done').length).toBeGreaterThanOrEqual(9);
    expect(report?.scenarios.filter(({ outcome }) => outcome === 'ended-early')).toEqual([]);
  });

  it.each([
    ['that dials a WebSocket', [], ['--connect', '{url}'], 'conformant', 0],
    [
      'on stdin and stdout',
      ['client-text', 'client-question', 'client-approvals', 'client-large-events', 'client-garbled-events'],
      ['--carrier', 'stdio'],
      'inconclusive',
      4,
    ],
  ] as const)('a client %s fails nothing', async (_, names, carrier, verdict, code) => {
    const prompts = ['--prompt', 'One.', '--prompt', 'Two.', '--command', memory];
    const target = reference('simulate', 'koda/client', ...carrier, '--quiet', '--no-rules', ...prompts);
    const found = await checked(['koda/client', ...patient, ...scenarios(...names)], target);
    const { report, failed, stderr } = found;
    expect({ code: found.code, verdict: report?.verdict, failed, stderr }).toEqual({
      code,
      verdict,
      failed: [],
      stderr: '',
    });
    expect(report?.scenarios.filter(({ outcome }) => outcome === 'ended-early')).toEqual([]);
  });

  it('an engine that ignores user_prompt is untestable, in one sentence', async () => {
    const deaf = program(
      'koda-deaf.mjs',
      `process.stdin.resume(); console.log('{"type":"info","message":"hi"}');`,
    );
    const quick = ['prompt', 'turn', 'step'].flatMap((name) => ['--timeout', `${name}=300ms`]);
    const { report } = await checked(['koda/engine', ...quick], [process.execPath, deaf]);
    const row = report?.requirements.find(({ id }) => id === 'KODA-23');
    expect([report?.verdict, row?.verdict]).toEqual(['inconclusive', 'untestable']);
    expect(row?.reason).toContain('the engine ignored user_prompt, which KODA-54 allows');
  });

  it.each([
    [['--carrier', 'tcp', '--', 'true'], 'koda/engine is carried by'],
    [['--drive', 'llm', '--', 'true'], 'can be driven auto, passive or directive'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { code, stderr } = await wireproof(['check', 'koda/engine', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

describe('wireproof simulate koda/client', () => {
  it('gives an engine prompts, shows the traffic, and records it for judge', async () => {
    const seen = join(scratch, 'koda-seen.jsonl');
    const target = reference('simulate', 'koda/engine', '--carrier', 'stdio', '--quiet', '--no-rules');
    const args = ['--prompt', 'List the files', '--record', seen];
    const near = startWireproof(['simulate', 'koda/client', ...args, '--', ...target]);
    await near.prints(/turn_end/);
    near.child.kill('SIGINT');
    const { stdout } = await near.ended;
    expect(stdout).toMatch(/← user_prompt +text "List the files"/);
    expect(stdout).toMatch(/→ text_delta +text "You said: List the files"/);
    expect(readFileSync(seen, 'utf8')).toContain('"type":"turn_end"');
    const judged = await wireproof(['judge', seen, '--allow-inconclusive']);
    expect(judged.stdout).toContain('koda/engine');
    expect([0, 4]).toContain(judged.code);
  });

  it('ends after the turn of its last prompt', async () => {
    const target = reference('simulate', 'koda/engine', '--carrier', 'stdio', '--quiet', '--no-rules');
    const prompts = ['--prompt', 'one', '--prompt', 'two'];
    const { code, stdout } = await wireproof(['simulate', 'koda/client', ...prompts, '--', ...target]);
    expect(stdout.match(/turn_end/g)?.length).toBe(2);
    expect(code).toBe(0);
  });

  it('refuses prompts beside a scenario', async () => {
    const args = ['simulate', 'koda/client', '--scenario', 'plain-prompt', '--prompt', 'x', '--', 'true'];
    expect(await wireproof(args)).toMatchObject({
      code: 2,
      stderr: 'wireproof: --prompt: a scenario has its own prompts; leave one of the two flags out\n',
    });
  });

  it('takes prompts and answers from its terminal', async () => {
    const steps = [{ tool: { name: 'AskUser', ask: { question: 'Which?', options: ['a', 'b'] } } }];
    const prompt = JSON.stringify({ wireproof: { v: 1, do: steps } });
    const engine = startWireproof(['simulate', 'koda/engine', '--listen', '127.0.0.1:0']);
    const port = await portOf(engine);
    const near = startWireproof([
      'simulate',
      'koda/client',
      '--connect',
      `ws://127.0.0.1:${port}`,
      '--prompt',
      '-',
    ]);
    await near.prints(/connected/);
    near.child.stdin?.write(`${prompt}\n`);
    await near.prints(/ask_user_request/);
    near.child.stdin?.write('2\n');
    await near.prints(/turn_end/);
    near.child.kill('SIGINT');
    engine.child.kill('SIGINT');
    const { stdout } = await near.ended;
    expect(stdout).toMatch(/← ask_user_response +id "[^"]+", answer "b"/);
    await engine.ended;
  });
});
