/** Reads files of golden vectors, and reports each fault with its position. */
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { WireproofError, exactJsonOf, nestsDeeper } from '../base/index.ts';
import type { SchemaFault, Validator } from '../base/index.ts';
import { canonicalJson, placeAt, placeInJson } from './canonical-json.ts';
import { documentLimits } from './document.ts';
import { vectors as validator, vectorsOf } from './generated/validators.ts';

import { manifestName, vectorLimit } from './vector-set.ts';
import type { VectorFault, VectorFile, VectorSet } from './vector-set.ts';

/** A file of vectors, and its text. */
export interface ReadFile extends VectorFile {
  readonly text: string;
}

/** The first fault of a value; undefined when it has none. */
type FaultOf = (value: unknown) => Partial<SchemaFault> | undefined;

/** Checks a value by a schema. */
export const bySchema =
  (schema: Validator): FaultOf =>
  (value) =>
    schema(value) ? undefined : (schema.errors?.[0] ?? {});

/** The members that all files of vectors have, then those of the operations of their protocol. */
const vectorFault: FaultOf = (value) => {
  const fault = bySchema(validator)(value);
  if (fault !== undefined) return fault;
  const own = vectorsOf[(value as VectorSet).protocol];
  return own === undefined ? undefined : bySchema(own)(value);
};

/** Reads every file of vectors in a folder. A faulty file is left out, and its faults go to `faults`. */
export function readAll(folder: string, faults: VectorFault[]): readonly ReadFile[] {
  return namesIn(folder)
    .filter((name) => name !== manifestName)
    .flatMap((name) => {
      const text = readText(folder, name, faults);
      if (text === undefined) return [];
      const vectors = checkText(name, text, vectorFault, faults) as VectorSet | undefined;
      return vectors === undefined ? [] : [{ name, text, vectors }];
    });
}

/** The JSON files of a folder. @throws WireproofError 'usage' when the folder has none */
export function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith('.json'))
      .toSorted();
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT' ? 'no such folder; expected one with vectors' : `cannot be read: ${message}`;
    throw new WireproofError('usage', `${folder}: ${why}`, { cause: error });
  }
}

/** The text of a file; its faults go to `faults`. */
export function readText(folder: string, name: string, faults: VectorFault[]): string | undefined {
  const file = join(folder, name);
  try {
    const { size } = statSync(file);
    if (size <= vectorLimit) return readFileSync(file, 'utf8');
    faults.push({ file: name, what: `${size} bytes; a file of vectors has at most ${vectorLimit}` });
  } catch (error) {
    faults.push({ file: name, what: `cannot be read: ${error instanceof Error ? error.message : ''}` });
  }
  return undefined;
}

/**
 * Parses a text and checks schema and canonical form; undefined when it does not fit the schema. An integer that a double
 * does not give back is a bigint.
 */
export function checkText(file: string, text: string, faultOf: FaultOf, faults: VectorFault[]): unknown {
  const fault = (at: string, what: string): undefined => void faults.push({ file, at, what });
  if (nestsDeeper(text, documentLimits.depth))
    return fault('1:1', `nested deeper than ${documentLimits.depth}`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const why = error instanceof Error ? error.message : '';
    // The error for a text that ends too soon has no position.
    const position = Number(/position (\d+)/.exec(why)?.[1] ?? text.length);
    return fault(placeAt(text, position), `not JSON: ${why}`);
  }
  const wrong = faultOf(value);
  if (wrong !== undefined) {
    const { instancePath = '', message = '', params = {} } = wrong;
    const stranger = params['additionalProperty'];
    const detail = typeof stranger === 'string' ? ` (${JSON.stringify(stranger)})` : '';
    return fault(placeInJson(text, instancePath), `${instancePath || 'the file'} ${message}${detail}`);
  }
  // The schemas know no bigint, so they see doubles. The tests keep all digits of their integers.
  const exact = exactJsonOf(text);
  const canonical = canonicalJson(exact);
  if (canonical !== text) {
    fault(
      placeAt(text, firstDifference(text, canonical)),
      'not in canonical form: keys in order, two spaces, each test on one line, LF',
    );
  }
  return exact;
}

/** The position of the first difference between two texts. */
export function firstDifference(a: string, b: string): number {
  let i = 0;
  while (i < a.length && a[i] === b[i]) i++;
  return i;
}
