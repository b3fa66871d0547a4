/** TOON (Task Orchestration Over Node) on the command line, as a stranger would use it. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Report } from '../src/kit/base/index.ts';
import { packageRoot } from '../src/kit/spec/index.ts';
import { freePort } from '../src/kit/transport/index.ts';
import { program, scratch, wireproof } from './run.test-helper.ts';

const command = join(packageRoot(), 'dist/bin/wireproof.cjs');
/** The reference itself as a target. */
const reference = (...args: readonly string[]): readonly string[] => [process.execPath, command, ...args];

const report = (stdout: string): Report => JSON.parse(stdout) as Report;

describe('wireproof testee toon/codec', () => {
  it('is conformant by its own suite, with every MUST exercised', async () => {
    const { code, stdout, stderr } = await wireproof([
      'check',
      'toon/codec',
      '--json',
      '--',
      ...reference('testee', 'toon/codec'),
    ]);
    const { verdict, scope } = report(stdout);
    expect({ code, verdict, stderr }).toEqual({ code: 0, verdict: 'conformant', stderr: '' });
    expect(scope.must.exercised).toBe(scope.must.applicable);
  });

  it('answers what is no request with an error, and goes on', async () => {
    const child = spawn(process.execPath, [command, 'testee', 'toon/codec']);
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stdin.end('nonsense\n{"id":1,"op":"toon.fly"}\n{"id":2,"op":"toon.validate","wire":"00"}\n');
    await new Promise((resolve) => child.once('close', resolve));
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

  it('says which testees there are', async () => {
    const { code, stderr } = await wireproof(['testee', 'fold/agent']);
    expect([code, stderr]).toEqual([2, expect.stringContaining('there are toon/codec')]);
  });
});

// On its stdin and stdout: .ci/run, and the Python example. Dialling over TCP: the orchestrator below.
describe('wireproof check of TOON', () => {
  it.each([
    ['listening', ['simulate', 'toon/subagent', '--listen', '{listen}']],
    ['over WebSocket', ['simulate', 'toon/subagent', '--connect', '{url}']],
  ])('a subagent %s is conformant', async (_, target) => {
    const args = ['check', 'toon/subagent', '--json', '--', ...reference(...target)];
    const { code, stdout, stderr } = await wireproof(args);
    const { verdict, drive } = report(stdout);
    expect({ code, verdict, drive, stderr }).toEqual({
      code: 0,
      verdict: 'conformant',
      drive: 'directive',
      stderr: '',
    });
  });

  it('an orchestrator is conformant', async () => {
    const asks = ['--instruction', 'one', '--instruction', 'two', '--instruction', 'three'];
    const target = reference('simulate', 'toon/orchestrator', '--connect', '{address}', ...asks);
    const { code, stdout } = await wireproof(['check', 'toon/orchestrator', '--json', '--', ...target]);
    expect({ code, verdict: report(stdout).verdict }).toEqual({ code: 0, verdict: 'conformant' });
  });

  it('a program that says nothing is inconclusive, and why is said', async () => {
    const silent = program('silent.mjs', 'process.stdin.resume();');
    const args = ['check', 'toon/codec', '--timeout', 'step=200ms', '--', process.execPath, silent];
    const { code, stdout } = await wireproof(args);
    expect(code).not.toBe(0);
    expect(stdout).not.toContain('\nconformant');
  });

  it.each([
    [['--carrier', 'pigeon', '--', 'true'], 'toon/subagent is carried by'],
    [['--carrier', 'stdio', '--connect', '127.0.0.1:1'], 'give the command of a target after --'],
    [['--drive', 'llm', '--', 'true'], 'can be driven auto, passive or directive'],
    [[], '{address} where it dials'],
  ])('refuses %j with a sentence', async (args, sentence) => {
    const { code, stderr } = await wireproof(['check', 'toon/subagent', ...args]);
    expect([code, stderr]).toEqual([2, expect.stringContaining(sentence)]);
  });
});

describe('wireproof simulate toon/orchestrator', () => {
  it('gives a program its instructions, shows what crosses, and keeps it for judging', async () => {
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

  it('shows a violation as it happens, and ends with code 1', async () => {
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

  it('takes lines of stdin for instructions', async () => {
    const port = await freePort();
    const at = `127.0.0.1:${port}`;
    const near = spawn(process.execPath, [
      command,
      'simulate',
      'toon/orchestrator',
      '--listen',
      at,
      '--instruction',
      '-',
    ]);
    await new Promise<void>((resolve) =>
      near.stderr.on('data', (text: Buffer) => text.includes('Ctrl-C') && resolve()),
    );
    const far = spawn(process.execPath, [command, 'simulate', 'toon/subagent', '--connect', at]);
    let seen = '';
    const heard = new Promise<void>((resolve) =>
      far.stdout.on('data', (chunk: Buffer) => {
        seen += chunk.toString();
        if (seen.includes('connected')) near.stdin.write('Read the plan\n');
        if (seen.includes('completed')) resolve();
      }),
    );
    await heard;
    far.kill('SIGINT');
    near.kill('SIGINT');
    expect(seen).toContain('{"instruction":"Read the plan"}');
  });
});
