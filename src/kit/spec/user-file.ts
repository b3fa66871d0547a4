/**
 * Reads and writes files that a user names. It looks at a file before it reads it: a device has no end, and a pipe may wait
 * for ever. A file is written whole or not at all.
 */
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import type { Stats } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import { WireproofError } from '../base/index.ts';

export interface ExpectedFile {
  /** The kind of its content, with its article, such as `a statement`. */
  readonly kind: string;
  /** The most bytes; absent: any number. */
  readonly most?: number;
}

/**
 * Checks that a path leads to a file, and to one that is not too large.
 *
 * @throws WireproofError 'usage' with the path, the expectation and the finding
 */
export function checkFile(path: string, { kind, most = Infinity }: ExpectedFile): void {
  const stats = statsOf(path, kind);
  const other = otherKind(stats);
  if (other !== undefined)
    throw new WireproofError('usage', `${path}: expected a file with ${kind}; came ${other}`);
  if (stats.size > most)
    throw new WireproofError('usage', `${path}: ${stats.size} bytes; expected ${kind} of at most ${most}`);
}

/**
 * The text of a file.
 *
 * @throws WireproofError 'usage' like {@link checkFile}, and when the file cannot be read
 */
export function readUserFile(path: string, expected: ExpectedFile): string {
  checkFile(path, expected);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw unreadable(path, error);
  }
}

function statsOf(path: string, kind: string): Stats {
  try {
    return statSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new WireproofError('usage', `${path}: no such file; expected ${kind}`, { cause: error });
    throw unreadable(path, error);
  }
}

const unreadable = (path: string, cause: unknown): WireproofError =>
  new WireproofError(
    'usage',
    `${path}: cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`,
    {
      cause,
    },
  );

function otherKind(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined;
  if (stats.isDirectory()) return 'a directory';
  if (stats.isFIFO()) return 'a pipe: write its content to a file first';
  return stats.isSocket() ? 'a socket' : 'a device';
}

/** Only its owner may read a file that the kit writes: it may hold what a target said. */
export const ownersOnly = 0o600;

/**
 * Makes a folder and those above it. One at a time: `mkdir` with `recursive` never ends in a folder such as /proc, which takes
 * no folders (Node 20).
 *
 * @throws the error of the file system
 */
export function makeFolder(path: string): void {
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  const above = dirname(path);
  if (above !== path) makeFolder(above);
  try {
    mkdirSync(path);
    // Traces and last runs are of one machine: they do not belong into a repository.
    if (basename(path) === '.wireproof') writeFileSync(join(path, '.gitignore'), '*\n', { flag: 'wx' });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

/**
 * Writes a file whole or not at all, and makes its folder. A device or a pipe gets the text itself.
 *
 * @param mode - who may read it; default: its owner
 * @throws WireproofError 'environment' when it cannot be written
 */
export function writeUserFile(path: string, text: string, mode: number = ownersOnly): void {
  writing(path, () => {
    if (statSync(path, { throwIfNoEntry: false })?.isFile() === false) return writeFileSync(path, text);
    replace(path, (draft) => writeFileSync(draft, text), mode);
  });
}

/**
 * Writes a file of the kit's own, in a folder that targets may write to, whole or not at all. A link, a pipe or a device in
 * its place is replaced.
 *
 * @param write - writes the content to the empty file that it gets
 * @param name - names the file in an error
 * @throws WireproofError 'environment' when it cannot be written
 */
export function replaceFile(path: string, write: (draft: string) => void, name: string = path): void {
  writing(name, () => replace(path, write, ownersOnly));
}

/** The end of the name of a draft next to a file. */
export const draftEnding: RegExp = /\.[0-9a-f]{16}\.tmp$/;

function replace(path: string, write: (draft: string) => void, mode: number): void {
  makeFolder(dirname(path));
  // Nobody can foresee the name, and an exclusive file is never a link of somebody else.
  const draft = `${path}.${randomBytes(8).toString('hex')}.tmp`;
  closeSync(openSync(draft, 'wx', mode));
  try {
    write(draft);
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true }); // nothing of it stays when the disk is full
    throw error;
  }
}

/**
 * Appends to a file, and makes it and its folder. What is in it stays.
 *
 * @param textFor - the text for the bytes that the file has; undefined: nothing is appended
 * @throws WireproofError 'environment' when it cannot be written, or is no file
 */
export function appendUserFile(path: string, textFor: (bytes: number) => string | undefined): void {
  writing(path, () => {
    const stats = statSync(path, { throwIfNoEntry: false });
    const other = stats === undefined ? undefined : otherKind(stats);
    if (other !== undefined) throw new Error(`expected a file; came ${other}`);
    const text = textFor(stats?.size ?? 0);
    if (text === undefined) return;
    makeFolder(dirname(path));
    appendFileSync(path, text, { mode: ownersOnly });
  });
}

/** @throws WireproofError 'environment' with the name of the file when it cannot be written */
function writing(name: string, write: () => void): void {
  try {
    write();
  } catch (cause) {
    if (cause instanceof WireproofError) throw cause;
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new WireproofError('environment', `cannot write ${name}: ${why}`, { cause });
  }
}
