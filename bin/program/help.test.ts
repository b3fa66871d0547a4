/** The entry prints help without loading commander. Text and exit code are the same as commander's. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { scratch } from '../run.test-helper.ts';

const built = join(packageRoot(), 'dist/bin');

/** Runs a built file without a terminal. @returns its exit code, stdout and stderr */
function run(file: string, args: readonly string[]): readonly unknown[] {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' });
  return [status, stdout, stderr];
}

const help = readFileSync(join(built, 'help.txt'), 'utf8');
const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
  version: string;
};

describe.each([
  [['--help'], 0, help, ''],
  [['-h'], 0, help, ''],
  [['help'], 0, help, ''],
  [['--version'], 0, `${version}\n`, ''],
  [['-V'], 0, `${version}\n`, ''],
  [[], 2, '', help],
] as const)('wireproof %j', (args, ...expected) => {
  it('is printed by the entry', () => {
    expect(run(join(built, 'wireproof.cjs'), args)).toEqual(expected);
  });

  it('is the same from commander', () => {
    expect(run(join(built, 'program/program.cjs'), args)).toEqual(expected);
  });

  it('is the same when the build wrote no help file', () => {
    const copy = join(scratch, 'no-help');
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(join(copy, 'dist/bin/program'), { recursive: true });
    copyFileSync(join(packageRoot(), 'package.json'), join(copy, 'package.json'));
    const programs = readdirSync(join(built, 'program'))
      .filter((name) => name.endsWith('.cjs'))
      .map((name) => `program/${name}`);
    for (const file of ['wireproof.cjs', 'node-version.cjs', 'registry.json', ...programs])
      copyFileSync(join(built, file), join(copy, 'dist/bin', file));
    expect(run(join(copy, 'dist/bin/wireproof.cjs'), args)).toEqual(expected);
  });
});

it('the root help names every suite', () => {
  const { suites } = JSON.parse(readFileSync(join(built, 'completion.json'), 'utf8')) as {
    suites: readonly string[];
  };
  expect(suites.length).toBeGreaterThanOrEqual(14);
  for (const suite of suites) expect(help).toContain(suite);
});

it('the flags of check are in groups', () => {
  const text = String(run(join(built, 'program/program.cjs'), ['check', '--help'])[1]);
  const groups = ['Target:', 'Playing:', 'Selection:', 'Verdict:', 'Reports:', 'Traces:', 'Other:'];
  expect(text.match(/^[A-Z][a-z]+:$/gm)).toEqual(['Arguments:', ...groups, 'Examples:']);
  expect(text).not.toContain('default: []');
});

it('passes more than one argument on to commander', () => {
  const [code, stdout] = run(join(built, 'wireproof.cjs'), ['help', 'check']);
  expect([code, String(stdout).startsWith('Usage: wireproof check')]).toEqual([0, true]);
  expect(run(join(built, 'wireproof.cjs'), ['--help', '--help'])).toEqual([0, help, '']);
});

it.each([
  [['chekc'], 'wireproof'],
  [['fixtures', 'verify', '--no-such-flag'], 'wireproof fixtures verify'],
])('a mistake in %j names its own help', (args, command) => {
  const [code, , stderr] = run(join(built, 'program/program.cjs'), args);
  expect([code, String(stderr).trimEnd().split('\n').at(-1)]).toEqual([2, `(see ${command} --help)`]);
});

it('a mistake in the flags of a verb that starts a program says where its command stands', () => {
  const [code, , stderr] = run(join(built, 'program/program.cjs'), [
    'check',
    'fold/agent',
    './mine',
    '--gateway',
    'x',
  ]);
  expect([code, String(stderr)]).toEqual([
    2,
    expect.stringContaining(
      '(see wireproof check --help; the command of the target, with its own flags, stands after --)',
    ),
  ]);
});
