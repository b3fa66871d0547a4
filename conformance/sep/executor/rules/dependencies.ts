/** Rules about actions that can never start, and about names of others: SEP-25, 32, 33, 34 and 49. */
import { isObject } from '../../../../src/kit/base/index.ts';
import { mismatch, shown } from '../../../../src/kit/testee/index.ts';
import type { Judgement } from '../../../../src/kit/testee/index.ts';
import { textIn } from '../events.ts';
import type { KnownAction } from '../model/known-action.ts';
import { namesIn } from '../references.ts';
import type { RunFacts } from '../model/run-facts.ts';
import {
  causesOf,
  hasNoResult,
  isInPureCycle,
  lostIds,
  mayBeInCycle,
  namedBy,
  producersOf,
  statusOf,
  waitedFor,
} from '../model/waits.ts';
import { firstOf, ofEndOfEach, ofOutcome, ofStart } from './rule.ts';
import type { RunRule, RunRules } from './rule.ts';

/** Whether an action failed that never started, and is in no cycle: it had to be skipped. */
const failedInVain = (facts: RunFacts, action: KnownAction): boolean =>
  action.outcome === 'failed' && action.starts === 0 && !mayBeInCycle(facts, action);

const madeIds: RunRule = ({ actions }, { type, action }) => {
  if (type !== 'action' || !isObject(action) || action['generated'] !== true) return undefined;
  const id = textIn(action, 'id');
  return actions.has(id) ? mismatch('an id that no other action has', id) : 'exercised';
};

const dependsOnMade = ofStart(({ actions }, { id, dependsOn }) => {
  const made = dependsOn.find((one) => actions.get(one)?.generated === true);
  return made === undefined
    ? undefined
    : mismatch(`${id} to be skipped: no action can depend on ${made}`, `started ${id}`);
});

const lost: RunRule = ofEndOfEach((facts, action) => {
  const [id] = lostIds(facts, action);
  if (id === undefined) return undefined;
  const isWrong = action.starts > 0 || failedInVain(facts, action);
  if (isWrong) return mismatch(`${action.id} to be skipped: ${id} never came`, statusOf(action));
  return action.outcome === 'skipped' ? 'exercised' : undefined;
});

const cycles: RunRule = ofEndOfEach((facts, action) => {
  if (action.dependsOn.length === 0 || !isInPureCycle(facts, action)) return undefined;
  return action.outcome === 'failed' && action.starts === 0
    ? 'exercised'
    : mismatch(`failed ${action.id}, whose dependencies are a cycle`, statusOf(action));
});

/** Whether the text of a cause names one of these ids. */
const names = (because: string, ids: readonly string[]): boolean => ids.some((id) => because.includes(id));

const skippedWithCause = ofOutcome((action, event, facts) =>
  event['type'] === 'skipped' &&
  producersOf(facts, action).some(hasNoResult) &&
  names(textIn(event, 'because'), causesOf(facts, action) ?? [])
    ? 'exercised'
    : undefined,
);

const startedInVain = ofStart((facts, action) => {
  const failed = producersOf(facts, action).find(hasNoResult);
  return failed === undefined
    ? undefined
    : mismatch(`${action.id} to be skipped: ${failed.id} was ${failed.outcome}`, `started ${action.id}`);
});

/** Each action that depends on one without a result is skipped, and names a cause. */
const skippedInTheEnd: RunRule = ofEndOfEach((facts, action) => {
  const { id, outcome, because } = action;
  const failed = producersOf(facts, action).find(hasNoResult);
  if (failed === undefined) return undefined;
  if (failedInVain(facts, action))
    return mismatch(`${id} to be skipped: ${failed.id} was ${failed.outcome}`, statusOf(action));
  const causes = causesOf(facts, action);
  return outcome === 'skipped' && causes !== undefined && !names(because, causes)
    ? mismatch(`a cause of the skipped ${id}, such as ${failed.id}`, shown(because))
    : undefined;
});

/** The earlier tracked actions that the parameters of an action name, and that do not wait for it. */
const namedBefore = (facts: RunFacts, action: KnownAction): readonly KnownAction[] =>
  facts.hasForgotten
    ? []
    : namedBy(facts, action).filter(
        (one) => one.mode !== 'fire_and_forget' && waitedFor(facts, one)?.has(action) === false,
      );

const namedStart: RunRule = ofStart((facts, action, event): Judgement => {
  const named = namedBefore(facts, action);
  const open = named.find(({ outcome }) => outcome === undefined);
  if (open !== undefined)
    return mismatch(`${action.id} to wait for ${open.id}, which it names`, `started ${action.id}`);
  const isLater = ({ ended }: KnownAction): boolean => ended !== undefined && ended.n > action.declared.n;
  // What had failed before the action came is no output to wait for: the reference may stay as it is written.
  const failed = named.find(
    (one) => hasNoResult(one) && isLater(one) && stays(one, action, event['parameters'] ?? null),
  );
  if (failed !== undefined)
    return mismatch(`${action.id} to be skipped: ${failed.id} was ${failed.outcome}`, `started ${action.id}`);
  return action.couldStart && named.some(isLater) ? 'exercised' : undefined;
});

/** Whether a reference to an action stays in the parameters: the caller gave no variable with its name. */
const stays = (
  { id, outputKey }: KnownAction,
  { names: written }: KnownAction,
  came: Parameters<typeof namesIn>[0],
): boolean => {
  const left = namesIn(came);
  return written.some((name) => (name === outputKey || name === id) && left.includes(name));
};

const namedSkip: RunRule = ofOutcome((action, { type }, facts) =>
  type === 'skipped' &&
  action.couldStart &&
  !producersOf(facts, action).some(hasNoResult) &&
  namedBefore(facts, action).some(hasNoResult)
    ? 'exercised'
    : undefined,
);

/** The rules of this file. */
export const dependencyRules: RunRules = {
  'SEP-25': firstOf(madeIds, dependsOnMade),
  'SEP-32': lost,
  'SEP-33': cycles,
  'SEP-34': firstOf(skippedWithCause, startedInVain, skippedInTheEnd),
  'SEP-49': firstOf(namedStart, namedSkip),
};
