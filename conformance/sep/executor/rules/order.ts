/** Rules about the order of actions: SEP-28, 30, 31, 32 and 34. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { mismatch } from '../../../../src/kit/testee/index.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';
import { textIn } from '../events.ts';
import { actionOf } from '../run-facts.ts';
import type { KnownAction, RunFacts } from '../run-facts.ts';
import { forgotten, ofEnd, ofOutcome, ofStart } from './rule.ts';
import type { RunRules } from './rule.ts';

/** Whether those that depend on an action may start: it has succeeded, or it is not tracked and has started. */
const isSatisfied = ({ mode, outcome, hasStarted }: KnownAction): boolean =>
  outcome === 'completed' || (mode === 'fire_and_forget' && hasStarted);

const hasNoResult = ({ outcome }: KnownAction): boolean => outcome === 'failed' || outcome === 'skipped';

/** The known actions that an action depends on. */
const producersOf = ({ actions }: RunFacts, { dependsOn }: KnownAction): readonly KnownAction[] =>
  dependsOn.flatMap((id) => actions.get(id) ?? []);

/** The ids in depends_on of which no action came. */
const unknownOf = ({ actions }: RunFacts, { dependsOn }: KnownAction): readonly string[] =>
  dependsOn.filter((id) => !actions.has(id));

/** The rules of this file. */
export const orderRules: RunRules = {
  'SEP-28': ofStart(({ blocker, unblockedPlace }, { id, place }) => {
    if (blocker !== undefined)
      return place > blocker.place
        ? mismatch(`the outcome of ${blocker.id}, a sync action, before ${id} starts`, `started ${id}`)
        : undefined;
    return unblockedPlace !== undefined && place > unblockedPlace ? 'exercised' : undefined;
  }),

  'SEP-30': (facts, event) => {
    const action = actionOf(facts, event);
    if (event['type'] === 'started' && action !== undefined)
      return producersOf(facts, action).some(({ mode }) => mode === 'fire_and_forget')
        ? 'exercised'
        : undefined;
    if (action?.mode !== 'fire_and_forget' || !action.hasStarted) return undefined;
    return event['type'] === 'completed' || event['type'] === 'failed'
      ? mismatch(`no outcome of ${action.id}, a fire_and_forget action`, `${event['type']} ${action.id}`)
      : undefined;
  },

  'SEP-31': (facts, event) => startedEarly(facts, event) ?? startedInTime(facts, event),

  'SEP-32': ofEnd((facts) => {
    const lost = [...facts.actions.values()].filter((action) => unknownOf(facts, action).length > 0);
    if (lost.length === 0) return undefined;
    if (facts.hasForgotten) return forgotten;
    const ran = lost.find(({ hasStarted }) => hasStarted);
    if (ran === undefined) return 'exercised';
    return mismatch(`${ran.id} to be skipped: ${unknownOf(facts, ran)[0]} never came`, `started ${ran.id}`);
  }),

  'SEP-34': (facts, event) => skippedWithCause(facts, event) ?? startedInVain(facts, event),
};

const skippedWithCause = ofOutcome((action, { type }, facts) =>
  type === 'skipped' && producersOf(facts, action).some(hasNoResult) ? 'exercised' : undefined,
);

const startedInVain = ofStart((facts, action) => {
  const failed = producersOf(facts, action).find(hasNoResult);
  return failed === undefined
    ? undefined
    : mismatch(`${action.id} to be skipped: ${failed.id} was ${failed.outcome}`, `started ${action.id}`);
});

/** An action that comes after one that depends on it has started. One that never comes is judged by SEP-32. */
function startedEarly({ early }: RunFacts, event: JsonObject): Judgement {
  const { action } = event;
  const id = event['type'] === 'action' && isObject(action) ? textIn(action, 'id') : '';
  const dependent = early.get(id);
  return dependent === undefined
    ? undefined
    : mismatch(`${dependent} to wait for ${id}`, `started ${dependent} before ${id} came`);
}

const startedInTime = ofStart((facts, action) => {
  const producers = producersOf(facts, action);
  const open = producers.find((one) => !isSatisfied(one) && !hasNoResult(one));
  if (open !== undefined)
    return mismatch(`completed ${open.id} before ${action.id} starts`, `started ${action.id}`);
  return producers.length > 0 && producers.length === action.dependsOn.length ? 'exercised' : undefined;
});
