/** Scratch folders of programs: each is removed when its program has stopped, or when the kit exits. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A scratch folder. */
export interface ScratchFolder {
  readonly path: string;
  remove(): void;
}

const folders = new Set<string>();
let watching = false;

function remove(path: string): void {
  folders.delete(path);
  rmSync(path, { recursive: true, force: true });
}

/** Makes an empty scratch folder in the system's folder for temporary files. */
export function scratchFolder(): ScratchFolder {
  if (!watching) process.once('exit', () => [...folders].forEach(remove));
  watching = true;
  const path = mkdtempSync(join(tmpdir(), 'wireproof-'));
  folders.add(path);
  return { path, remove: () => remove(path) };
}
