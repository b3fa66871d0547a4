import { execFileSync } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readUserFile, replaceFile, writeUserFile } from './user-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-files-'));
afterAll(() => rmSync(folder, { recursive: true }));
const statement = { kind: 'a statement', most: 100 };

describe('a file that a user names', () => {
  it('is read', () => {
    const path = join(folder, 'good.yaml');
    writeFileSync(path, 'suite: fold/agent\n');
    expect(readUserFile(path, statement)).toBe('suite: fold/agent\n');
  });

  it.skipIf(process.platform === 'win32')('may be neither a device, nor a pipe, nor a directory', () => {
    const pipe = join(folder, 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(() => readUserFile('/dev/zero', statement)).toThrow(
      '/dev/zero: expected a file with a statement; came a device',
    );
    expect(() => readUserFile(pipe, statement)).toThrow(/came a pipe: write its content to a file first$/);
    expect(() => readUserFile(folder, statement)).toThrow(
      /expected a file with a statement; came a directory$/,
    );
  });

  it('is refused before it is read when it is too large, and when it is missing', () => {
    const path = join(folder, 'large.yaml');
    writeFileSync(path, 'x'.repeat(101));
    expect(() => readUserFile(path, statement)).toThrow(
      `${path}: 101 bytes; expected a statement of at most 100`,
    );
    expect(() => readUserFile(join(folder, 'none'), statement)).toThrow(
      /none: no such file; expected a statement$/,
    );
    expect(() => readUserFile(join(path, 'below'), statement)).toThrow(/cannot be read: ENOTDIR/);
  });
});

describe('a file that the kit writes', () => {
  it('is whole, in folders that it makes, for its owner only', () => {
    const path = join(folder, 'a/b/report.json');
    writeUserFile(path, 'one');
    writeUserFile(path, 'two');
    expect([readFileSync(path, 'utf8'), readdirSync(join(folder, 'a/b'))]).toEqual(['two', ['report.json']]);
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('is an error of the environment where it cannot be, also in /proc', () => {
    const taken = join(folder, 'taken');
    writeFileSync(taken, '');
    for (const path of [join(taken, 'x'), '/proc/wireproof/x'])
      expect(() => writeUserFile(path, 'text')).toThrow(new RegExp(`^cannot write ${path}: `));
  });

  it.skipIf(process.platform === 'win32')('may be a device, which is not replaced', () => {
    writeUserFile('/dev/null', 'text');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});

describe.skipIf(process.platform === 'win32')("a file of the kit's own", () => {
  it('replaces a link and a pipe in its place, and leaves no draft', () => {
    const other = join(folder, 'other');
    const own = join(folder, 'own');
    mkdirSync(own);
    writeFileSync(other, 'kept');
    symlinkSync(other, join(own, 'link'));
    execFileSync('mkfifo', [join(own, 'pipe')]);
    for (const name of ['link', 'pipe', 'new'])
      replaceFile(join(own, name), (draft) => writeFileSync(draft, name));
    const texts = readdirSync(own).map((name) => [name, readFileSync(join(own, name), 'utf8')]);
    expect(texts).toEqual([
      ['link', 'link'],
      ['new', 'new'],
      ['pipe', 'pipe'],
    ]);
    expect(readFileSync(other, 'utf8')).toBe('kept');
    expect(statSync(join(own, 'link')).mode & 0o777).toBe(0o600);
  });

  it('leaves no draft when it cannot be written', () => {
    const own = join(folder, 'failed');
    const full = (): void => {
      throw new Error('no space left');
    };
    expect(() => replaceFile(join(own, 'x'), full)).toThrow(`cannot write ${join(own, 'x')}: no space left`);
    expect(readdirSync(own)).toEqual([]);
  });
});
