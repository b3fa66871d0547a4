/** Statements of several targets, and statements that are found in a folder above. */
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { reversing } from '../../conformance/reversing-testee.test-helper.ts';
import { command } from '../../conformance/command.test-helper.ts';
import { scratch, wireproof } from '../run.test-helper.ts';
import type { Ran } from '../run.test-helper.ts';

let project = '';
const write = (text: string, name = 'wireproof.yaml'): void => writeFileSync(join(project, name), text);
const check = (args: readonly string[], folder = project): Promise<Ran> =>
  wireproof(['check', '--trace', 'off', ...args], { cwd: folder });
/** One row, which the faulty target violates: what these tests are about does not depend on how many there are. */
const row = ['--only', 'TOK-09'];

beforeEach(() => {
  project = mkdtempSync(join(scratch, 'targets-'));
  // A repository of its own: the search for a statement ends here.
  mkdirSync(join(project, '.git'));
  mkdirSync(join(project, 'src/deep'), { recursive: true });
  writeFileSync(
    join(project, 'manager.sh'),
    `#!/bin/sh\nexec '${process.execPath}' '${command}' testee tokens/manager\n`,
    { mode: 0o755 },
  );
});

const manager = 'suite: tokens/manager\ncommand: [./manager.sh]'.replace('\n', ', ');
const faulty = (): string => {
  const broken = join(project, 'broken');
  writeFileSync(broken, '');
  return `suite: tokens/manager, command: ${JSON.stringify(reversing(broken))}`;
};

describe('a statement of several targets', () => {
  it('is checked target by target, with the worst exit code', async () => {
    write(
      `targets:\n  good: {${manager}}\n  gone: {suite: tokens/manager, command: [./none]}\n  bad: {${faulty()}}\n`,
    );
    const { code, stderr, stdout } = await check(row);
    // Nothing is known of a target that did not start: worse than a failure.
    expect(code).toBe(3);
    expect(stderr).toMatch(/3 of 3 targets checked: good passed, gone not reached, bad not conformant/);
    expect(stdout.match(/^(?:partial|not conformant): /gm)).toEqual(['partial: ', 'not conformant: ']);
  });

  it('writes a report for each, where {name} is in the path', async () => {
    write(`targets:\n  good: {${manager}}\n  bad: {${faulty()}}\n`);
    const { code } = await check([...row, '--report', 'json=out/{name}.json']);
    expect(code).toBe(1);
    const verdicts = ['good', 'bad'].map(
      (name) =>
        (JSON.parse(readFileSync(join(project, `out/${name}.json`), 'utf8')) as { verdict: string }).verdict,
    );
    expect(verdicts).toEqual(['partial', 'not-conformant']);
    expect(readdirSync(join(project, 'out')).length).toBe(2);
  });

  it('is merged from shards target by target, also when their drives differ', async () => {
    write(`targets:\n  good: {${manager}, drive: operations}\n  bad: {${faulty()}}\n`);
    for (const part of ['1/2', '2/2'])
      await check([...row, '--seed', '7', '--shard', part, '--report', `json=s-${part[0]}-{name}.json`]);
    const files = ['1-bad', '2-bad', '1-good', '2-good'].map((name) => `s-${name}.json`);
    const merge = (...args: readonly string[]): Promise<Ran> =>
      wireproof(['report', 'merge', ...args], { cwd: project });
    const { code, stdout, stderr } = await merge(...files);
    expect([code, stdout.match(/^(?:partial|not conformant): /gm)]).toEqual([
      1,
      ['not conformant: ', 'partial: '],
    ]);
    expect(stderr).toMatch(/== bad \(tokens\/manager\)[^]*== good \(tokens\/manager\)/u);
    expect((await merge(...files, '--report', 'json=out/{name}.json')).code).toBe(1);
    expect(readdirSync(join(project, 'out'))).toEqual(['bad.json', 'good.json']);
    const missing = await merge(...files.slice(1));
    expect([missing.code, missing.stderr]).toEqual([
      2,
      expect.stringContaining('target bad: a shard is missing: 1/2'),
    ]);
  });

  it('plays one by its name, and by its suite when no other target has it', async () => {
    write(`targets:\n  one: {${manager}}\n  two: {suite: toon/codec, command: [./none]}\n`);
    for (const word of ['one', 'tokens/manager']) {
      const { code, stdout } = await check([word, ...row]);
      expect([code, stdout]).toEqual([0, expect.stringMatching(/^\.\/manager\.sh/)]);
    }
  });

  it('names the target in the command that repeats a failure, and keeps its traces apart', async () => {
    write(`targets:\n  good: {${manager}}\n  bad: {${faulty()}}\n`);
    const { stdout, stderr } = await wireproof(['check', ...row], { cwd: project });
    expect(stdout).toContain('again: npx wireproof check bad --only TOK-09');
    expect(stderr).toMatch(/trace(?:s)? kept: \.wireproof\/traces\/bad/);
  });

  it.each([
    [['--json'], /write \{name\} in the path/],
    [['--report', 'junit=out.xml'], /such as junit=wireproof-\{name\}\.xml/],
    [['--', './x'], /the command after -- is for one target; name one of a, b/],
    [['--listen', '127.0.0.1:0'], /--listen is for one target/],
    [['c'], /c: no such target in wireproof\.yaml; its targets are a, b/],
    [['tokens/manager'], /several targets of tokens\/manager: name one of a, b/],
    [[], /^wireproof: target b: the statement claims the feature "x"/],
  ])('refuses %j before a target starts', async (args, sentence) => {
    write(`targets:\n  a: {${manager}}\n  b: {${manager}, features: [x]}\n`);
    const { code, stdout, stderr } = await check(args);
    expect(stderr).toMatch(sentence);
    expect([code, stdout]).toEqual([2, '']);
  });
});

it('says where a known failure is that the suite does not have, and which one may be meant', async () => {
  write(
    `targets:\n  a: {${manager}}\n  b: {${manager}, expected_failures: [{id: TOK-099, reason: known}]}\n`,
  );
  const { code, stderr } = await check([]);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining(
      'target b: wireproof.yaml:3:80: expected_failures names TOK-099 (did you mean TOK-09?), which is not a requirement of tokens/manager',
    ),
  ]);
});

describe('a statement above the folder', () => {
  const single = 'suite: tokens/manager\ntarget: { command: [./manager.sh] }\n';

  it('is found, said, and its paths are those of its folder', async () => {
    write(single, 'wireproof.yml');
    const { code, stderr } = await check(row, join(project, 'src/deep'));
    expect([code, stderr]).toEqual([0, 'note: the statement is ../../wireproof.yml\n']);
  });

  it('is named, and its paths are those of its folder; a command after -- is of this folder', async () => {
    write(single);
    const deep = join(project, 'src/deep');
    expect((await check(['--statement', '../../wireproof.yaml', ...row], deep)).code).toBe(0);
    const own = await check(['--', './manager.sh'], deep);
    expect([own.code, own.stderr]).toEqual([
      3,
      expect.stringContaining('cannot start the target "./manager.sh"'),
    ]);
  });

  it('is not looked for outside of the repository', async () => {
    write(single);
    mkdirSync(join(project, 'src/deep/.git'));
    const { code, stderr } = await check([], join(project, 'src/deep'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('no suite: name one')]);
  });

  it('is refused when a folder has both names', async () => {
    write(single);
    write(single, 'wireproof.yml');
    const { code, stderr } = await check([], join(project, 'src'));
    expect([code, stderr]).toEqual([2, expect.stringContaining('has both wireproof.yaml and wireproof.yml')]);
    rmSync(join(project, 'wireproof.yml'));
  });
});
