/** Rules about the time at which actions start: SEP-28, 29, 30, 31 and 94. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { mismatch, shown } from '../../../../src/kit/testee/index.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';
import { textIn } from '../events.ts';
import type { KnownAction } from '../model/known-action.ts';
import { actionOf } from '../model/take-event.ts';
import type { RunFacts } from '../model/run-facts.ts';
import { hasNoResult, isSatisfied, producersOf, readyAt, secondsSince, unknownOf } from '../model/waits.ts';
import { firstOf, ofEndOfEach, ofStart } from './rule.ts';
import type { RunRule, RunRules } from './rule.ts';

/** The tolerance of times (s): a busy machine is late. */
const late = 1;

/** An action depends on one that came later in the output. */
const waitsForward = (facts: RunFacts, action: KnownAction): boolean =>
  producersOf(facts, action).some(({ place }) => place > action.place);

/** The sync action that delays what comes after it now. */
const blockerOf = ({ blockers }: RunFacts): KnownAction | undefined => [...blockers.values()][0];

const startBehind = ofStart((facts, { id, place, behind }) => {
  const blocker = blockerOf(facts);
  if (blocker !== undefined && blocker.place < place)
    return mismatch(`the outcome of ${blocker.id}, a sync action, before ${id} starts`, `started ${id}`);
  return behind === undefined ? undefined : 'exercised';
});

/** With no other action before the sync one, every text of a response is behind it. */
const textBehind: RunRule = (facts, event) => {
  const blocker = event['type'] === 'response' && textIn(event, 'text') !== '' ? blockerOf(facts) : undefined;
  return blocker?.cameAlone === true
    ? mismatch(`the outcome of ${blocker.id}, a sync action, before the text of a response`, 'the text')
    : undefined;
};

const besideAsync: RunRule = (facts, event) => {
  const action = event['type'] === 'started' ? actionOf(facts, event) : undefined;
  if (action === undefined && (event['type'] !== 'response' || textIn(event, 'text') === ''))
    return undefined;
  const isBefore = (one: KnownAction): boolean =>
    action === undefined ? one.cameAlone : one.place < action.place;
  return [...facts.open.values()].some((one) => one.mode === 'async' && one.starts > 0 && isBefore(one))
    ? 'exercised'
    : undefined;
};

/** An action that starts long after nothing kept it from that. The row is that of what ended meanwhile. */
const lateStart = (row: string): RunRule =>
  ofStart((facts, action, event) => {
    const ready = readyAt(facts, action);
    if (ready === undefined || secondsSince(ready, event) <= late) return undefined;
    return rowOfDelay(facts, action, ready) === row
      ? mismatch(`${action.id} to start at ${shown(ready)} s, from when nothing delays it`, 'a later start')
      : undefined;
  });

function rowOfDelay({ actions, blockers }: RunFacts, { place }: KnownAction, ready: number): string {
  if ([...blockers.values()].some((one) => one.place < place)) return 'SEP-28';
  const ended = [...actions.values()].filter(
    (one) => one.place < place && (one.ended?.at ?? 0) > ready && (one.declared.at ?? Infinity) <= ready,
  );
  if (ended.some((one) => one.floats)) return 'SEP-94';
  return ended.some(({ mode }) => mode === 'async') ? 'SEP-29' : 'SEP-31';
}

/** An action whose dependencies have all succeeded is not skipped. */
const skippedInVain = (isForward: boolean): RunRule =>
  ofEndOfEach((facts, action) => {
    const { id, outcome, starts, dependsOn, names, isLarge } = action;
    if (outcome !== 'skipped' || starts > 0 || dependsOn.length === 0 || names.length > 0 || isLarge)
      return undefined;
    if (unknownOf(facts, action).length > 0 || facts.fatal !== undefined) return undefined;
    const producers = producersOf(facts, action);
    const isSure = producers.every((one) => isSatisfied(one) && one.iteration === action.iteration);
    return isSure && waitsForward(facts, action) === isForward
      ? mismatch(`${id} to start: ${dependsOn.join(', ')} succeeded`, `skipped ${id}`)
      : undefined;
  });

/** An action that comes after one that depends on it has started. One that never comes is judged by SEP-32. */
const startedEarly: RunRule = ({ early }, event) => {
  const { action } = event;
  const id = event['type'] === 'action' && isObject(action) ? textIn(action, 'id') : '';
  const dependent = early.get(id);
  return dependent === undefined
    ? undefined
    : mismatch(`${dependent} to wait for ${id}`, `started ${dependent} before ${id} came`);
};

const startedInTime = ofStart((facts, action) => {
  const producers = producersOf(facts, action);
  const open = producers.find((one) => !isSatisfied(one) && !hasNoResult(one));
  if (open !== undefined)
    return mismatch(`completed ${open.id} before ${action.id} starts`, `started ${action.id}`);
  return producers.length > 0 && producers.length === action.dependsOn.length ? 'exercised' : undefined;
});

const startedForward = ofStart((facts, action) => (waitsForward(facts, action) ? 'exercised' : undefined));

/** The result of a fire_and_forget action is not tracked, and its start is enough for others. */
const forgets = (facts: RunFacts, event: JsonObject): Judgement => {
  const action = actionOf(facts, event);
  if (event['type'] === 'started' && action !== undefined)
    return producersOf(facts, action).some(({ mode }) => mode === 'fire_and_forget')
      ? 'exercised'
      : undefined;
  if (action?.mode !== 'fire_and_forget' || action.starts === 0) return undefined;
  return event['type'] === 'completed' || event['type'] === 'failed'
    ? mismatch(`no outcome of ${action.id}, a fire_and_forget action`, `${event['type']} ${action.id}`)
    : undefined;
};

/** The rules of this file. */
export const orderRules: RunRules = {
  'SEP-28': firstOf(startBehind, textBehind),
  'SEP-29': firstOf(lateStart('SEP-29'), besideAsync),
  'SEP-30': forgets,
  'SEP-31': firstOf(startedEarly, lateStart('SEP-31'), startedInTime, skippedInVain(false)),
  'SEP-94': firstOf(lateStart('SEP-94'), startedForward, skippedInVain(true)),
};
