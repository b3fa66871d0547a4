/** Rules about the outcomes of actions: SEP-26, 37, 38, 40, 78, 95 and 96. */
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import { mismatch, shown } from '../../../../src/kit/testee/index.ts';
import { textIn } from '../events.ts';
import { numberIn } from '../model/known-action.ts';
import type { KnownAction } from '../model/known-action.ts';
import { actionOf, attemptsAsked } from '../model/take-event.ts';
import type { RunFacts } from '../model/run-facts.ts';
import { secondsSince } from '../model/waits.ts';
import { firstOf, forgotten, ofEnd, ofOutcome } from './rule.ts';
import type { RunRule, RunRules } from './rule.ts';

/** The tolerance of times (s): a busy machine is late. */
const late = 1;
/** A clock may be a little early (s). */
const early = 0.02;

/** The status that an action still owes at the end of a run; undefined: it owes nothing. */
function owed({ mode, starts, outcome }: KnownAction): string | undefined {
  if (outcome !== undefined) return undefined;
  if (starts === 0) return 'started or skipped';
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

const startBefore: RunRule = ofOutcome(({ id, starts }, { type }) =>
  type === 'completed' && starts === 0
    ? mismatch(`started ${id} before completed ${id}`, `completed ${id}`)
    : undefined,
);

const oneOutcome: RunRule = (facts, event) => {
  const { type } = event;
  const action = type === 'completed' || type === 'failed' ? actionOf(facts, event) : undefined;
  // The second outcome of an action that ran twice belongs to its second run (SEP-26).
  return action?.outcome === undefined || action.starts > 1
    ? undefined
    : mismatch(
        `no second outcome of ${action.id}, which was ${action.outcome}`,
        `${shown(type)} ${action.id}`,
      );
};

/** An action runs once. It may be shown to start at each of its attempts. */
const startsOnce: RunRule = (facts, event) => {
  const action = event['type'] === 'started' ? actionOf(facts, event) : undefined;
  // What starts after the turn has ended breaks SEP-95.
  if (action === undefined || facts.fatal !== undefined) return undefined;
  if (action.outcome !== undefined)
    return mismatch(`no second start of ${action.id}, which was ${action.outcome}`, `started ${action.id}`);
  return action.starts >= (attemptsAsked(action) ?? 1)
    ? mismatch(`one start of ${action.id} for each of its attempts`, `one more`)
    : undefined;
};

const inTime: RunRule = ofOutcome((action, event) => {
  const { id, timeout, started } = action;
  const { type } = event;
  // Only a failure tells the number of its attempts, and further attempts have no events of their own.
  const isOne = type === 'failed' ? event['attempts'] === 1 : (attemptsAsked(action) ?? 1) === 1;
  if (timeout === undefined || type === 'skipped' || !isOne) return undefined;
  const over = secondsSince(started?.at, event) - timeout;
  if (over > late)
    return mismatch(`the outcome of ${id} within ${timeout} s of its start`, `${shown(type)} later`);
  return type === 'failed' && over >= -early ? 'exercised' : undefined;
});

/** The number of attempts of actions that ask for it with `retry`, or with on_error retry alone. */
const attempts = (hasRetry: boolean): RunRule =>
  ofOutcome((action, event) => {
    if ((action.retry !== undefined) !== hasRetry) return undefined;
    // What is not told compares as false.
    const came = numberIn(event, 'attempts') ?? NaN;
    const asked = attemptsAsked(action) ?? NaN;
    if (came > asked) return mismatch(`at most ${asked} attempts of ${action.id}`, `${came}`);
    return asked > 1 && came === asked ? 'exercised' : undefined;
  });

/** An action that failed after too few attempts, in a run that nothing cut short, or that its failure ended. */
const fewAttempts =
  (of: (facts: RunFacts) => KnownAction | undefined): RunRule =>
  (facts, { type, reason }) => {
    const action = type === 'finished' && reason !== 'cancelled' ? of(facts) : undefined;
    return action === undefined || (facts.fatal !== undefined && facts.fatal !== action)
      ? undefined
      : mismatch(`${attemptsAsked(action)} attempts of ${action.id}`, 'fewer');
  };

const goesOn: RunRule = ({ fatal, survived, mayHaveEnded, hasForgotten }, { type, reason }) => {
  if (type !== 'finished' || survived === undefined || fatal !== undefined) return undefined;
  if (reason !== 'failed') return reason === 'cancelled' ? undefined : 'exercised';
  return mayHaveEnded || hasForgotten
    ? undefined
    : mismatch(`the turn to go on: ${survived.id} has on_error ${survived.onError}`, 'finished, failed');
};

/** What shows that a turn has not ended; undefined: nothing. */
function goingOn(event: JsonObject): string | undefined {
  const { type, reason } = event;
  if (type === 'started') return `started ${textIn(event, 'id')}`;
  if (type === 'response' && textIn(event, 'text') !== '') return 'the text of a response';
  if (type === 'iteration') return 'a further iteration';
  return type === 'finished' && (reason === 'final' || reason === 'max_iterations')
    ? `finished, ${reason}`
    : undefined;
}

const endsTurn: RunRule = ({ fatal }, event) => {
  if (fatal === undefined) return undefined;
  const came = goingOn(event);
  if (came !== undefined) return mismatch(`the end of the turn: ${fatal.id} failed with on_error fail`, came);
  return event['type'] === 'finished' && event['reason'] === 'failed' ? 'exercised' : undefined;
};

/** The rules of this file. */
export const outcomeRules: RunRules = {
  'SEP-26': startsOnce,
  'SEP-37': inTime,
  'SEP-38': firstOf(
    attempts(true),
    fewAttempts(({ fewRetries }) => fewRetries),
  ),
  'SEP-40': goesOn,
  'SEP-78': firstOf(startBefore, oneOutcome, everyStatus),
  'SEP-95': endsTurn,
  'SEP-96': firstOf(
    attempts(false),
    fewAttempts(({ noRetry }) => noRetry),
  ),
};
