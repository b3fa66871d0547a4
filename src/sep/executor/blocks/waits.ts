/** Which actions a block waits for, and the values that it reads. */
import { extentOf, refusalOf } from '../../values/extent.ts';
import { lookupOf, producerOf, warnMissing } from '../lookup.ts';
import { isSettled, remark } from '../state.ts';
import type { Entry } from '../entry.ts';
import type { ExecutorState, ExecutorStep } from '../state.ts';
import type { ConditionWorld } from './condition.ts';
import { nameIn, valueIn } from './round.ts';
import type { Round } from './round.ts';

/**
 * Whether a block waits for an action: it has no outcome, and will have one without what is behind the block. As long as
 * actions are queued, this is not known of those that wait for others; the queue goes on without the block.
 */
export const isAwaited = ({ next, queue }: ExecutorState, entry: Entry): boolean =>
  !isSettled(entry) && (entry.forward === 0 || next < queue.length);

/** The earlier actions whose outputs the names in a block mean, or that change a variable with such a name. */
export const producersOf = (
  { state }: ExecutorStep,
  names: Iterable<string>,
  round: Round | undefined,
): readonly Entry[] =>
  [...names].flatMap((name) => {
    if (valueIn(round, name) !== undefined) return [];
    const producer = producerOf(state, nameIn(round, name));
    return producer ?? state.queue.filter((entry) => !isSettled(entry) && changesVariable(entry, name));
  });

/** Whether an action changes a variable: one with this name, or with one that is not known yet. */
function changesVariable({ action: { type, name, parameters } }: Entry, variable: string): boolean {
  if (type !== 'internal' || (name !== 'set_variable' && name !== 'delete_variable')) return false;
  const { name: changed } = parameters;
  return changed === variable || (typeof changed === 'string' && changed.includes('$'));
}

/** What a condition or a list reads in a round. `where`: its name in remarks. */
export function worldOf(step: ExecutorStep, round: Round | undefined, where: string): ConditionWorld {
  const { state, limits } = step;
  const lookup = lookupOf(step, round);
  return {
    comparison: state.blocks.comparison,
    missing: (name) => warnMissing(step, where, [nameIn(round, name)]),
    lookup: (name) => {
      const value = lookup(valueIn(round, name) === undefined ? nameIn(round, name) : name);
      if (value === undefined) return undefined;
      const refused = refusalOf(
        extentOf(value, limits.mostValue, state.extents),
        `$${name}`,
        limits.mostValue,
      );
      if (refused === undefined) return value;
      remark(step, 'value-refused', `${refused} in ${where}; it has no value there`);
      return undefined;
    },
  };
}
