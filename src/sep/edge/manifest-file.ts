/** Reads manifests as YAML: from a file, or from the text of a request. */
import { WireproofError, pointerOf } from '../../kit/base/index.ts';
import type { Json, Violation } from '../../kit/base/index.ts';
import { checkDocument, documentLimits, readUserFile } from '../../kit/spec/index.ts';
import { manifestOf } from '../manifest/manifest.ts';
import type { Manifest, ManifestOptions } from '../manifest/manifest.ts';

/** A manifest, and its warnings as lines with file, line and column. */
export interface ManifestFile {
  readonly manifest: Manifest;
  readonly warnings: readonly string[];
}

const kind = 'manifest for SEP';

/** What a manifest is, is said after its variables have their values. */
const anyDocument = (): boolean => true;

/**
 * Reads a manifest from a YAML or JSON file.
 *
 * @throws WireproofError 'usage' with file, line and column
 */
export const readManifest = (file: string, options: ManifestOptions = {}): ManifestFile =>
  parseManifest(readUserFile(file, { kind: `a ${kind}`, most: documentLimits.bytes }), { ...options, file });

/**
 * Reads a manifest from a YAML or JSON text. `file` is its name in warnings and errors.
 *
 * @throws WireproofError 'usage' with the name, line and column
 */
export function parseManifest(
  text: string,
  { file = 'manifest', ...options }: ManifestOptions & { readonly file?: string } = {},
): ManifestFile {
  const { value, at } = checkDocument<Json>(text, file, anyDocument, kind);
  const read = manifestOf(value, options);
  const line = ({ path, message }: Violation): string =>
    `${file}:${at(pointerOf(path))}: ${path === '' ? '' : `${path}: `}${message}`;
  if (read.ok) return { manifest: read.value.manifest, warnings: read.value.warnings.map(line) };
  const { path, message } = read.error;
  throw new WireproofError(
    'usage',
    `${file}:${at(pointerOf(path))}: not a ${kind}: ${path === '' ? '' : `${path}: `}${message}`,
  );
}
