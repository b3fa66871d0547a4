/** The runners of golden vectors, in three languages: they pass a right library, and name each test that a wrong one fails. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { TestContext } from 'vitest';
import { scratch } from '../command.test-helper.ts';
import { vectorFolder } from '../../src/kit/spec/index.ts';
import { builtByCargo } from './cargo.test-helper.ts';
import { example, python38, pythonFor } from './python.test-helper.ts';

/** How a runner is started; without that, the reason. */
interface Runner {
  readonly start: readonly string[] | undefined;
  readonly why: string;
}

const python = python38();

/** Builds the runner in Go. Says so when it cannot be built. */
function builtByGo(): Runner {
  const path = join(scratch, 'run_vectors_go');
  const sources = ['run_vectors', 'compare', 'answer'].map((name) =>
    example(`vectors/run_vectors_go/${name}.go`),
  );
  const { status, stderr, error } = spawnSync('go', ['build', '-o', path, ...sources], {
    encoding: 'utf8',
    timeout: 120_000,
    env: { GOCACHE: join(scratch, 'go-cache'), ...process.env, GOFLAGS: '', GOPROXY: 'off' },
  });
  if (status === 0) return { start: [path], why: '' };
  const why = `go cannot build the runner: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? 'fails'}; on Debian: apt install golang-go`;
  console.warn(`skipped: ${why}`);
  return { start: undefined, why };
}

function builtInRust(): Runner {
  const { path, why } = builtByCargo(
    'vectors/run_vectors',
    ['serde_json', 'ryu'],
    'cargo librust-serde-json-dev',
  );
  return { start: path === undefined ? undefined : [path], why };
}

const inPython: Runner = {
  start: python.path === undefined ? undefined : [python.path, example('vectors/run_vectors.py')],
  why: python.why,
};

/** A copy of TOON's vectors with one change in header.json; `listed`: whether the manifest has the sum of the change. */
function changed(name: string, from: string, to: string, listed: boolean): string {
  const folder = join(scratch, name);
  cpSync(vectorFolder('toon'), folder, { recursive: true });
  const [before, manifest] = ['header.json', 'manifest.json'].map((file) =>
    readFileSync(join(folder, file), 'utf8'),
  );
  const after = before?.replace(from, () => to) ?? '';
  expect(after).not.toBe(before);
  writeFileSync(join(folder, 'header.json'), after);
  const sum = (text: string): string => createHash('sha256').update(text).digest('hex');
  if (listed)
    writeFileSync(join(folder, 'manifest.json'), manifest?.replace(sum(before ?? ''), sum(after)) ?? '');
  return folder;
}

/** How many tests a folder of vectors has. */
function testsOf(folder: string): number {
  const parse = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  const { files } = parse('manifest.json') as { readonly files: Readonly<Record<string, unknown>> };
  return Object.keys(files)
    .flatMap((name) => (parse(name) as { groups: { tests: unknown[] }[] }).groups)
    .reduce((sum, { tests }) => sum + tests.length, 0);
}

/** How many tests a runner speaks of: those that passed and those that it skipped. */
const testsNamed = (stdout: string): number =>
  [...stdout.matchAll(/(\d+) (?:tests of|passed|skipped)/g)].reduce(
    (sum, [, count]) => sum + Number(count),
    0,
  );

describe.each([
  ['Python', inPython],
  ['Go', builtByGo()],
  ['Rust', builtInRust()],
])('the runner in %s', (_, { start, why }) => {
  const run = (
    context: TestContext,
    folder: string,
    testee: readonly string[] = [python.path ?? '', example('toon_testee.py')],
  ): { readonly status: number | null; readonly stdout: string; readonly stderr: string } => {
    if (start === undefined || python.path === undefined)
      return context.skip(start === undefined ? why : python.why);
    const [program = '', ...rest] = start;
    return spawnSync(program, [...rest, folder, ...testee], { encoding: 'utf8', timeout: 120_000 });
  };

  it('passes the example codec of TOON, and says what it skips', (context) => {
    const { status, stdout } = run(context, vectorFolder('toon'));
    expect(stdout).toMatch(/\d.*toon\.encode.*wireproof check/);
    expect(testsNamed(stdout)).toBe(testsOf(vectorFolder('toon')));
    expect([status, stdout.includes('expected')]).toEqual([0, false]);
  });

  it('passes Google’s decoder of Fold', (context) => {
    const { path, why: none } = pythonFor('import google.protobuf', 'python3-protobuf');
    if (path === undefined) return context.skip(none);
    const { status, stdout } = run(context, vectorFolder('fold'), [path, example('fold_testee.py')]);
    expect(testsNamed(stdout)).toBe(testsOf(vectorFolder('fold')));
    expect(stdout).toMatch(/[1-9]\d* passed/);
    expect(status).toBe(0);
  });

  it('names a test that fails, with its comment, what was expected and what came', (context) => {
    const folder = changed('doctored-vector', '"sequenceId":1,', '"sequenceId":2,', true);
    const { status, stdout } = run(context, folder);
    expect(stdout).toMatch(
      /header-known-answer"?: .*\n +expected .*"sequenceId": ?2.*\n +came .*"sequenceId": ?1/,
    );
    expect(status).toBe(1);
  });

  it('names a file that is not the one of the manifest', (context) => {
    const folder = changed('doctored-file', '"sequenceId":1,', '"sequenceId":2,', false);
    const { status, stdout, stderr } = run(context, folder);
    expect(stdout + stderr).toMatch(/header\.json: its SHA-256 is not that of manifest\.json/);
    expect(status).toBe(1);
  });

  it('fails a program that refuses everything', (context) => {
    const script = `import json, sys\nfor line in sys.stdin: print(json.dumps({'id': json.loads(line)['id'], 'error': {'code': 'no', 'message': 'no'}}), flush=True)`;
    const { status, stdout } = run(context, vectorFolder('toon'), [python.path ?? '', '-c', script]);
    expect(stdout).toContain('header-known-answer');
    expect(status).toBe(1);
  });
});

it.each([
  'vectors/run_vectors.py',
  'vectors/run_vectors_go/run_vectors.go',
  'vectors/run_vectors/src/main.rs',
])('%s has less than 100 lines', (name) => {
  expect(readFileSync(example(name), 'utf8').split('\n').length - 1).toBeLessThan(100);
});
