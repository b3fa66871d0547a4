/** Rules about the outcomes of actions: SEP-26, 37, 38, 40 and 78. */
import { mismatch } from '../../../../src/kit/testee/index.ts';
import { actionOf, numberIn } from '../run-facts.ts';
import type { KnownAction, RunFacts } from '../run-facts.ts';
import { forgotten, ofEnd, ofOutcome, ofStart } from './rule.ts';
import type { RunRule, RunRules } from './rule.ts';

/** The tolerance of times (s): a busy machine is late. */
const late = 1;
/** A clock may be a little early (s). */
const early = 0.02;

/** The status that an action still owes at the end of a run; undefined: it owes nothing. */
function owed({ mode, hasStarted, outcome }: KnownAction): string | undefined {
  if (outcome !== undefined) return undefined;
  if (!hasStarted) return 'started or skipped';
  return mode === 'fire_and_forget' ? undefined : 'completed or failed';
}

const everyStatus: RunRule = ofEnd((facts: RunFacts) => {
  if (facts.actions.size === 0) return undefined;
  if (facts.hasForgotten) return forgotten;
  for (const action of facts.actions.values()) {
    const status = owed(action);
    if (status !== undefined) return mismatch(`${status} ${action.id} before finished`, 'finished');
  }
  return 'exercised';
});

const startBefore: RunRule = ofOutcome(({ id, hasStarted }, { type }) =>
  type === 'completed' && !hasStarted
    ? mismatch(`started ${id} before completed ${id}`, `completed ${id}`)
    : undefined,
);

/** The rules of this file. */
export const outcomeRules: RunRules = {
  'SEP-26': (facts, event) => {
    const action = event['type'] === 'started' ? actionOf(facts, event) : undefined;
    return action?.outcome === undefined
      ? undefined
      : mismatch(`no second start of ${action.id}, which was ${action.outcome}`, `started ${action.id}`);
  },

  'SEP-37': ofOutcome(({ id, timeout, startedAt }, event) => {
    const at = numberIn(event, 'at');
    // Only a failure tells the number of its attempts, and further attempts have no events of their own.
    if (event['type'] !== 'failed' || event['attempts'] !== 1) return undefined;
    if (timeout === undefined || startedAt === undefined || at === undefined) return undefined;
    const took = at - startedAt;
    if (took > timeout + late)
      return mismatch(
        `the outcome of ${id} within ${timeout} s of its start`,
        `failed after ${Math.round(took * 1000) / 1000} s`,
      );
    return took >= timeout - early ? 'exercised' : undefined;
  }),

  'SEP-38': ofOutcome(({ id, attempts }, event) => {
    const came = numberIn(event, 'attempts');
    if (came === undefined || attempts === undefined) return undefined;
    if (came > attempts) return mismatch(`at most ${attempts} attempts of ${id}`, `${came}`);
    return attempts > 1 && came === attempts ? 'exercised' : undefined;
  }),

  'SEP-40': (facts, event) => {
    if (facts.fatal === undefined) return undefined;
    if (event['type'] === 'finished') return 'exercised';
    return startedAfterEnd(facts, event);
  },

  'SEP-78': (facts, event) => startBefore(facts, event) ?? everyStatus(facts, event),
};

const startedAfterEnd = ofStart(({ fatal }, { id }) =>
  mismatch(`no start after ${fatal?.id} failed with on_error fail`, `started ${id}`),
);
