/** TOON (Task Orchestration Over Node) on the command line, as a user runs it. */
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

/**
 * Long enough for a busy machine to start a target and to receive its answer. No scenario waits for these times to
 * pass.
 */
const patient = ['handshake', 'prompt', 'answer', 'step'].flatMap((name) => ['--timeout', `${name}=30s`]);

describe('wireproof testee toon/codec', () => {
  // api.test.ts finds it conformant in its own suite.
  it('answers an invalid line with an error, and goes on', async () => {
    const testee = startWireproof(['testee', 'toon/codec']);
    const lines = 'nonsense\n{"id":1,"op":"toon.fly"}\n{"id":2,"op":"toon.validate","wire":"00"}\n';
    testee.child.stdin?.end(lines);
    const { stdout: out } = await testee.ended;
    const answers = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    expect(answers).toMatchObject([
      { error: { code: 'bad-input' } },
      { id: 1, unsupported: true },
      { id: 2, ok: { valid: false } },
    ]);
  });

  it('names the testees when one is unknown', async () => {
    const { code, stderr } = await wireproof(['testee', 'fold/agent']);
    expect([code, stderr]).toEqual([2, expect.stringMatching(/the testees are .*toon\/codec/)]);
  });
});

// .ci/run plays all scenarios over WebSocket, and on stdin and stdout. The Python example is checked on every carrier
// (toon.thorough.test.ts).
describe('wireproof check of TOON', () => {
  it.each([
    ['listening', ['simulate', 'toon/subagent', '--listen', '{listen}']],
    ['over WebSocket', ['simulate', 'toon/subagent', '--connect', '{url}']],
  ])('a subagent %s fails nothing, and ends every scenario', async (_, target) => {
    const simple = ['plain', 'reports', 'tools-by-id', 'compressed'];
    const names = [...simple, 'split', 'oversize', 'bad-version', 'cut-off'];
    const played = names.flatMap((name) => ['--scenario', `subagent-${name}`]);
    const found = await checked(['toon/subagent', ...patient, ...played], reference(...target));
    const { report, failed, stderr } = found;
    expect({ code: found.code, verdict: report?.verdict, drive: report?.drive, failed, stderr }).toEqual({
      code: 4, // not every MUST is exercised
      verdict: 'inconclusive',
      drive: 'directive',
      failed: [],
      stderr: '',
    });
    expect(report?.scenarios.filter(({ outcome }) => outcome === 'ended-early')).toEqual([]);
  });

  it('an orchestrator is conformant', async () => {
    const asks = ['--instruction', 'one', '--instruction', 'two', '--instruction', 'three'];
    const target = reference('simulate', 'toon/orchestrator', '--connect', '{address}', ...asks);
    const { code, report, failed } = await checked(['toon/orchestrator', ...patient], target);
    expect({ code, verdict: report?.verdict, failed }).toEqual({
      code: 0,
      verdict: 'conformant',
      failed: [],
    });
  });

  it('a silent program is not conformant', async () => {
    const silent = program('silent.mjs', 'process.stdin.resume();');
    const args = ['check', 'toon/codec', '--timeout', 'step=200ms', '--', process.execPath, silent];
    const { code, stdout } = await wireproof(args);
    expect(code).not.toBe(0);
    expect(stdout).not.toContain('\nconformant');
  });

  it('a program that prints text and ends is no target: exit 3, and its text', async () => {
    const printing = program('printing.mjs', "console.log('hello');");
    const { code, stdout, stderr } = await wireproof([
      'check',
      'toon/subagent',
      '--',
      process.execPath,
      printing,
    ]);
    expect([code, stdout]).toEqual([3, '']);
    expect(stderr).toContain(
      'its stdout had text, and no message of the protocol (logs belong on stderr); it printed:\n    hello',
    );
  });

  it.each([
    [['--carrier', 'pigeon', '--', 'true'], 'toon/subagent is carried by'],
    [['--carrier', 'stdio', '--connect', '127.0.0.1:1'], 'give the command of a target after --'],
    [['--drive', 'llm', '--', 'true'], 'can be driven auto, passive or directive'],
    [[], '{address} if it dials'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { code, stderr } = await wireproof(['check', 'toon/subagent', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

describe('wireproof simulate toon/orchestrator', () => {
  it('gives a program its instructions, shows the traffic and records it', async () => {
    const seen = join(scratch, 'toon-seen.jsonl');
    const target = reference('simulate', 'toon/subagent', '--carrier', 'stdio', '--quiet');
    const asks = ['--instruction', 'List the files', '--record', seen];
    const { code, stdout } = await wireproof(['simulate', 'toon/orchestrator', ...asks, '--', ...target]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/← INSTRUCTION +#\d+ \{"instruction":"List the files"\}/);
    expect(stdout).toMatch(/→ STATUS +#\d+ .*completed/);
    expect(readFileSync(seen, 'utf8')).toContain('"type":"INSTRUCTION"');
    const judged = await wireproof(['judge', seen, '--allow-inconclusive']);
    expect(judged.stdout).toContain('toon/subagent');
    expect([0, 4]).toContain(judged.code);
  });

  it('shows a violation when it happens, and exits with 1', async () => {
    // STATUS, version 2 (TOON-02), before any instruction.
    const wrong = program(
      'toon-wrong.mjs',
      `process.stdout.write(Buffer.from('0204140000000068e5cf8b010000010000007b22737461747573223a22776f726b696e67227d', 'hex'));
       process.stdin.resume(); setTimeout(() => process.exit(0), 200);`,
    );
    const args = ['simulate', 'toon/orchestrator', '--', process.execPath, wrong];
    const { code, stdout } = await wireproof(args);
    expect(stdout).toContain('✗ TOON-02 MUST');
    expect(code).toBe(1);
  });

  it('takes lines of stdin as instructions', async () => {
    const asks = ['--listen', '127.0.0.1:0', '--instruction', '-'];
    const near = startWireproof(['simulate', 'toon/orchestrator', ...asks]);
    const address = `127.0.0.1:${await portOf(near)}`;
    const far = startWireproof(['simulate', 'toon/subagent', '--connect', address]);
    await far.prints(/connected/);
    near.child.stdin?.write('Read the plan\n');
    await far.prints(/completed/);
    expect(far.stdout).toContain('{"instruction":"Read the plan"}');
  });
});
