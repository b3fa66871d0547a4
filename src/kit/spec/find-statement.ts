/** Finds the statement of a project: in a folder, or in one above it, up to the root of the repository. */
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { WireproofError } from '../base/index.ts';

export const statementNames = ['wireproof.yaml', 'wireproof.yml'] as const;

/**
 * The file of the statement for a folder: its own, or that of the nearest folder above. The search ends at the root of a
 * repository (a folder with `.git`) and at the home folder. Outside of both, only the folder itself is searched.
 *
 * @throws WireproofError 'usage' when a folder has both names
 */
export function findStatement(folder: string, home: string = homedir()): string | undefined {
  const searched = foldersFrom(resolve(folder), resolve(home));
  for (const one of searched) {
    const found = statementNames.map((name) => join(one, name)).filter((path) => existsSync(path));
    if (found.length > 1)
      throw new WireproofError(
        'usage',
        `${one} has both ${statementNames.join(' and ')}: delete one of them, or name one (--statement)`,
      );
    if (found[0] !== undefined) return found[0];
  }
  return undefined;
}

/** The folders to search, from the inner to the outer. */
function foldersFrom(folder: string, home: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folder; ; at = dirname(at)) {
    folders.push(at);
    if (at === home || existsSync(join(at, '.git'))) return folders;
    // No repository and no home above: a file there belongs to nobody in particular.
    if (at === dirname(at)) return [folder];
  }
}
