/** The values of names at a moment of a run. */
import { valueIn } from './blocks/round.ts';
import type { Round } from './blocks/round.ts';
import type { SepAction } from '../parser/events.ts';
import { remark } from './state.ts';
import type { Entry } from './entry.ts';
import type { ExecutorState, ExecutorStep } from './state.ts';
import type { Lookup } from '../values/variables.ts';

/** The action whose output a name means: by output key, else by id (SEP-41). Untracked actions have none. */
export function producerOf({ producers, entries }: ExecutorState, name: string): Entry | undefined {
  const producer = producers.get(name) ?? entries.get(name);
  return producer?.action.mode === 'fire_and_forget' ? undefined : producer;
}

/**
 * The value of a name at this moment: of an output key, of an action, of a feed, or a variable (SEP-41, SEP-45). In a round
 * of a loop, its own names come first.
 */
export function lookupOf({ state }: ExecutorStep, round?: Round): Lookup {
  return (name) => {
    const own = valueIn(round, name);
    if (own !== undefined) return own;
    const kept = state.outputs.get(name);
    if (kept !== undefined) return kept;
    const output = state.entries.get(name)?.output;
    if (output !== undefined) return output;
    // null is a value of a feed, too.
    const fed = state.feeds.valueOf(name);
    return fed === undefined ? state.variables.get(name) : fed;
  };
}

/** Warns of names without a value (SEP-47). A name of a tool is no variable: the remark says which one was meant. */
export function warnMissing(step: ExecutorStep, where: string, names: Iterable<string>, round?: Round): void {
  const lookup = lookupOf(step, round);
  for (const name of new Set(names)) {
    if (lookup(name) !== undefined) continue;
    const named = step.state.names.get(name)?.action;
    const meant = named === undefined ? '' : `; the action with this name has ${referenceOf(named)}`;
    remark(step, 'missing-variable', `expected a value of $${name} in ${where}; there is none${meant}`);
  }
}

const referenceOf = ({ id, output_key, generated }: SepAction): string => {
  if (output_key !== undefined) return `the output key ${output_key}`;
  return generated === true ? 'neither an output key nor an id' : `the id ${id}`;
};
