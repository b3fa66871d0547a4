/**
 * What must become of the actions of a plan, without an executor: from their dependencies and the outcomes of their calls.
 * Where the protocol leaves a choice open, an action has several possible outcomes.
 */
import type { PlannedAction } from './plan.ts';
import { keyOf } from './plan.ts';

/** What can become of an action. `started`: a fire_and_forget action, whose outcome is not tracked. */
export type Fate = 'completed' | 'started' | 'failed' | 'skipped';

/** The calls of an action that runs: their number, and the time of all of them (s). */
export interface Attempts {
  readonly succeeds: boolean;
  readonly count: number;
  readonly took: number;
}

/** The calls of an action, by its outcomes, its time limit and its retries (SEP-37, 38 and 40). */
export function attemptsOf({ outcomes, timeout = Infinity, retry, onError }: PlannedAction): Attempts {
  const most = 1 + (retry ?? (onError === 'retry' ? 1 : 0));
  let took = 0;
  for (let n = 0; n < most; n++) {
    const { after = 0, error } = outcomes[Math.min(n, outcomes.length - 1)] ?? {};
    took += Math.min(after, timeout);
    if (error === undefined && after < timeout) return { succeeds: true, count: n + 1, took };
  }
  return { succeeds: false, count: most, took };
}

/** The possible fates of all actions, by id. */
export function fatesOf(actions: readonly PlannedAction[]): ReadonlyMap<string, ReadonlySet<Fate>> {
  const byId = new Map(actions.map((action) => [action.id, action]));
  const producersOf = ({ dependsOn, iteration }: PlannedAction): readonly string[] =>
    // An action of a later iteration is unknown at the end of this one (SEP-32).
    dependsOn.map((id) => ((byId.get(id)?.iteration ?? Infinity) > iteration ? '' : id));
  const inCycle = cyclic(actions, (id) => {
    const action = byId.get(id);
    return action === undefined ? [] : producersOf(action);
  });
  const fates = new Map<string, ReadonlySet<Fate>>();
  const fateOf = (id: string): ReadonlySet<Fate> => {
    const known = fates.get(id);
    if (known !== undefined) return known;
    const action = byId.get(id);
    if (action === undefined) return new Set(['skipped']);
    const fate = inCycle.has(id) ? new Set<Fate>(['failed', 'skipped']) : ownFate(action);
    fates.set(id, fate);
    return fate;
  };
  const ownFate = (action: PlannedAction): ReadonlySet<Fate> => {
    const named = action.references.flatMap((name) => actions.find(({ id }) => keyOf(id) === name) ?? []);
    const producers = [
      ...producersOf(action),
      // An action is skipped where one has no result whose output it names (SEP-49).
      ...named.filter(({ mode }) => mode !== 'fire_and_forget').map(({ id }) => id),
    ].map(fateOf);
    if (producers.some((fate) => !succeeds(fate))) return new Set(['skipped']);
    const own: Fate =
      action.mode === 'fire_and_forget' ? 'started' : attemptsOf(action).succeeds ? 'completed' : 'failed';
    // Whether it waits for one that has no output at all is left open.
    const isSure = named.every(({ id }) => isCertain(fateOf(id)));
    return isSure && producers.every(isCertain) ? new Set([own]) : new Set([own, 'skipped']);
  };
  for (const { id } of actions) fateOf(id);
  return fates;
}

const succeeds = (fate: ReadonlySet<Fate>): boolean => fate.has('completed') || fate.has('started');
const isCertain = (fate: ReadonlySet<Fate>): boolean => !fate.has('failed') && !fate.has('skipped');

/** The actions that depend on themselves, also by way of others. */
function cyclic(
  actions: readonly PlannedAction[],
  producersOf: (id: string) => readonly string[],
): ReadonlySet<string> {
  const found = new Set<string>();
  for (const { id } of actions) {
    const seen = new Set<string>();
    const stack = [...producersOf(id)];
    for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
      if (next === id) found.add(id);
      if (seen.has(next)) continue;
      seen.add(next);
      stack.push(...producersOf(next));
    }
  }
  return found;
}
