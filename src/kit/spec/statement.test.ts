/** Statements of one target and of several, and where a statement is found. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { WireproofError } from '../base/index.ts';
import { findStatement } from './find-statement.ts';
import { readStatement, readStatements, statementOfValue } from './statement.ts';

const root = mkdtempSync(join(tmpdir(), 'wireproof-statement-'));
const file = join(root, 'wireproof.yaml');
afterAll(() => rmSync(root, { recursive: true }));

const read = (text: string): ReturnType<typeof readStatements> => {
  writeFileSync(file, text);
  return readStatements(file);
};

function refusal(action: () => unknown): string {
  try {
    action();
  } catch (error) {
    expect(error).toBeInstanceOf(WireproofError);
    return (error as WireproofError).message.replace(file, 'f');
  }
  throw new Error('not refused');
}

describe('a statement', () => {
  it('has the paths of its files from its folder', () => {
    const [one] = read(
      'suite: fold/gateway\ntarget: { connect: "grpcs://h:1", ca: ca.pem }\nauth: { ssh_key_file: ./key, revoked_ssh_key_file: /k }\n',
    );
    expect(one).toMatchObject({
      name: undefined,
      statement: {
        suite: 'fold/gateway',
        folder: root,
        target: { connect: 'grpcs://h:1', ca: join(root, 'ca.pem') },
        auth: { ssh_key_file: join(root, 'key'), revoked_ssh_key_file: '/k' },
      },
    });
  });

  it('of several targets is one for each, in their order', () => {
    const targets = read(
      'targets:\n  z: { suite: fold/agent, command: [./a], drive: passive }\n  a: { suite: fold/agent, target: { listen: "127.0.0.1:1" } }\n  n: { suite: toon/codec }\n',
    );
    expect(targets.map(({ name, statement }) => [name, statement.target, statement.drive])).toEqual([
      ['z', { command: ['./a'] }, 'passive'],
      ['a', { listen: '127.0.0.1:1' }, undefined],
      ['n', undefined, undefined],
    ]);
  });

  it.each([
    [
      'drive: auto\ntargets: { a: { suite: a/b } }',
      /^f:1:8: .*beside targets, expected no other key; came drive/,
    ],
    ['targets: {}', /targets: .*at least/],
    ['targets: { "a b": { suite: a/b } }', /expected a name of letters, digits, dots and dashes; came "a b"/],
    ['targets: { a: { drive: auto } }', /targets\.a: expected the key suite/],
    [
      'targets: { a: { suite: a/b, command: [x], target: { listen: "1" } } }',
      /targets\.a: expected no way .* came command/,
    ],
    [
      'targets: { a: { suite: a/b, command: [x], listen: "1" } }',
      /exactly one of command, listen, connect; came command, listen/,
    ],
    ['targets: { a: { suite: a/b, command: [x], ca: y } }', /expected connect beside ca and token_env/],
    [
      'suite: a/b\ntimeouts: { step: 5 }',
      /timeouts\.step: expected a time in words, such as 300ms, 5s or 2m; came 5/,
    ],
  ])('%j is refused', (text, expected) => expect(refusal(() => read(text))).toMatch(expected));

  it('of several targets is refused where one is expected', () => {
    writeFileSync(file, 'targets: { a: { suite: a/b }, b: { suite: a/b } }');
    expect(refusal(() => readStatement(file))).toBe('f: expected a statement of one target; came a, b');
  });
});

describe('a statement that a program made', () => {
  it('has the paths of its files from the folder that it names', () => {
    const auth = { ssh_key_file: 'key' };
    expect(statementOfValue({ suite: 'a/b', auth }, 's')).toEqual({ suite: 'a/b', auth });
    const located = { suite: 'a/b', folder: root, auth: { ssh_key_file: join(root, 'key') } };
    expect(statementOfValue({ suite: 'a/b', folder: root, auth }, 's')).toEqual(located);
    expect(statementOfValue(located, 's')).toEqual(located);
  });

  it.each([
    [7, 's: expected an object'],
    [{ targets: { a: { suite: 'a/b' } } }, 's: expected a statement of one target'],
    [{ suite: 7 }, /^s:\d+:\d+: not a statement: /],
  ])('%j is refused', (value, expected) =>
    expect(refusal(() => statementOfValue(value as never, 's'))).toMatch(expected),
  );
});

describe('the statement of a folder', () => {
  const made = (...parts: readonly string[]): string => {
    const folder = join(root, ...parts);
    mkdirSync(folder, { recursive: true });
    return folder;
  };

  it('is its own, or the nearest above, up to the repository or the home folder', () => {
    const [inner, repository] = [made('home/repo/a/b'), made('home/repo')];
    made('home/repo/.git');
    const home = join(root, 'home');
    writeFileSync(join(home, 'wireproof.yaml'), '');
    expect(findStatement(inner, home)).toBeUndefined();
    writeFileSync(join(repository, 'wireproof.yml'), '');
    expect(findStatement(inner, home)).toBe(join(repository, 'wireproof.yml'));
    writeFileSync(join(inner, 'wireproof.yaml'), '');
    expect(findStatement(inner, home)).toBe(join(inner, 'wireproof.yaml'));
    expect(findStatement(made('home/plain/c'), home)).toBe(join(home, 'wireproof.yaml'));
  });

  it('is only its own where neither stands above', () => {
    const outside = mkdtempSync(join(tmpdir(), 'wireproof-outside-'));
    const below = join(outside, 'below');
    mkdirSync(below);
    writeFileSync(join(outside, 'wireproof.yaml'), '');
    expect(findStatement(below, join(root, 'home'))).toBeUndefined();
    rmSync(outside, { recursive: true });
  });
});
