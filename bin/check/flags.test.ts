/** Flags of `wireproof check` that change what is played or how a verdict is read. */
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { checked, example, faulty, longTimeouts, program, wireproof } from '../run.test-helper.ts';

async function check(
  args: readonly string[],
  target: string,
): Promise<{ code: number | null; report: Report }> {
  const command = ['fold/agent', ...longTimeouts, ...args];
  const { code, report, stderr } = await checked(command, ['node', target, '{address}']);
  if (report === undefined) throw new Error(stderr);
  return { code, report };
}

const rowOf = (report: Report, id: string): Report['requirements'][number] | undefined =>
  report.requirements.find((row) => row.id === id);

describe('a profile', () => {
  // Decision 5: some agents in the field send done after error.
  const both = (): string =>
    faulty(
      'error-then-done',
      'if (terminal) this.send(terminal);',
      'if (terminal) { this.send(terminal); if (terminal.error !== undefined) this.send({ done: {} }); }',
    );
  const only = ['--only', 'FOLD-A15', '--scenario', 'request-fails'];

  it('reports a deviation that it lists as known', async () => {
    const { code, report } = await check([...only, '--profile', 'coven-compat'], both());
    expect(rowOf(report, 'FOLD-A15')).toMatchObject({ verdict: 'fail', expected_failure: {} });
    expect(report.problems).toEqual([]);
    expect(code).not.toBe(1);
  });

  it('is no problem for an agent without the deviation', async () => {
    const { code, report } = await check([...only, '--profile', 'coven-compat'], example);
    expect(rowOf(report, 'FOLD-A15')?.verdict).toBe('pass');
    expect(code).toBe(0);
  });

  it('is needed: without it, the deviation is a violation', async () => {
    const { code } = await check(only, both());
    expect(code).toBe(1);
  });
});

describe('shards', () => {
  it('play each scenario once, and the probe in every shard', async () => {
    const parts = await Promise.all(
      ['1/2', '2/2'].map((shard) => check(['--shard', shard, '--only', 'FOLD-A4*', '--jobs', '2'], example)),
    );
    const names = parts.map(({ report }) => report.scenarios.map(({ name }) => name));
    const [first = [], second = []] = names;
    expect(first.filter((name) => second.includes(name))).toEqual([]);
    expect([...first, ...second].length).toBeGreaterThan(60);
  });
});

describe('invalid flags', () => {
  it.each([
    [['--profile', 'lenient'], 'fold/agent has coven-compat'],
    [['--carrier', 'pigeon'], 'fold is carried by gRPC'],
    [['--shard', '3/2'], 'expected i/n'],
  ])('%j are refused', async (args, sentence) => {
    const { code, stderr } = await wireproof([
      'check',
      'fold/agent',
      ...args,
      '--',
      'node',
      example,
      '{address}',
    ]);
    expect(stderr).toContain(sentence);
    expect(code).toBe(2);
  });
});

describe('the output', () => {
  it('has no colour without a terminal, also in CI', async () => {
    const args = ['check', 'fold/agent', ...longTimeouts, '--scenario', 'plain-message', '--trace', 'off'];
    const env = { CI: 'true', NO_COLOR: '' };
    const ran = await wireproof([...args, '--', 'node', example, '{address}'], { env });
    expect(ran.stdout).toContain('fold/agent');
    expect(ran.stdout + ran.stderr).not.toContain('\u001b');
  });
});

describe('without a suite before --', () => {
  it('takes the suite from the statement, and everything after -- as the command', async () => {
    const statement = program('no-suite.yaml', 'suite: fold/agent\ntools: { quick: echo }\n');
    const args = [
      'check',
      '--statement',
      statement,
      ...longTimeouts,
      '--scenario',
      'plain-message',
      '--trace',
      'off',
    ];
    const ran = await wireproof([...args, '--', 'node', example, '{address}']);
    expect(ran.stdout).toContain('fold/agent revision');
    expect(ran.stderr).toMatch(/tools of the statement have no effect/);
  });

  it('asks for a suite when there is no statement', async () => {
    const ran = await wireproof(['check', '--', 'node', example, '{address}']);
    expect([ran.code, ran.stderr]).toEqual([2, expect.stringMatching(/no suite: name one/)]);
  });
});

it('a mistyped placeholder is named, and the program gets it as it is', async () => {
  const target = program(
    'shows-arguments.mjs',
    "console.error(process.argv.slice(2).join(' ')); process.exit(1);",
  );
  const flags = ['--only', 'FOLD-A01', '--timeout', 'handshake=2s', '--trace', 'off'];
  const { stderr } = await wireproof([
    'check',
    'fold/agent',
    ...flags,
    '--',
    'node',
    target,
    '{adress}',
    '{own}',
  ]);
  expect(stderr).toContain('note: {adress} is no placeholder, and stays as it is; did you mean {address}?');
  expect(stderr).not.toContain('{own} is no placeholder');
});
