/**
 * The GitHub action, the image, and the examples of workflows: their scripts run with bash as a runner would run them,
 * also with inputs that try to become a part of a script.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import type { SpawnSyncReturns } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { command, scratch } from '../../conformance/command.test-helper.ts';
import { example, lateTextFault } from '../run.test-helper.ts';

interface Step {
  readonly id?: string;
  readonly run?: string;
  readonly shell?: string;
  readonly uses?: string;
  readonly env?: { readonly [name: string]: string };
  readonly with?: { readonly [name: string]: string };
}
interface Action {
  readonly inputs: { readonly [name: string]: { readonly default?: string } };
  readonly outputs: { readonly [name: string]: { readonly value: string } };
  readonly runs: { readonly steps: readonly Step[] };
}
interface Workflow {
  readonly permissions?: object;
  readonly jobs: { readonly [job: string]: { readonly steps: readonly Step[] } };
}

const root = packageRoot();
const read = (path: string): unknown => parse(readFileSync(join(root, path), 'utf8'));
const action = read('.github/actions/check/action.yml') as Action;
const examples = 'conformance/examples/workflows';
const workflows = readdirSync(join(root, examples)).map(
  (name) => [name, read(`${examples}/${name}`) as Workflow] as const,
);

/** A folder with an `npx` first in PATH: the built command, or a program that writes its arguments into argv.json. */
function runner(npx: 'command' | 'recorder'): { readonly folder: string; readonly env: NodeJS.ProcessEnv } {
  const folder = mkdtempSync(join(scratch, 'action-'));
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const node = `'${process.execPath}'`;
  const body =
    npx === 'command'
      ? `[ "$1" = --yes ] && [ "$2" = wireproof ] && shift 2 && exec ${node} '${command}' "$@"`
      : `exec ${node} -e 'require("node:fs").writeFileSync("argv.json", JSON.stringify(process.argv.slice(1)))' -- "$@"`;
  writeFileSync(join(bin, 'npx'), `#!/bin/bash\n${body}\n`, { mode: 0o755 });
  const env = {
    ...process.env,
    PATH: `${bin}:${process.env['PATH'] ?? ''}`,
    GITHUB_ACTIONS: 'true',
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary.md'),
  };
  writeFileSync(env.GITHUB_OUTPUT, '');
  return { folder, env };
}

/** The environment of a step, with the inputs in the place of their expressions. */
const filled = (
  env: Step['env'] = {},
  inputs: { readonly [name: string]: string },
): { readonly [name: string]: string } =>
  Object.fromEntries(
    Object.entries(env).map(([name, value]) => [
      name,
      value.replace(
        /\$\{\{ inputs\.([a-z-]+) \}\}/g,
        (_, input: string) => inputs[input] ?? action.inputs[input]?.default ?? '',
      ),
    ]),
  );

/** Runs a script as a runner does for `shell: bash`. */
const bash = (script: string, cwd: string, env: NodeJS.ProcessEnv): SpawnSyncReturns<string> =>
  spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
    cwd,
    env,
    encoding: 'utf8',
  });

/** Runs the check of the action. */
function check(
  inputs: { readonly [name: string]: string },
  npx: 'command' | 'recorder' = 'command',
): {
  readonly folder: string;
  readonly code: number | null;
  readonly said: string;
  readonly outputs: readonly string[];
} {
  const { folder, env } = runner(npx);
  const step = action.runs.steps.find(({ id }) => id === 'check');
  const ran = bash(step?.run ?? '', folder, { ...env, ...filled(step?.env, inputs) });
  const outputs = readFileSync(join(folder, 'output'), 'utf8').split('\n').slice(0, -1);
  return { folder, code: ran.status, said: `${ran.stdout}${ran.stderr}`, outputs };
}

const argvOf = (folder: string): readonly string[] =>
  JSON.parse(readFileSync(join(folder, 'argv.json'), 'utf8')) as string[];

describe('no script has an expression in it, so that no text becomes a part of a script', () => {
  const steps = [
    ...action.runs.steps.map((step) => ['action.yml', step] as const),
    ...workflows.flatMap(([name, { jobs }]) =>
      Object.values(jobs).flatMap((job) => job.steps.map((step) => [name, step] as const)),
    ),
  ].filter(([, { run }]) => run !== undefined);

  it.each(steps)('%s: %j', (_, { run }) => {
    expect(run).not.toContain('${{');
    // bash reads the whole script without a fault in its syntax.
    expect(spawnSync('bash', ['-n', '-c', run ?? ''], { encoding: 'utf8' }).stderr).toBe('');
  });

  it('and the workflows may read only', () => {
    for (const [, { permissions }] of workflows) expect(permissions).toEqual({ contents: 'read' });
  });
});

describe('the action', () => {
  const some = '--scenario=plain-message\n--only=FOLD-A15\n--timeout=handshake=30s';
  const target = (file: string): string => `${process.execPath}\n${file}\n{address}\n`;

  it('checks the example agent, and has verdict, exit code and report as outputs', () => {
    const { folder, code, said, outputs } = check({
      suite: 'fold/agent',
      args: some,
      command: target(example),
    });
    expect(code, said).toBe(0);
    expect(outputs).toEqual(['verdict=partial', 'exit-code=0', 'report=./wireproof-report.json']);
    expect(JSON.parse(readFileSync(join(folder, 'wireproof-report.json'), 'utf8'))).toMatchObject({
      suite: 'fold/agent',
    });
    expect(readFileSync(join(folder, 'summary.md'), 'utf8')).toContain('## Wireproof: fold/agent');
  });

  it('fails with the exit code of the check, and has outputs then, too', () => {
    const agent = lateTextFault('action-late-text');
    const { code, outputs, said } = check({ suite: 'fold/agent', args: some, command: target(agent) });
    expect([code, outputs], said).toEqual([
      1,
      ['verdict=not-conformant', 'exit-code=1', 'report=./wireproof-report.json'],
    ]);
  });

  it('says that there is no report when the target cannot be started', () => {
    const { code, outputs } = check({ suite: 'fold/agent', command: './none\n{address}' });
    expect([code, outputs[1]]).toEqual([3, 'exit-code=3']);
  });

  it('has an input for each name in its environment, and a step for each output', () => {
    const used = JSON.stringify(action.runs.steps).matchAll(/inputs\.([a-z-]+)/g);
    expect([...new Set([...used].map(([, name]) => name))].toSorted()).toEqual(
      Object.keys(action.inputs).toSorted(),
    );
    for (const { value } of Object.values(action.outputs))
      expect(value).toMatch(/^\$\{\{ steps\.check\.outputs\./);
  });

  it('passes each line on as one argument', () => {
    const { folder, code } = check(
      {
        suite: 'fold/agent',
        statement: 'my statement.yaml',
        args: '--drive=passive\n\n--seed\n7',
        command: "./my agent\n--name\nit's {address}",
        version: '1.2.3',
      },
      'recorder',
    );
    expect(code).toBe(0);
    expect(argvOf(folder)).toEqual([
      ...['--yes', 'wireproof@1.2.3', 'check', 'fold/agent', '--statement=my statement.yaml'],
      ...['--report=console', '--report=github', '--report=json=wireproof-report.json'],
      ...['--drive=passive', '--seed', '7', '--', './my agent', '--name', "it's {address}"],
    ]);
  });
});

describe('an input that would be a script', () => {
  const attacks = [
    '; touch pwned',
    '$(touch pwned)',
    '`touch pwned`',
    '"; touch pwned; "',
    "'; touch pwned; '",
    'x\ntouch pwned',
    'x\nverdict=conformant\n',
    '${INPUT_SUITE@P}',
    '* ? [a]',
    '--version',
    'EOF\ntouch pwned\n',
  ];
  const inputs = Object.keys(action.inputs).filter((name) => !/node-version|artifact|working/.test(name));

  it.each(inputs.flatMap((name) => attacks.map((text) => [name, text] as const)))('%s: %j', (name, text) => {
    const { folder, outputs } = check({ suite: 'fold/agent', [name]: text }, 'recorder');
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
    const names = outputs.map((line) => line.split('=')[0]);
    expect([['verdict', 'exit-code', 'report'].join(), ['exit-code', 'verdict'].join()]).toContain(
      names.join(),
    );
    expect(outputs).not.toContain('verdict=conformant');
    if (!existsSync(join(folder, 'argv.json'))) return expect(outputs).toContain('exit-code=2');
    // It arrived as what it is: whole lines of it.
    const argv = argvOf(folder).join('\n');
    for (const line of text.split('\n')) expect(argv).toContain(line);
  });
});

describe('the workflow of fixtures', () => {
  it('makes vectors that the kit verifies', () => {
    const { folder, env } = runner('command');
    const steps = Object.values(workflows.find(([name]) => name === 'fixtures.yml')?.[1].jobs ?? {}).flatMap(
      (job) => job.steps.filter(({ run }) => run?.startsWith('npx') === true),
    );
    expect(steps).toHaveLength(2);
    const [generate, verify] = steps.map(({ run = '' }) => run);
    const refused = bash(generate ?? '', folder, { ...env, SEED: '42"; touch pwned; "' });
    expect([refused.status, refused.stderr]).toEqual([
      2,
      expect.stringContaining('touch pwned; ": expected up to'),
    ]);
    for (const script of [generate, verify]) {
      const ran = bash(script ?? '', folder, { ...env, SEED: '42' });
      expect(ran.status, ran.stderr).toBe(0);
    }
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
    expect(readdirSync(join(folder, 'vectors')).length).toBeGreaterThan(1);
  });
});

describe('the image', () => {
  const lines = readFileSync(join(root, '.docker/Dockerfile'), 'utf8')
    .replaceAll('\\\n', ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
  const stage = lines.slice(lines.findLastIndex((line) => line.startsWith('FROM ')));

  it('runs the command as another user than root', () => {
    expect(stage.filter((line) => line.startsWith('USER '))).toEqual(['USER node']);
    expect(stage.indexOf('USER node')).toBeGreaterThan(
      stage.findLastIndex((line) => line.startsWith('RUN ')),
    );
    expect(stage).toContain('ENTRYPOINT ["wireproof"]');
  });

  it('has scripts that a shell can read, from a Node.js that the package supports', () => {
    const scripts = lines.flatMap((line) => /^RUN (.*)$/.exec(line)?.[1] ?? []);
    expect(scripts).toHaveLength(2);
    for (const script of scripts) execFileSync('sh', ['-n', '-c', script]);
    const majors = lines.flatMap((line) => /^FROM node:(\d+)-slim/.exec(line)?.[1] ?? []);
    expect(majors.map(Number).every((major) => major >= 20)).toBe(true);
    expect(majors).toHaveLength(2);
  });

  it('is built without what the checkout has made', () => {
    const ignored = readFileSync(join(root, '.docker/Dockerfile.dockerignore'), 'utf8').split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['node_modules', 'dist', '.git', '**/generated']));
  });
});
