/**
 * Long texts in traces: their beginning and their end, with their length and a hash between. Equal texts stay equal, and
 * others stay different, so that a trace of large messages is small and is judged as it was live.
 */
import type { Json, TraceEvent } from '../base/index.ts';
import { hashSeed } from '../world/index.ts';

/** The characters of a long text that are kept at its beginning, and at its end. */
const keptCharacters = 200;

/** The event with its texts of more than `longest` characters shortened; the same event where it has none. */
export function withShortTexts(event: TraceEvent, longest: number): TraceEvent {
  const data = shortened(event.data, longest);
  return data === event.data ? event : { ...event, data };
}

/** A value with short texts; the same value where it has no long ones. */
function shortened<T extends Json>(value: T, longest: number): T;
function shortened(value: Json, longest: number): Json {
  if (typeof value === 'string') return value.length > longest ? shortText(value) : value;
  if (typeof value !== 'object' || value === null) return value;
  const items = Object.entries(value);
  const short = items.map(([key, one]): [string, Json] => [key, shortened(one, longest)]);
  if (items.every(([, one], i) => one === short[i]?.[1])) return value;
  return Array.isArray(value) ? short.map(([, one]) => one) : Object.fromEntries(short);
}

/**
 * A long text, shortened.
 *
 * @example
 * shortText('a'.repeat(1000)).slice(199, 224); // 'a…[1000 characters, hash '
 */
export function shortText(text: string): string {
  const begin = text.slice(0, keptCharacters);
  const hash = hashSeed(text).toString(16).padStart(8, '0');
  return `${begin}…[${text.length} characters, hash ${hash}]…${text.slice(-keptCharacters)}`;
}
