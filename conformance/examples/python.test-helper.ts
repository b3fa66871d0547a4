/** The Python that runs the examples, and their checks by the built command as a stranger would check them. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from '../../src/kit/spec/index.ts';

const folder = join(packageRoot(), 'conformance/examples');
const pythons = [...new Set([process.env['WIREPROOF_PYTHON'] ?? 'python3', '/usr/bin/python3'])];

/** The last line of what a Python says that cannot run `code`; undefined when it can. */
function missing(python: string, code: string): string | undefined {
  const { status, stderr, error } = spawnSync(python, ['-c', code], { encoding: 'utf8', timeout: 60_000 });
  if (status === 0) return undefined;
  return `${python}: ${error?.message ?? stderr.trim().split('\n').at(-1) ?? 'fails'}`;
}

/** A Python that can run an example; without one, why there is none. */
export interface Python {
  readonly path: string | undefined;
  readonly why: string;
}

/** Looks for a Python that can run `code`; says so when there is none, with the packages of Debian that bring it. */
export function pythonFor(code: string, debian: string): Python {
  const tried = pythons.map((path) => ({ path, lacks: missing(path, code) }));
  const path = tried.find(({ lacks }) => lacks === undefined)?.path;
  const why = `no Python for it; ${tried.map(({ lacks }) => lacks).join('; ')}; on Debian: apt install ${debian}`;
  if (path === undefined) console.warn(`skipped: ${why}`);
  return { path, why };
}

/** Looks for Python 3.8 or later, for which the examples are written. */
export const python38 = (): Python =>
  pythonFor('import sys; sys.exit(sys.version_info < (3, 8) and "older than 3.8")', 'python3');

/** The path of an example. */
export const example = (name: string): string => join(folder, name);

/** An example with text replaced, for `python -c`. @throws Error when a text is not there */
export function changed(name: string, changes: readonly (readonly [from: string, to: string])[]): string {
  let source = readFileSync(example(name), 'utf8');
  for (const [from, to] of changes) {
    if (!source.includes(from)) throw new Error(`${name} has no ${from}`);
    source = source.replace(from, () => to);
  }
  return source;
}
