/** A shell that closes stdout, has a full disk or few open files, or gives no command: a sentence, a verdict, no stack. */
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { command, RunningProgram } from '../../conformance/command.test-helper.ts';
import type { Ran } from '../../conformance/command.test-helper.ts';
import { untilNoProcess, wireproof } from '../run.test-helper.ts';

/** Runs a line of sh, in which `$W` is the built command. */
const shell = (line: string): Promise<Ran> =>
  new RunningProgram(['sh', '-c', line.replaceAll('$W', `"${process.execPath}" "${command}"`)]).ended;

/** One row of a suite whose reports and traces have somewhere to go, or have not. */
const check = '$W check toon/codec --only TOON-05';
const testee = '-- $W testee toon/codec';

const isStack = /^\s+at .+:\d+:\d+\)?$/m;

describe('stdout', () => {
  it('that is closed ends a command without a word', async () => {
    const { stderr } = await shell('$W limits | head -1 > /dev/null');
    expect(stderr).toBe('');
  });

  it('that is closed ends a simulator and its target', { timeout: 60_000 }, async () => {
    const mark = `shell-test-${process.pid}`;
    const target = `'${process.execPath}' -e 'setTimeout(() => {}, 60000)' ${mark}`;
    await shell(
      `$W simulate toon/orchestrator --instruction hello --idle 2s -- ${target} | head -1 > /dev/null`,
    );
    await untilNoProcess(mark);
  });

  it.runIf(existsSync('/dev/full'))('that is full is one sentence', async () => {
    const { code, stderr } = await shell(`${check} --json --trace off ${testee} > /dev/full`);
    expect(code).toBe(3);
    expect(stderr).toMatch(/^wireproof: cannot write to stdout: ENOSPC.*\n$/);
  });
});

it('where no trace can be written, the verdict stands', { timeout: 60_000 }, async () => {
  const { code, stdout, stderr } = await shell(
    `${check} --json --trace all --trace-dir /dev/null/x ${testee}`,
  );
  expect(code).toBe(0);
  expect((JSON.parse(stdout) as Report).verdict).toBe('partial');
  expect(stderr).toContain('note: no trace is kept: cannot write the trace /dev/null/x/');
});

it('an empty command is a wrong command', async () => {
  const { code, stderr } = await wireproof(['check', 'fold/agent', '--']);
  expect(code).toBe(2);
  expect(stderr).toContain('no target: give its command after --');
});

it.each([
  ['llm/server', /such as(?:\n {2}wireproof check llm\/server .*-- \.\/my-server --port \{port\})+\n/u],
  ['llm/client', /\n {2}wireproof check llm\/client --carrier http -- \.\/my-agent$/mu],
  ['koda/engine', /\n {2}wireproof check koda\/engine -- \.\/my-engine$/mu],
])('without a command, the example is of the suite: %s', async (suite, example) => {
  const { code, stderr } = await wireproof(['check', suite]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(example)]);
});

it('a list can be of all suites of a protocol', async () => {
  const { code, stdout } = await wireproof(['list', 'suites', 'koda']);
  expect([code, stdout.match(/^koda\/\w+/gmu)]).toEqual([0, ['koda/codec', 'koda/engine', 'koda/client']]);
});

it.runIf(process.platform === 'linux')('too few open files are one sentence', async () => {
  const { code, stderr } = await shell('ulimit -n 40; $W check toon/codec -- echo hello');
  expect(code).toBe(3);
  expect(stderr).toMatch(/^wireproof: at most 40 files can be open/);
  expect(stderr).not.toMatch(isStack);
});

it.runIf(process.platform === 'linux')(
  'a target is stopped with its children',
  { timeout: 60_000 },
  async () => {
    const mark = `shell-child-${process.pid}`;
    const target = `sh -c '"${process.execPath}" -e "setTimeout(() => {}, 60000)" ${mark} & wait' {address}`;
    const { code } = await shell(`$W check fold/agent --timeout handshake=500ms --trace off -- ${target}`);
    expect(code).toBe(3);
    await untilNoProcess(mark);
  },
);
