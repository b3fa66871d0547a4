/** How this room words what it refuses: what was expected, what came, where. */
import type { Violation } from '../../kit/base/index.ts';

/** Why a script is refused. */
export type ScriptFault =
  /** Not the kind of value that belongs there, or a key that nobody knows or that is missing. */
  | 'bad-shape'
  /** The right kind, but out of range or no known word. */
  | 'bad-value'
  /** Half a surrogate pair, or a line end where one line is expected. */
  | 'bad-text'
  /** A step that makes no sense where it stands. */
  | 'bad-order'
  /** A place in a text that is not there. */
  | 'bad-place'
  /** More than `scriptLimits` allow. */
  | 'too-large';

/** A refusal. */
export const refusal = (code: ScriptFault, path: string, expected: string, came: string): Violation => ({
  code,
  path,
  message: `expected ${expected}; came ${came}`,
});

/** A value in a few words, for refusals: its kind, and its beginning when it is text or a number. */
export function inWords(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(clip(value, 40));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value)
    ? `a list of ${value.length}`
    : typeof value === 'object'
      ? 'an object'
      : typeof value;
}

/** The beginning of a text, whole characters, with a mark where there was more. */
export function clip(text: string, length: number): string {
  return text.length <= length ? text : `${Array.from(text.slice(0, length)).slice(0, -1).join('')}…`;
}
