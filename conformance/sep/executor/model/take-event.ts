/**
 * The facts of a run, from its events so far. They are the same for the list of an answer and for the events of a live
 * run. They are bounded: of a long run, the oldest actions are forgotten.
 */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { forgetOldest } from '../../../../src/kit/judge/index.ts';
import { noEffects, takeEffect } from './effects.ts';
import { isFetched, textIn } from '../events.ts';
import { noFeeds, takeFeedEvent } from './feeds.ts';
import { isSmall, numberIn, toldAction } from './known-action.ts';
import type { KnownAction, Moment, Outcome } from './known-action.ts';
import type { RunFacts } from './run-facts.ts';
import { couldStart, floats, isGrounded } from './waits.ts';

/** The most actions that are remembered. */
const actionsKept = 4096;

/** The facts before the first event. */
export const noFacts = (): RunFacts => ({
  actions: new Map(),
  keys: new Map(),
  early: new Map(),
  open: new Map(),
  blockers: new Map(),
  missing: new Map(),
  feeds: noFeeds(),
  effects: noEffects(),
  events: 0,
  declared: 0,
  iteration: 0,
  hasForgotten: false,
  syncEndedAt: undefined,
  fatal: undefined,
  survived: undefined,
  mayHaveEnded: false,
  fewRetries: undefined,
  noRetry: undefined,
  finals: 0,
  responses: 0,
  finalEnd: 0,
  finished: undefined,
});

/** The known action that an event is about. */
export const actionOf = ({ actions }: RunFacts, event: JsonObject): KnownAction | undefined =>
  actions.get(textIn(event, 'id'));

/** Takes the next event of the run. */
export function takeEvent(facts: RunFacts, event: JsonObject): void {
  const { type } = event;
  facts.events++;
  takeFeed(facts, event);
  takeEffect(facts.effects, event);
  if (type === 'action') declare(facts, event);
  if (type === 'started') takeStart(facts, event);
  if (isOutcome(type)) takeOutcome(facts, event, type);
  if (type === 'response_end') takeResponseEnd(facts, event);
  if (type === 'iteration') facts.iteration++;
  if (type === 'diagnostic') takeDiagnostic(facts, event);
  if (type === 'finished') facts.finished ??= event['reason'] ?? null;
}

/** A name without a value may have one after its feed was fetched, or after an internal action. */
function takeFeed({ feeds, missing }: RunFacts, event: JsonObject): void {
  if (takeFeedEvent(feeds, event)) missing.clear();
  if (isFetched(event)) missing.delete(textIn(event, 'id'));
}

const isOutcome = (type: Json | undefined): type is Outcome =>
  type === 'completed' || type === 'failed' || type === 'skipped';

const momentOf = ({ events }: RunFacts, event: JsonObject): Moment => ({
  n: events,
  at: numberIn(event, 'at'),
});

/** What is not read of an action whose parameters cannot be judged. */
const unreadable = { parameters: undefined, isLarge: true, names: [] } as const;

function declare(facts: RunFacts, event: JsonObject): void {
  const read = toldAction(event['action']);
  if (read === undefined || facts.actions.has(read.id)) return;
  // In a loop, names in its parameters have values of their own: the rows about references say nothing of these.
  const told = event['values'] === undefined ? read : { ...read, ...unreadable };
  const [blocker] = facts.blockers.values();
  const action: KnownAction = {
    ...told,
    place: facts.declared++,
    iteration: facts.iteration,
    declared: momentOf(facts, event),
    isGrounded: isGrounded(facts, told),
    // Behind a sync action, what it waits for may come before it is looked at.
    floats: floats(facts, told) && ![...facts.open.values()].some(({ mode }) => mode === 'sync'),
    cameAlone: facts.open.size === 0,
    behind: blocker?.id,
    couldStart: blocker === undefined && couldStart(facts, told),
    starts: 0,
    started: undefined,
    outcome: undefined,
    ended: undefined,
    output: undefined,
    because: '',
  };
  remember(facts, action);
}

function remember(facts: RunFacts, action: KnownAction): void {
  const { id, mode, outputKey } = action;
  facts.actions.set(id, action);
  if (outputKey !== undefined) facts.keys.set(outputKey, facts.keys.has(outputKey) ? null : action);
  if (mode !== 'fire_and_forget') facts.open.set(id, action);
  if (mode === 'sync' && action.isGrounded) facts.blockers.set(id, action);
  for (const kept of [facts.actions, facts.keys, facts.open, facts.blockers])
    facts.hasForgotten = forgetOldest(kept, actionsKept) || facts.hasForgotten;
}

function takeStart(facts: RunFacts, event: JsonObject): void {
  const action = actionOf(facts, event);
  if (action === undefined) return;
  action.starts++;
  if (action.started !== undefined) return;
  action.started = momentOf(facts, event);
  for (const id of action.dependsOn) if (!facts.actions.has(id)) facts.early.set(id, action.id);
  forgetOldest(facts.early, actionsKept);
}

function takeOutcome(facts: RunFacts, event: JsonObject, outcome: Outcome): void {
  const action = actionOf(facts, event);
  if (action === undefined || action.outcome !== undefined) return;
  const { id, mode, onError } = action;
  action.outcome = outcome;
  action.ended = momentOf(facts, event);
  action.because = textIn(event, 'because');
  const { output = null } = event;
  if (outcome === 'completed' && isSmall(output)) action.output = output;
  facts.open.delete(id);
  facts.blockers.delete(id);
  if (mode === 'sync' && !action.floats) facts.syncEndedAt = action.ended.at;
  if (outcome === 'failed') takeFailure(facts, action, event);
  if (outcome !== 'completed' && onError !== 'skip' && onError !== 'retry') facts.mayHaveEnded = true;
}

function takeFailure(facts: RunFacts, action: KnownAction, event: JsonObject): void {
  const attempts = numberIn(event, 'attempts');
  if (action.onError === 'fail') facts.fatal ??= action;
  else facts.survived ??= action;
  const asked = attemptsAsked(action);
  if (attempts === undefined || asked === undefined || attempts >= asked || action.starts === 0) return;
  if (action.retry === undefined) facts.noRetry ??= action;
  else facts.fewRetries ??= action;
}

/** The attempts that an action asks for; undefined: it does not say. */
export const attemptsAsked = ({ retry, onError }: KnownAction): number | undefined => {
  if (retry !== undefined) return 1 + retry;
  return onError === 'retry' ? 2 : undefined;
};

function takeResponseEnd(facts: RunFacts, event: JsonObject): void {
  facts.responses++;
  if (event['final'] !== true || event['complete'] === false) return;
  if (facts.finals++ === 0) facts.finalEnd = facts.events;
}

/** The most names that are remembered as missing. */
const missingKept = 256;

function takeDiagnostic({ missing }: RunFacts, event: JsonObject): void {
  if (event['code'] !== 'missing-variable') return;
  const name = /\$([A-Za-z_]\w*)/.exec(textIn(event, 'message'))?.[1];
  if (name === undefined) return;
  missing.set(name, true);
  forgetOldest(missing, missingKept);
}
