/**
 * Rules about time: an event has to come within a number of milliseconds, or must not come during them. A deadline is
 * judged at the first event after it, and at the end of the trace.
 */
import type { TraceEvent } from '../base/index.ts';
import { forgetOldest } from './bounded.ts';
import { anyTopic, exercised, rule, unknowable, violated } from './rule.ts';
import type { Finding, Findings, PendingEvent, Rule } from './rule.ts';
import type { Moment } from './run-view.ts';

/** A wait for an event, from a moment on. */
export interface Wait extends Moment {
  /** There is one wait for each key. A later wait replaces an earlier one. */
  readonly key: string;
  /** The awaited event, in words. */
  readonly expected: string;
}

/**
 * The outcome of a wait. `exercised`: the awaited event came. `dropped`: the requirement no longer demands it. `came`:
 * another event came (in words), which violates the requirement. `again`: its time begins again at this event. Undefined:
 * the wait continues.
 */
export type WaitOutcome = 'exercised' | 'dropped' | 'again' | { readonly came: string } | undefined;

/** The definition of a rule about time. */
export interface DeadlineDefinition<W extends Wait, V> {
  readonly requirement: string;
  /** The topics of events that begin or settle a wait; default: all. */
  readonly listens?: readonly string[];
  /** The waits that an event begins. */
  begins(event: TraceEvent, view: V): W | readonly W[] | undefined;
  settles(wait: W, event: TraceEvent, view: V): WaitOutcome;
  /** The time limit of a wait (ms), by the run's present time limits. */
  within(view: V, wait: W): number;
  /** The outcome of a wait whose time has passed; default: violated. */
  overdue?(wait: W, view: V): 'violated' | 'exercised' | 'dropped';
}

type Violation = Extract<Finding, { type: 'violated' }>;

/** The violations of events that are overdue at a moment. */
export function overdue(pending: Iterable<PendingEvent>, last: Moment): Violation[] {
  const found: Violation[] = [];
  for (const { seq, at, within, expected, came = 'nothing', also = [] } of pending) {
    const waited = last.at - at;
    if (waited < within) continue;
    const message = `expected ${expected}; ${came} came for ${Math.round(waited)} ms`;
    found.push({ type: 'violated', seq: last.seq, message, also: [seq, ...also] });
  }
  return found;
}

/** The most waits of one rule. */
const waitsKept = 2048;

/** Makes a rule about time. */
export function deadline<W extends Wait, V>(text: DeadlineDefinition<W, V>): Rule<V> {
  const { requirement, listens = [anyTopic] } = text;
  const made: Rule<V> = rule({
    requirement,
    listens,
    start: () => new Map<string, W>(),
    step(waits, event, view: V): Findings {
      const found = waits.size === 0 ? undefined : settle(text, waits, event, view);
      const begun = text.begins(event, view);
      return begun === undefined ? found : keep(waits, begun, event, found);
    },
    end: (waits, view, last): Findings =>
      [...waits.values()].flatMap((wait) =>
        last.at - wait.at >= text.within(view, wait) ? (late(text, wait, last, view) ?? []) : [],
      ),
  });
  // A rule that receives every event needs no alarm.
  return listens.includes(anyTopic) ? made : { ...made, ...alarmOf(text) };
}

type Waits<W> = Map<string, W>;

function alarmOf<W extends Wait, V>(
  text: DeadlineDefinition<W, V>,
): Required<Pick<Rule<V>, 'due' | 'overdue'>> {
  return {
    due: (state, view) => {
      let first = Infinity;
      for (const wait of (state as Waits<W>).values())
        first = Math.min(first, wait.at + text.within(view, wait));
      return first;
    },
    overdue: (state, event, view) => settle(text, state as Waits<W>, event, view, false),
  };
}

function keep<W extends Wait>(
  waits: Waits<W>,
  begun: W | readonly W[],
  event: TraceEvent,
  found: readonly Finding[] | undefined,
): Findings {
  for (const wait of Array.isArray(begun) ? begun : [begun]) {
    waits.delete(wait.key);
    waits.set(wait.key, wait);
  }
  if (!forgetOldest(waits, waitsKept)) return found;
  return [...(found ?? []), unknowable(event, `more than ${waitsKept} events were waited for at once`)];
}

/** Removes the waits whose time has passed. With `all`, also removes the waits that the event settles. */
function settle<W extends Wait, V>(
  text: DeadlineDefinition<W, V>,
  waits: Waits<W>,
  event: TraceEvent,
  view: V,
  all = true,
): Finding[] | undefined {
  let found: Finding[] | undefined;
  for (const [key, wait] of waits) {
    const over = event.at - wait.at > text.within(view, wait);
    const settled = over || !all ? undefined : text.settles(wait, event, view);
    if (!over && settled === undefined) continue;
    if (settled === 'again') {
      waits.set(key, { ...wait, at: event.at });
      continue;
    }
    waits.delete(key);
    const finding = over ? late(text, wait, event, view) : findingOf(wait, settled, event);
    if (finding !== undefined) (found ??= []).push(finding);
  }
  return found;
}

function findingOf(
  wait: Wait,
  settled: Exclude<WaitOutcome, 'again'>,
  event: TraceEvent,
): Finding | undefined {
  if (settled === 'exercised') return exercised(event);
  if (settled === undefined || settled === 'dropped') return undefined;
  return violated(event, `expected ${wait.expected}; came ${settled.came}`, [wait.seq]);
}

function late<W extends Wait, V>(
  text: DeadlineDefinition<W, V>,
  wait: W,
  now: Moment,
  view: V,
): Finding | undefined {
  const verdict = text.overdue?.(wait, view) ?? 'violated';
  if (verdict === 'dropped') return undefined;
  if (verdict === 'exercised') return exercised(now);
  const ms = text.within(view, wait);
  return violated(now, `expected ${wait.expected} within ${ms} ms; it did not come`, [wait.seq]);
}
