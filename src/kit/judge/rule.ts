/**
 * A rule judges one requirement over a trace. It receives the events of its topics, one at a time, and notes where the
 * requirement was exercised, violated or unknowable. It never talks to a target, and its memory is bounded, so it runs
 * on live traffic, on recordings and on endless streams.
 */
import type { Comparison, TraceEvent } from '../base/index.ts';
import type { Moment } from './run-view.ts';

/** A note of a rule about its requirement. */
export type Finding =
  /** The event at hand put the requirement to the test. */
  | { readonly type: 'exercised' }
  /** The event at hand broke it. The message gives the expectation and the observation. */
  | {
      readonly type: 'violated';
      readonly seq: number;
      readonly message: string;
      readonly also?: readonly number[];
      /** The two messages side by side. */
      readonly comparison?: Comparison;
    }
  /** A fact that the rule needs was evicted (memory is bounded): the requirement cannot pass. */
  | { readonly type: 'unknowable'; readonly seq: number; readonly reason: string };

/** No, one or several findings. */
export type Findings = undefined | Finding | readonly Finding[];

/** One shared object: most events exercise a requirement, and the finding holds no data. */
export const exercisedHere: Finding = { type: 'exercised' };

/** Notes that this event put the requirement to the test. */
export const exercised = (_at: { readonly seq: number }): Finding => exercisedHere;

/**
 * Notes that this event broke the requirement; `also` names earlier events that belong to the violation, and `comparison`
 * has the two messages that differ.
 */
export const violated = (
  at: { readonly seq: number },
  message: string,
  also?: readonly number[],
  comparison?: Comparison,
): Finding => ({
  type: 'violated',
  seq: at.seq,
  message,
  ...(also === undefined ? {} : { also }),
  ...(comparison === undefined ? {} : { comparison }),
});

/** Notes that a fact needed to judge this event was evicted. */
export const unknowable = (at: { readonly seq: number }, reason: string): Finding => ({
  type: 'unknowable',
  seq: at.seq,
  reason,
});

/** The topic of a rule that listens to every event. */
export const anyTopic = '*';

/** A rule as it is written: with a state `S` of its own, and the suite's view `V` of the world before the event. */
export interface RuleDefinition<S, V> {
  readonly requirement: string;
  /** Topics (see {@link Suite}); `response` also means `response.text` and so on. */
  readonly listens: readonly string[];
  /** Whether a wait begins again at each event. A session that has ended its scenarios does not go on for it. */
  readonly recurs?: true;
  /** The state at the start of a trace. */
  start(): S;
  /** The findings at this event; `view` is the world before it. */
  step(state: S, event: TraceEvent, view: V): Findings;
  /** The trace is over; `last` is its last event. */
  end?(state: S, view: V, last: TraceEvent): Findings;
  /** The events that are awaited at a moment. A live session asks often, and the judge asks at the end of the trace. */
  pending?(state: S, view: V, now: TraceEvent): Iterable<PendingEvent>;
}

/** An event that is awaited. It must come within a time. */
export interface PendingEvent extends Moment {
  /** The time limit from its moment on (ms). */
  readonly within: number;
  /** The awaited event, in words. */
  readonly expected: string;
  /** The observation, in words; default: nothing. */
  readonly came?: string;
  /** Further events that belong to it (seq). */
  readonly also?: readonly number[];
}

/** A rule with a state of any type: `start` makes the state of one trace; `step` and `end` receive it. */
export interface Rule<V> {
  readonly requirement: string;
  readonly listens: readonly string[];
  /** See {@link RuleDefinition.recurs}. */
  readonly recurs?: true;
  /** See {@link RuleDefinition.start}. */
  start(): unknown;
  /** See {@link RuleDefinition.step}. */
  step(state: unknown, event: TraceEvent, view: V): Findings;
  /** See {@link RuleDefinition.end}. */
  end?(state: unknown, view: V, last: TraceEvent): Findings;
  /** See {@link RuleDefinition.pending}. */
  pending?(state: unknown, view: V, now: TraceEvent): Iterable<PendingEvent>;
  /** The time of the first deadline (ms), for rules about time; Infinity without a deadline. */
  due?(state: unknown, view: V): number;
  /** The findings at an event of any topic after a deadline. */
  overdue?(state: unknown, event: TraceEvent, view: V): Findings;
}

/**
 * Makes a rule of its definition.
 *
 * @example
 * rule({
 *   requirement: 'X-01',
 *   listens: ['response.text'],
 *   start: () => null,
 *   step: (_, event) =>
 *     (event.size ?? 0) < 2 ** 20 ? exercised(event) : violated(event, `expected < 1 MiB; came ${event.size}`),
 * });
 */
export const rule = <S, V>(text: RuleDefinition<S, V>): Rule<V> => text;
