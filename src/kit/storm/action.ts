/**
 * The actions of a storm. An action holds its random values, so that a storm can be played again with fewer actions and
 * with simpler values. Values that depend on the state of the world are numbers, which {@link memberAt} resolves then.
 */
import fc from 'fast-check';

/** What is done to a world, with its name and values for a reader. */
export interface Act<W> {
  readonly what: string;
  readonly on: (world: W) => void;
}

/**
 * An action of this name with random values.
 *
 * @example
 * import fc from 'fast-check';
 * import { action } from './action.ts';
 *
 * const add = action('add', fc.nat(9), (sum: { value: number }, n) => void (sum.value += n));
 * fc.sample(add, 1)[0]?.what.startsWith('add '); // true
 */
export const action = <W, T>(
  name: string,
  values: fc.Arbitrary<T>,
  on: (world: W, values: T) => void,
): fc.Arbitrary<Act<W>> =>
  values.map((one) => ({
    what: one === undefined ? name : `${name} ${JSON.stringify(one)}`,
    on: (world) => on(world, one),
  }));

/** The actions with their weights. A failure shrinks towards the first one. */
export const actions = <W>(
  ...weighted: readonly (readonly [number, fc.Arbitrary<Act<W>>])[]
): fc.Arbitrary<Act<W>> =>
  fc.oneof({ withCrossShrink: true }, ...weighted.map(([weight, arbitrary]) => ({ weight, arbitrary })));

/** A seed of an action's own randomness. Use it where values cannot be named before the action. */
export const dice: fc.Arbitrary<string> = fc.noShrink(fc.integer({ min: 0, max: 0x7fffffff }).map(String));

/** A number for {@link memberAt}. */
export const place: fc.Arbitrary<number> = fc.nat(9999);

/** The member of a list at a place, counted round and round. @throws RangeError when the list is empty */
export function memberAt<const T>(list: readonly T[], at: number): T {
  if (list.length === 0) throw new RangeError('expected a list with a member');
  return list[at % list.length] as T;
}
