/**
 * The folder for the traces of this check. Checks that run in one project at the same time do not overwrite each other's
 * traces: one of them has the folder itself, and each other a folder in it.
 */
import { lstatSync, readdirSync, renameSync, rmSync, rmdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { WireproofError } from '../../src/kit/base/index.ts';
import { makeFolder, ownersOnly, readUserFile } from '../../src/kit/spec/index.ts';
import { hasEnded, ownName, ownerForm } from '../../src/kit/transport/index.ts';

/** The file with the name of the process that has the folder. */
const claimFile = '.running';
/** The folder of another run, by the name of its process. */
const runFolder = new RegExp(`^run-(${ownerForm})$`, 'u');
/** The most folders of runs that have ended. */
const mostEnded = 4;
/** A run in another container is taken to have ended after this time (ms): its process is not seen here. */
const longest = 24 * 3600_000;

/** Takes the folder until the end of the process. @returns the folder for the traces of this run, which may be missing yet */
export function ownTraceFolder(folder: string): string {
  try {
    makeFolder(folder);
    removeEnded(folder);
    if (isClaimed(folder)) return join(folder, `run-${ownName()}`);
    process.once('exit', () => release(folder));
  } catch {
    // Whether traces can be written there is seen when there are some.
  }
  return folder;
}

/** The folder and those of runs beside it. */
export const traceFoldersIn = (folder: string): readonly string[] => [
  folder,
  ...namesIn(folder)
    .map((name) => join(folder, name))
    .filter(isFolder),
];

/** The names in a folder; none when there is no folder. A target may have put something else in its place. */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder).toSorted();
  } catch {
    return [];
  }
}

/** Whether another run that goes on has the folder. If not, this one has it now. */
function isClaimed(folder: string): boolean {
  const path = join(folder, claimFile);
  if (claim(path)) return false;
  const owner = ownerIn(path);
  if (owner !== undefined && !isOver(owner, path)) return true;
  // Of several that find an old claim, one moves it away.
  const old = join(folder, `${claimFile}.${ownName()}`);
  renameSync(path, old);
  rmSync(old, { recursive: true, force: true });
  return !claim(path);
}

function claim(path: string): boolean {
  try {
    writeFileSync(path, ownName(), { flag: 'wx', mode: ownersOnly });
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The owner that a claim names; undefined: it names none. */
function ownerIn(path: string): string | undefined {
  try {
    const text = readUserFile(path, { kind: 'the name of a run', most: 100 });
    return new RegExp(`^${ownerForm}$`, 'u').test(text) ? text : undefined;
  } catch (error) {
    if (error instanceof WireproofError) return undefined;
    throw error;
  }
}

const isOver = (owner: string, path: string): boolean =>
  hasEnded(owner) ?? Date.now() - lstatSync(path).mtimeMs > longest;

/** Gives the folder back. Without a trace, nothing of it stays. */
function release(folder: string): void {
  try {
    if (ownerIn(join(folder, claimFile)) === ownName()) rmSync(join(folder, claimFile));
    rmdirSync(folder);
    const above = dirname(folder);
    if (basename(above) !== '.wireproof') return;
    if (namesIn(above).join() === '.gitignore') rmSync(join(above, '.gitignore'));
    rmdirSync(above);
  } catch {
    // There are traces in it.
  }
}

/** Removes the folders of the oldest runs that have ended. */
function removeEnded(folder: string): void {
  const ended = namesIn(folder).flatMap((name) => {
    const [, owner] = runFolder.exec(name) ?? [];
    const path = join(folder, name);
    return owner !== undefined && isFolder(path) && isOver(owner, path) ? [path] : [];
  });
  const newestFirst = ended.toSorted((a, b) => lstatSync(b).mtimeMs - lstatSync(a).mtimeMs);
  for (const path of newestFirst.slice(mostEnded)) rmSync(path, { recursive: true, force: true });
}

/** Whether a path leads to a folder. A link to one is not followed. */
const isFolder = (path: string): boolean =>
  lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
