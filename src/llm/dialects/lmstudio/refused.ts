/** Why a request cannot be taken, said the same way everywhere. */
import type { Refused } from '../../messages.ts';
import { excerpt } from '../shared/arguments.ts';

/** A refusal of what stands at `path`: what was expected there, and what came. */
export const refused = (path: string, expected: string, came: unknown): Refused => ({
  error: {
    type: 'invalid_request',
    message: `${path}: expected ${expected}; came ${shown(came)}`,
    status: 400,
  },
  path,
});

/** A value in a message for people: short, whatever it is. */
function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (typeof value === 'object' && value !== null) return `an object with ${Object.keys(value).length} keys`;
  return typeof value === 'string' ? excerpt(value) : JSON.stringify(value);
}
