/**
 * A rule judges one requirement over a trace: it hears the events it listens to, one at a time, and says where
 * the requirement was exercised and where violated. It never talks to a target, and its memory is bounded, so it
 * runs live, on recordings and on endless streams alike.
 */
import type { TraceEvent } from '../base/index.ts';

/** What a rule found. */
export type Finding =
  /** The requirement was put to the test, by the event at hand. */
  | { readonly type: 'exercised' }
  /** It was broken here; the message says what was expected and what came. */
  | {
      readonly type: 'violated';
      readonly seq: number;
      readonly message: string;
      readonly also?: readonly number[];
    }
  /** The rule lost what it would need to know (memory is bounded): no pass may be claimed. */
  | { readonly type: 'unknowable'; readonly seq: number; readonly reason: string };

/** None, one or several. */
export type Findings = undefined | Finding | readonly Finding[];

/** The one finding of its kind: most events exercise something, and none needs more said. */
export const exercisedHere: Finding = { type: 'exercised' };

/** The requirement was put to the test at this event. */
export const exercised = (_at: { readonly seq: number }): Finding => exercisedHere;

/** The requirement was broken at this event; `also` names earlier events that belong to it. */
export const violated = (at: { readonly seq: number }, message: string, also?: readonly number[]): Finding =>
  also === undefined
    ? { type: 'violated', seq: at.seq, message }
    : { type: 'violated', seq: at.seq, message, also };

/** What was needed to judge this event has been forgotten. */
export const unknowable = (at: { readonly seq: number }, reason: string): Finding => ({
  type: 'unknowable',
  seq: at.seq,
  reason,
});

/** The topic of a rule that listens to every event. */
export const anyTopic = '*';

/** How a rule is written: state `S` of its own (handed over), and the suite's view `V` of all before the event. */
export interface RuleDefinition<S, V> {
  readonly requirement: string;
  /** Topics (see {@link Suite}); `response` also means `response.text` and so on. */
  readonly listens: readonly string[];
  /** The state with which a trace begins. */
  start(): S;
  /** What this event shows; `view` is the world before it. */
  step(state: S, event: TraceEvent, view: V): Findings;
  /** The trace is over; `last` is its last event. */
  end?(state: S, view: V, last: TraceEvent): Findings;
}

/** A rule, whatever its state: `start` makes one, which belongs to one trace and is handed to the other two. */
export interface Rule<V> {
  readonly requirement: string;
  readonly listens: readonly string[];
  /** See {@link RuleDefinition.start}. */
  start(): unknown;
  /** See {@link RuleDefinition.step}. */
  step(state: unknown, event: TraceEvent, view: V): Findings;
  /** See {@link RuleDefinition.end}. */
  end?(state: unknown, view: V, last: TraceEvent): Findings;
  /** The time (ms) of the first deadline, for rules about time; Infinity when nothing is waited for. */
  due?(state: unknown, view: V): number;
  /** What an event beyond a deadline shows, of whatever topic. */
  overdue?(state: unknown, event: TraceEvent, view: V): Findings;
}

/**
 * Makes a rule of its text.
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
