/** Limits of a feed server and its client, given by a caller. */
import { clip, WireproofError } from '../../kit/base/index.ts';

/** Node's timers and counters take no larger number. */
const largest = 2 ** 30;

/** The given limits, and the defaults of the others. @throws WireproofError 'usage' for a wrong one */
export function limitsWith<T extends { readonly [name: string]: number }>(
  defaults: T,
  given: { readonly [name in keyof T]?: number | undefined },
): T {
  const limits: Record<string, number> = { ...defaults };
  for (const name of Object.keys(defaults)) {
    const one = given[name];
    if (one === undefined) continue;
    if (!Number.isInteger(one) || one < 1 || one > largest)
      throw new WireproofError(
        'usage',
        `${name} of remote feeds: expected an integer from 1 to ${largest}; came ${clip(String(one), 60)}`,
      );
    limits[name] = one;
  }
  return limits as T;
}
