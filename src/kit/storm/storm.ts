/**
 * Storms: random sessions of a protocol's references in the simulated world, each from a seed. Every rule judges every
 * trace. Besides, no code may throw, all work must end, no timer may be left, and a seed must give the same events again.
 * A failure shrinks to the fewest actions that show it.
 */
import fc from 'fast-check';
import type { PlayConversation, Storm, StormRun } from '../suite/index.ts';
import { playSession, plansOf } from './session.ts';
import type { PlayedSession, SessionFailure, StormPlan } from './session.ts';
import type { StormKind, StormWorld } from './world.ts';

/** The options of a storm, besides its seeds. */
export interface StormOptions {
  /** The interval of sessions that are played twice, to compare their events; default 20. */
  readonly repeatEvery?: number;
  /** The number of failures that are shrunk, one of each kind; default 3. */
  readonly shrinks?: number;
}

/** A failure of a storm, and the seed that repeats it. */
export interface StormFailure extends SessionFailure {
  readonly seed: number;
  /** The failure and its events, for a reader. */
  readonly what: string;
  /** The fewest actions that show it, as lines; absent: it was not shrunk. */
  readonly steps?: readonly string[];
}

/** The result of a storm. */
export interface StormReport extends Storm {
  readonly failures: readonly StormFailure[];
  /** The number of times each requirement was exercised. */
  readonly exercised: ReadonlyMap<string, number>;
}

/** The most sessions that are played to shrink one failure. */
const mostShrinkPlays = 400;
/** The most characters of a set-up that a shrunk failure shows. */
const shownSetup = 2000;

/** Plays sessions, one a seed. The same options give the same report. */
export function playStorm<W extends StormWorld, S>(
  kind: StormKind<W, S>,
  { from, count, onProgress }: StormRun,
  { repeatEvery = 20, shrinks = 3 }: StormOptions = {},
): StormReport {
  const plans = plansOf(kind);
  const exercised = new Map<string, number>();
  const failures: StormFailure[] = [];
  const shrunk = new Set<string>();
  let events = 0;
  for (let n = 0; n < count; n++) {
    const seed = from + n;
    const session = playSession(kind, planOf(plans, seed));
    events += session.events.length;
    for (const [id, times] of session.exercised) exercised.set(id, (exercised.get(id) ?? 0) + times);
    for (const failure of session.failures) {
      const isNew = shrunk.size < shrinks && !shrunk.has(failure.broke);
      if (isNew) shrunk.add(failure.broke);
      failures.push(
        reported(seed, failure, isNew ? fewestSteps(kind, plans, seed, failure.broke) : undefined),
      );
    }
    if (n % repeatEvery === 0 && !repeats(session, playSession(kind, planOf(plans, seed))))
      failures.push(reported(seed, unrepeatable));
    if (n % 100 === 99) onProgress(n + 1);
  }
  return { sessions: count, events, exercised, failures };
}

/** Plays the session of a seed. */
export const conversationOf =
  <W extends StormWorld, S>(kind: StormKind<W, S>): PlayConversation =>
  (seed) => {
    const { events, failures } = playSession(kind, planOf(plansOf(kind), seed));
    return { events, failures: failures.map(({ broke, message }) => `${broke}: ${message}`) };
  };

const unrepeatable: SessionFailure = {
  broke: 'unrepeatable',
  message: 'the same seed gave other events',
  excerpt: [],
};

const repeats = (first: PlayedSession, again: PlayedSession): boolean =>
  JSON.stringify(first.events) === JSON.stringify(again.events);

/** The first plan of a seed: fast-check has no plan of fewer values there. */
const choices = (seed: number) => ({ seed, numRuns: 1, unbiased: true });

function planOf<P>(plans: fc.Arbitrary<P>, seed: number): P {
  const [plan] = fc.sample(plans, choices(seed));
  if (plan === undefined) throw new Error('expected a plan');
  return plan;
}

/** The set-up and the fewest actions that still break this; undefined when the plan does not break it again. */
function fewestSteps<W extends StormWorld, S>(
  kind: StormKind<W, S>,
  plans: fc.Arbitrary<StormPlan<W, S>>,
  seed: number,
  broke: string,
): readonly string[] | undefined {
  let plays = 0;
  const holds = fc.property(plans, (plan) => {
    if (++plays > mostShrinkPlays) return true;
    return !playSession(kind, plan).failures.some((failure) => failure.broke === broke);
  });
  const { counterexample } = fc.check(holds, choices(seed));
  if (counterexample === null) return undefined;
  const [{ setup, actions }] = counterexample;
  const set = JSON.stringify(setup)?.slice(0, shownSetup);
  return [
    ...(set === undefined ? [] : [`set up with ${set}`]),
    ...actions.map(({ wait, act }) => `after ${wait} ms: ${act.what}`),
  ];
}

function reported(seed: number, failure: SessionFailure, steps?: readonly string[]): StormFailure {
  const { broke, message, excerpt } = failure;
  const few = steps === undefined ? [] : ['the fewest actions that show it:', ...steps];
  const what = [`${broke}: ${message}`, ...excerpt, ...few].join('\n    ');
  return { seed, ...failure, what, ...(steps === undefined ? {} : { steps }) };
}
