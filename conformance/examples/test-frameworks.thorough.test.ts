/** The examples for pytest and Go: each requirement is a test, red where the check is red. */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { command } from '../command.test-helper.ts';
import { reversing } from '../reversing-testee.test-helper.ts';
import { pythonFor } from './python.test-helper.ts';

// Outside of the scratch folder, which is in node_modules: Go does not look for packages there.
const project = mkdtempSync(join(tmpdir(), 'wireproof-frameworks-'));
const broken = join(project, 'broken');
const env = {
  ...process.env,
  PATH: `${join(project, 'bin')}:${process.env['PATH'] ?? ''}`,
  GOCACHE: join(project, 'cache'),
  GOPROXY: 'off',
  GOFLAGS: '-mod=mod',
  GITHUB_ACTIONS: '',
  PYTHONDONTWRITEBYTECODE: '1',
};

/** Runs a program in the project. @returns its exit code, and all that it printed */
function run(
  argv: readonly string[],
  folder: string,
): { readonly code: number | null; readonly said: string } {
  const [file = '', ...args] = argv;
  const cwd = join(project, folder);
  const { status, stdout, stderr } = spawnSync(file, args, { cwd, env, encoding: 'utf8', timeout: 150_000 });
  return { code: status, said: `${stdout}${stderr}` };
}

const statement = (more = ''): void =>
  writeFileSync(
    join(project, 'wireproof.yaml'),
    `suite: tokens/manager\ntarget: { command: ${JSON.stringify(reversing(broken))} }\n${more}`,
  );

beforeAll(() => {
  for (const name of ['pytest', 'go'])
    cpSync(join(packageRoot(), 'conformance/examples', name), join(project, name), { recursive: true });
  mkdirSync(join(project, 'bin'));
  // The statement is above the folder of the tests, as in a repository.
  mkdirSync(join(project, '.git'));
  writeFileSync(
    join(project, 'bin/npx'),
    `#!/bin/sh\nshift\nexec '${process.execPath}' '${command}' "$@" --trace off\n`,
    { mode: 0o755 },
  );
});

afterAll(() => rmSync(project, { recursive: true, force: true }));

const goes = spawnSync('go', ['version']).status === 0;
const { path: python, why } = pythonFor('import pytest', 'python3-pytest');

describe.each([
  {
    name: 'pytest',
    missing: python === undefined ? why : undefined,
    argv: [python ?? '', '-m', 'pytest', '-v', '-p', 'no:cacheprovider'],
    passed: /test_requirement\[TOK-09\] PASSED/,
    failed: /test_requirement\[TOK-09\] FAILED/,
    known: /test_requirement\[TOK-09\] XFAIL/,
    other: /test_requirement\[TOK-02\] PASSED/,
    ofTargets: [/test_requirement\[one-TOK-09\] PASSED/, /test_requirement\[two-TOK-09\] PASSED/],
  },
  {
    name: 'go',
    missing: goes ? undefined : 'no Go',
    argv: ['go', 'test', '-count=1', '-v', './...'],
    passed: /--- PASS: TestConformance\/TOK-09/,
    failed: /--- FAIL: TestConformance\/TOK-09/,
    known: /--- SKIP: TestConformance\/TOK-09/,
    other: /--- PASS: TestConformance\/TOK-02/,
    ofTargets: [/--- PASS: TestConformance\/one\/TOK-09/, /--- PASS: TestConformance\/two\/TOK-09/],
  },
])('$name', ({ name, missing, argv, passed, failed, known, other, ofTargets }) => {
  it('passes for a conformant target', (context) => {
    if (missing !== undefined) return context.skip(missing);
    rmSync(broken, { force: true });
    statement();
    const { code, said } = run(argv, name);
    expect(said).toMatch(passed);
    expect(code, said).toBe(0);
  });

  it('shows a failed row as a failed test, with its message, and the others as they are', (context) => {
    if (missing !== undefined) return context.skip(missing);
    writeFileSync(broken, '');
    statement();
    const { code, said } = run(argv, name);
    expect(said).toMatch(failed);
    expect(said).toMatch(other);
    expect(said).toContain('expected the order');
    expect(code).toBe(1);
  });

  it('does not fail for a known failure', (context) => {
    if (missing !== undefined) return context.skip(missing);
    writeFileSync(broken, '');
    const rows = ['TOK-01', 'TOK-09'].map((id) => `{ id: ${id}, reason: known }`);
    statement(`expected_failures: [${rows.join(', ')}]\n`);
    const { code, said } = run(argv, name);
    expect(said).toMatch(known);
    expect(code, said).toBe(0);
  });

  it('has the requirements of each target of a statement', (context) => {
    if (missing !== undefined) return context.skip(missing);
    rmSync(broken, { force: true });
    const target = `{ suite: tokens/manager, target: { command: ${JSON.stringify(reversing(broken))} } }`;
    writeFileSync(join(project, 'wireproof.yaml'), `targets:\n  one: ${target}\n  two: ${target}\n`);
    const { code, said } = run(argv, name);
    for (const one of ofTargets) expect(said).toMatch(one);
    expect(code, said).toBe(0);
  });

  it('fails when there is no report', (context) => {
    if (missing !== undefined) return context.skip(missing);
    writeFileSync(join(project, 'wireproof.yaml'), 'suite: tokens/manager\ntarget: { command: [./none] }\n');
    const { code, said } = run(argv, name);
    expect(code).not.toBe(0);
    expect(said).toMatch(/no report|cannot start/);
  });
});
