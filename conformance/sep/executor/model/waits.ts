/** What the actions of a run wait for: the ids in depends_on, and the earlier actions that the parameters name. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { numberIn } from './known-action.ts';
import type { KnownAction, ToldAction } from './known-action.ts';
import type { RunFacts } from './run-facts.ts';

type Known = Pick<RunFacts, 'actions' | 'keys'>;

/** Whether those that depend on an action may start: it has succeeded, or it is not tracked and has started. */
export const isSatisfied = ({ mode, outcome, starts }: KnownAction): boolean =>
  outcome === 'completed' || (mode === 'fire_and_forget' && starts > 0);

/** Whether an action has no result: it failed, or it was skipped. */
export const hasNoResult = ({ outcome }: KnownAction): boolean =>
  outcome === 'failed' || outcome === 'skipped';

/** The known actions that an action depends on. An id that the parser made is no name for others (SEP-25). */
export const producersOf = ({ actions }: Known, { dependsOn }: ToldAction): readonly KnownAction[] =>
  dependsOn.flatMap((id) => actions.get(id) ?? []).filter(({ generated }) => !generated);

/** The ids in depends_on that no action has which others can depend on. */
export const unknownOf = ({ actions }: Known, { dependsOn }: ToldAction): readonly string[] =>
  dependsOn.filter((id) => actions.get(id)?.generated !== false);

/** The action whose output a name means; undefined: none, or the choice between several is open. */
export function producerOf({ actions, keys }: Known, name: string): KnownAction | undefined {
  const producer = keys.has(name) ? keys.get(name) : actions.get(name);
  return producer?.generated === false ? producer : undefined;
}

/** The earlier actions whose outputs the parameters of an action name, and that it does not depend on (SEP-49). */
export function namedBy(
  facts: Known,
  action: ToldAction & { readonly place?: number },
): readonly KnownAction[] {
  const { names, dependsOn, place = Infinity } = action;
  return names
    .flatMap((name) => producerOf(facts, name) ?? [])
    .filter((one) => one.place < place && !dependsOn.includes(one.id));
}

/** Whether an action that comes now waits for no action that may come later. */
export const isGrounded = (facts: Known, told: ToldAction): boolean =>
  !told.isLarge &&
  !told.names.some((name) => facts.keys.get(name) === null) &&
  unknownOf(facts, told).length === 0 &&
  [...producersOf(facts, told), ...namedBy(facts, told)].every((one) => one.isGrounded || isEnded(one));

/** Whether an action that comes now certainly waits for one that may come later: by its depends_on. */
export const floats = (facts: Known, told: ToldAction): boolean =>
  unknownOf(facts, told).length > 0 || producersOf(facts, told).some((one) => one.floats && !isEnded(one));

const isEnded = ({ outcome, starts, mode }: KnownAction): boolean =>
  outcome !== undefined || (mode === 'fire_and_forget' && starts > 0);

/** Whether the dependencies of an action that comes now have succeeded. */
export const couldStart = (facts: Known, told: ToldAction): boolean =>
  unknownOf(facts, told).length === 0 && producersOf(facts, told).every(isSatisfied);

/** The most waits that a walk goes along: an odd run has very many. */
const mostWalked = 64;

/** The actions that an action waits for, also by way of others. Undefined: too many. */
export const waitedFor = (facts: Known, action: KnownAction): ReadonlySet<KnownAction> | undefined =>
  walked(action, (one) => [...producersOf(facts, one), ...namedBy(facts, one)]);

/** The actions that an action depends on, also by way of others. Undefined: too many. */
const dependedOn = (facts: Known, action: KnownAction): ReadonlySet<KnownAction> | undefined =>
  walked(action, (one) => producersOf(facts, one));

function walked(
  action: KnownAction,
  nextOf: (one: KnownAction) => readonly KnownAction[],
): ReadonlySet<KnownAction> | undefined {
  const found = new Set<KnownAction>();
  const stack = [action];
  let steps = 0;
  for (let one = stack.pop(); one !== undefined; one = stack.pop()) {
    for (const next of nextOf(one)) {
      if (++steps > mostWalked) return undefined;
      if (found.has(next)) continue;
      found.add(next);
      stack.push(next);
    }
  }
  return found;
}

/** Whether an action waits for an id that never came, or came in a later output. */
const isLost = (facts: Known, action: KnownAction): boolean =>
  unknownOf(facts, action).length > 0 || lostIds(facts, action).length > 0;

/** The ids in depends_on that never came, or came in a later output. */
export const lostIds = ({ actions }: Known, { dependsOn, iteration }: KnownAction): readonly string[] =>
  dependsOn.filter((id) => (actions.get(id)?.iteration ?? Infinity) > iteration);

/**
 * Whether an action is in a cycle of dependencies, and nothing else keeps its actions from running.
 *
 * Not where a dependency never came or has no result by itself, and not where one cycle waits for another: such an
 * action may be skipped instead.
 */
export function isInPureCycle(facts: Known, action: KnownAction): boolean {
  const waited = waitedFor(facts, action);
  if (waited === undefined || !dependsOnOther(facts, action, action) || isLost(facts, action)) return false;
  return [...waited].every(
    (one) => isSatisfied(one) || (!isLost(facts, one) && dependsOnOther(facts, one, action)),
  );
}

/** Whether an action depends on another one, also by way of others. */
const dependsOnOther = (facts: Known, one: KnownAction, other: KnownAction): boolean =>
  dependedOn(facts, one)?.has(other) === true;

/** Whether an action may be in a cycle. */
export const mayBeInCycle = (facts: Known, action: KnownAction): boolean =>
  waitedFor(facts, action)?.has(action) !== false;

/** The ids that may be named as the cause of a skipped action. Undefined: they cannot be told. */
export function causesOf(facts: Known, action: KnownAction): readonly string[] | undefined {
  const waited = waitedFor(facts, action);
  if (waited === undefined) return undefined;
  const all = [action, ...waited];
  return [
    ...all.flatMap((one) => [...unknownOf(facts, one), ...lostIds(facts, one)]),
    ...[...waited].filter(hasNoResult).map(({ id }) => id),
  ];
}

/**
 * The time from which nothing kept an action from its start (s). Undefined: it cannot be told, because an event has no
 * time, or the action also waits for something that is not satisfied or not certain.
 */
export function readyAt(facts: RunFacts, action: KnownAction): number | undefined {
  const producers = producersOf(facts, action);
  if (action.names.length > 0 || action.isLarge || facts.hasForgotten) return undefined;
  if (unknownOf(facts, action).length > 0 || !producers.every(isSatisfied)) return undefined;
  const times = [
    action.declared.at,
    ...producers.map((one) => (one.mode === 'fire_and_forget' ? one.started : one.ended)?.at),
  ];
  return times.some((at) => at === undefined)
    ? undefined
    : Math.max(facts.syncEndedAt ?? 0, ...times.map((at) => at ?? 0));
}

/** The time from a moment to an event (s); NaN: it is not told. */
export const secondsSince = (from: number | undefined, event: JsonObject): number =>
  (numberIn(event, 'at') ?? NaN) - (from ?? NaN);

/** The status of an action, in words. */
export const statusOf = ({ outcome, starts }: KnownAction): string =>
  outcome ?? (starts > 0 ? 'started' : 'nothing');
