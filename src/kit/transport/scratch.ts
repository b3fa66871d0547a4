/** Scratch folders of programs: each is removed when its program has stopped, or when the kit has ended. */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { WireproofError } from '../base/index.ts';
import { kitFolder } from './kit-folder.ts';

export interface ScratchFolder {
  readonly path: string;
  remove(): void;
}

let count = 0;

/**
 * Makes an empty scratch folder in the system's folder for temporary files.
 *
 * @throws WireproofError 'environment' when none can be made there
 */
export function scratchFolder(): ScratchFolder {
  try {
    const { path: among } = kitFolder();
    if (among instanceof Error) throw among;
    const path = join(among, String(++count));
    // Whoever cleans old temporary files may have removed the kit's folder in a long session.
    mkdirSync(among, { recursive: true, mode: 0o700 });
    mkdirSync(path, { mode: 0o700 });
    return { path, remove: () => rmSync(path, { recursive: true, force: true, maxRetries: 3 }) };
  } catch (cause) {
    throw noScratch(cause);
  }
}

/** The error of a folder for temporary files that takes no file. */
export const noScratch = (
  cause: unknown,
  advice = 'set TMPDIR to a folder that can be written',
): WireproofError =>
  new WireproofError(
    'environment',
    `cannot make a scratch folder: ${cause instanceof Error ? cause.message : String(cause)}; ${advice}`,
    { cause },
  );
