/** Writes the input of a scripted call as JSON text, of any value that a document can hold, also a circular one. */
import { inWords } from './refusal.ts';
import { scriptLimits } from './script.ts';
import type { DocumentCursor } from './read.ts';
import { byteLength } from '../dialects/shared/utf8.ts';

/** Values in one input; a YAML file of a few lines can mean billions through its aliases. */
const mostValues = 1_000_000;

/** The value as JSON text, `{}` when it is none or too large. */
export function jsonTextOf(place: DocumentCursor): string {
  if (!isJson(place)) return '{}';
  const json = JSON.stringify(place.value);
  return place.countBytes(byteLength(json)) ? json : '{}';
}

/** Whether a value is JSON of a decent size; walks it with its own stack, level by level. */
function isJson(place: DocumentCursor): boolean {
  let level: unknown[] = [place.value];
  let values = 0;
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > scriptLimits.depth || values > mostValues) {
      place.refuse('too-large', `at most ${scriptLimits.depth} levels and ${mostValues} values`, 'more');
      return false;
    }
    const strange = level.find((value) => !isJsonKind(value));
    if (strange !== undefined) {
      place.refuse(
        'bad-shape',
        'JSON, with integers up to 2^53 (larger ones as arguments)',
        inWords(strange),
      );
      return false;
    }
    level = level.flatMap(childrenOf);
  }
  return true;
}

/** Integers beyond 2^53 may have been changed by whoever read the document, so they are none. */
function isJsonKind(value: unknown): boolean {
  if (typeof value === 'number')
    return Number.isFinite(value) && (!Number.isInteger(value) || Number.isSafeInteger(value));
  if (typeof value !== 'object' || value === null)
    return value === null || typeof value === 'string' || typeof value === 'boolean';
  const prototype: unknown = Object.getPrototypeOf(value);
  return Array.isArray(value) || prototype === Object.prototype || prototype === null;
}

const childrenOf = (value: unknown): readonly unknown[] =>
  typeof value === 'object' && value !== null ? Object.values(value) : [];
