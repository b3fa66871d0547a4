/**
 * Documents of the kit that the build has read and checked. Parsing YAML would take most of the start time of a command.
 * A document is found by its text, so one that was changed since the build is read as usual.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageRoot } from './root.ts';

/** The file of these documents in the package. The build writes it (`.config/documents.mjs`). */
export const precheckedFile = 'dist/documents.json';

let ready: { readonly [key: string]: unknown } | undefined;

/** The key of a document of this kind and text. */
export const precheckedKey = (kind: string, text: string): string =>
  `${kind} ${createHash('sha256').update(text).digest('hex')}`;

/** The checked value; undefined when the document must be read. */
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
    return {}; // not built yet: every document is read
  }
}
