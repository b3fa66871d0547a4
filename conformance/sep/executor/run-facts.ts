/**
 * The facts of a run, from its events so far. They are the same for the list of an answer and for the events of a live
 * run. They are bounded: of a long run, the oldest actions are forgotten.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject } from '../../../src/kit/base/index.ts';
import { forgetOldest } from '../../../src/kit/judge/index.ts';
import { textIn, textsIn } from './events.ts';

/** The outcome of an action. */
export type Outcome = 'completed' | 'failed' | 'skipped';

/** An action that was declared by an event `action`. */
export interface KnownAction {
  readonly id: string;
  readonly mode: string;
  readonly dependsOn: readonly string[];
  /** The time limit of an attempt (s). */
  readonly timeout: number | undefined;
  /** The most attempts that it may have; undefined: its event does not tell. */
  readonly attempts: number | undefined;
  readonly onError: string;
  /** Its place among the actions of the run, from 0. */
  readonly place: number;
  hasStarted: boolean;
  /** The time of its first start (s). */
  startedAt: number | undefined;
  outcome: Outcome | undefined;
}

/** The facts of a run. */
export interface RunFacts {
  /** By id. The first action with an id stands (SEP-26). */
  readonly actions: Map<string, KnownAction>;
  /** Actions that have started, by the id of an action that they depend on and that had not come. */
  readonly early: Map<string, string>;
  /** The number of actions that were declared. */
  declared: number;
  /** Whether an action was forgotten. */
  hasForgotten: boolean;
  /** The sync action that runs, and started before a later action was declared. */
  blocker: KnownAction | undefined;
  /** The place of the first such action that has its outcome. */
  unblockedPlace: number | undefined;
  /** The action whose failure has ended the turn (on_error fail). */
  fatal: KnownAction | undefined;
  /** The number of complete final responses, and of all responses that ended. */
  finals: number;
  responses: number;
}

/** The most actions that are remembered. */
const actionsKept = 4096;

/** The facts before the first event. */
export const noFacts = (): RunFacts => ({
  actions: new Map(),
  early: new Map(),
  declared: 0,
  hasForgotten: false,
  blocker: undefined,
  unblockedPlace: undefined,
  fatal: undefined,
  finals: 0,
  responses: 0,
});

/** The known action that an event is about. */
export const actionOf = ({ actions }: RunFacts, event: JsonObject): KnownAction | undefined =>
  actions.get(textIn(event, 'id'));

/** A number under a name; undefined when there is none. */
export const numberIn = (event: JsonObject, name: string): number | undefined => {
  const value = event[name];
  return typeof value === 'number' ? value : undefined;
};

/** Takes the next event of the run. */
export function takeEvent(facts: RunFacts, event: JsonObject): void {
  const { type } = event;
  if (type === 'action') declare(facts, event['action']);
  if (type === 'started') takeStart(facts, event);
  if (isOutcome(type)) takeOutcome(facts, event, type);
  if (type === 'response_end') {
    facts.responses++;
    if (event['final'] === true && event['complete'] !== false) facts.finals++;
  }
}

const isOutcome = (type: Json | undefined): type is Outcome =>
  type === 'completed' || type === 'failed' || type === 'skipped';

const attemptsOf = (retries: number | undefined): number | undefined =>
  retries === undefined ? undefined : 1 + retries;

function declare(facts: RunFacts, action: Json | undefined): void {
  if (!isObject(action)) return;
  const id = textIn(action, 'id');
  if (id === '' || facts.actions.has(id)) return;
  const onError = textIn(action, 'on_error');
  facts.actions.set(id, {
    id,
    mode: textIn(action, 'mode'),
    dependsOn: textsIn(action['depends_on']),
    timeout: numberIn(action, 'timeout'),
    attempts: attemptsOf(numberIn(action, 'retry') ?? (onError === 'retry' ? 1 : undefined)),
    onError,
    place: facts.declared++,
    hasStarted: false,
    startedAt: undefined,
    outcome: undefined,
  });
  facts.hasForgotten = forgetOldest(facts.actions, actionsKept) || facts.hasForgotten;
}

function takeStart(facts: RunFacts, event: JsonObject): void {
  const action = actionOf(facts, event);
  if (action === undefined || action.hasStarted) return;
  action.hasStarted = true;
  action.startedAt = numberIn(event, 'at');
  for (const id of action.dependsOn) if (!facts.actions.has(id)) facts.early.set(id, action.id);
  forgetOldest(facts.early, actionsKept);
  if (action.mode === 'sync' && action.place === facts.declared - 1) facts.blocker = action;
}

function takeOutcome(facts: RunFacts, event: JsonObject, outcome: Outcome): void {
  const action = actionOf(facts, event);
  if (action === undefined || action.outcome !== undefined) return;
  action.outcome = outcome;
  if (outcome === 'failed' && action.onError === 'fail') facts.fatal ??= action;
  if (facts.blocker !== action) return;
  facts.blocker = undefined;
  facts.unblockedPlace ??= action.place;
}
