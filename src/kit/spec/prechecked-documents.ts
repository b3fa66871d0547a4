/**
 * Documents of ours as they were read and checked when the kit was built. To parse YAML would take most of the time in
 * which a command starts. One is found by its text, so what was changed since is read like any other.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './root.ts';

/** Their file, in the package. The build writes it (`.config/documents.mjs`). */
export const precheckedFile = 'dist/documents.json';

let ready: { readonly [key: string]: unknown } | undefined;

/** What a document of this kind and text is found by. */
export const precheckedKey = (kind: string, text: string): string =>
  `${kind} ${createHash('sha256').update(text).digest('hex')}`;

/** The checked value; undefined: it has to be read. */
export function precheckedDocument(kind: string, text: string): unknown {
  ready ??= load();
  return ready[precheckedKey(kind, text)];
}

function load(): { readonly [key: string]: unknown } {
  try {
    return JSON.parse(readFileSync(join(packageRoot(), precheckedFile), 'utf8')) as {
      [key: string]: unknown;
    };
  } catch {
    return {}; // not built yet, or half built: all is read
  }
}
