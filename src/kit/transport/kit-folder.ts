/**
 * The folder of this kit among the temporary files: it has the scratch folders, and notes of what runs. Its name says whose
 * it is, so that the next kit removes the folder of one that was killed.
 */
import { randomUUID } from 'node:crypto';
import { lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { cleanUpAfter, startGuard } from './guard.ts';
import { hasEnded, ownName, ownerForm } from './owner.ts';

export interface KitFolder {
  /** The kit's mark in the environment of its programs; the name of the folder. */
  readonly mark: string;
  /** Its path; an error: it cannot be made. */
  readonly path: string | Error;
}

/** The most folders of others that one start removes. */
const mostSwept = 200;

let made: KitFolder | undefined;

/** The folder of this kit. The first call makes it, starts the guard, and removes the folders of kits that were killed. */
export function kitFolder(): KitFolder {
  made ??= makeFolder();
  return made;
}

function makeFolder(): KitFolder {
  const among = resolve(tmpdir());
  const owner = `wireproof-${ownName()}-`;
  try {
    const path = mkdtempSync(join(among, owner));
    startGuard(among, basename(path));
    process.once('exit', () => removeFolder(path));
    cleanUpAfter(among, leftIn(among).slice(0, mostSwept));
    return { mark: basename(path), path };
  } catch (error) {
    const mark = `${owner}${randomUUID().slice(0, 6)}`;
    startGuard(undefined, mark);
    return { mark, path: error instanceof Error ? error : new Error(String(error)) };
  }
}

/** Removes the folder at the exit. What cannot be removed now is left to the guard. */
function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true });
  } catch {
    // A program that was killed this moment has still written to it.
  }
}

/** The names of this user's folders whose owner has ended. */
function leftIn(among: string): readonly string[] {
  const ofKit = new RegExp(`^wireproof-(${ownerForm})-\\w{6}$`, 'u');
  return readdirSync(among).filter((name) => {
    const [, owner] = ofKit.exec(name) ?? [];
    return owner !== undefined && hasEnded(owner) === true && isOwn(join(among, name));
  });
}

/** A link is not followed: it is none of ours. */
function isOwn(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats?.isDirectory() === true && stats.uid === process.getuid?.();
}
