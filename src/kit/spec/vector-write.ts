/** Writes a folder of files that a command makes: with a manifest, and without harm to files of others. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WireproofError } from '../base/index.ts';
import type { Json } from '../base/index.ts';
import { canonicalJson } from './canonical-json.ts';
import { vectorManifest } from './generated/validators.ts';
import { bySchema, checkText } from './vector-read.ts';
import { isMadeReadme, readmeName } from './vector-readme.ts';
import { manifestName, vectorSchema } from './vector-set.ts';
import type { VectorManifest } from './vector-set.ts';

/** A file to write. */
export interface MadeFile {
  readonly name: string;
  readonly text: string;
  /** What the manifest says of it, besides its sum. */
  readonly counts: { readonly tests: number } | { readonly events: number };
}

/** Files to write, and what makes them. */
export interface MadeSet {
  readonly protocol: string;
  readonly revision: string;
  /** The command that makes the same bytes. */
  readonly generator: string;
  readonly readme: string;
  readonly files: readonly MadeFile[];
}

export interface WriteOptions {
  /** Whether files of others are overwritten. */
  readonly force?: boolean;
}

/** The SHA-256 of a text, as hexadecimal digits. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/**
 * Writes the files, their manifest and their README.
 *
 * @returns the names of the written files
 * @throws WireproofError 'usage' when it would overwrite a foreign file and `force` is not set
 */
export function writeSet(folder: string, set: MadeSet, { force = false }: WriteOptions): readonly string[] {
  const texts = new Map(set.files.map(({ name, text }) => [name, text]));
  texts.set(manifestName, canonicalJson(manifestOf(set) as unknown as Json));
  texts.set(readmeName, set.readme);
  try {
    const made = madeHere(folder);
    const isThere = (name: string): boolean => existsSync(join(folder, name));
    const foreign = [...texts.keys()].filter((name) => isThere(name) && !made.includes(name));
    if (foreign.length > 0 && !force) {
      throw new WireproofError(
        'usage',
        `${folder} has ${foreign.join(', ')} already, not made by this command or changed since; nothing was written (--force overwrites)`,
      );
    }
    mkdirSync(folder, { recursive: true });
    for (const name of made) if (!texts.has(name)) rmSync(join(folder, name), { force: true });
    for (const [name, text] of texts) writeFileSync(join(folder, name), text);
  } catch (error) {
    if (error instanceof WireproofError) throw error;
    const why = error instanceof Error ? error.message : '';
    throw new WireproofError('environment', `cannot write to ${folder}: ${why}`, { cause: error });
  }
  return [...texts.keys()];
}

function manifestOf({ protocol, revision, generator, files }: MadeSet): VectorManifest {
  const entries = files.map(({ name, text, counts }) => {
    return [name, { bytes: Buffer.byteLength(text), sha256: sha256(text), ...counts }] as const;
  });
  const schema = `${vectorSchema}#/definitions/manifest`;
  return { schema, protocol, revision, generator, files: Object.fromEntries(entries) };
}

/** The files in a folder that this command made and nobody changed since. */
function madeHere(folder: string): readonly string[] {
  const readme = join(folder, readmeName);
  const readmes = existsSync(readme) && isMadeReadme(readFileSync(readme, 'utf8')) ? [readmeName] : [];
  const file = join(folder, manifestName);
  if (!existsSync(file)) return readmes;
  const text = readFileSync(file, 'utf8');
  const manifest = checkText(manifestName, text, bySchema(vectorManifest), []) as VectorManifest | undefined;
  if (manifest === undefined) return readmes;
  const unchanged = Object.entries(manifest.files)
    .filter(([name]) => existsSync(join(folder, name)))
    .filter(([name, { sha256: sum }]) => sha256(readFileSync(join(folder, name), 'utf8')) === sum);
  return [manifestName, ...readmes, ...unchanged.map(([name]) => name)];
}

/** Reads the manifest of a folder. @throws WireproofError 'usage' when there is none, or it is faulty */
export function readManifest(folder: string): VectorManifest {
  const file = join(folder, manifestName);
  if (!existsSync(file))
    throw new WireproofError(
      'usage',
      `${folder} has no ${manifestName}; expected a folder of fixtures generate`,
    );
  const faults: { readonly what: string }[] = [];
  const manifest = checkText(
    manifestName,
    readFileSync(file, 'utf8'),
    bySchema(vectorManifest),
    faults as never[],
  );
  if (manifest !== undefined) return manifest as VectorManifest;
  throw new WireproofError('usage', `${file}: ${faults[0]?.what ?? 'not a manifest'}`);
}
