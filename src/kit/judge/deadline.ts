/**
 * Rules about time: something has to come within a number of milliseconds, or must not come for so long. A deadline is
 * judged at the next event of any kind beyond it, and at the end of the trace.
 */
import type { TraceEvent } from '../base/index.ts';
import { forgetOldest } from './bounded.ts';
import { anyTopic, exercised, rule, unknowable, violated } from './rule.ts';
import type { Finding, Findings, Rule } from './rule.ts';
import type { Moment } from './run-view.ts';

/** Something that is waited for, from a moment on. */
export interface Wait extends Moment {
  /** One of a key at a time: a later one takes the place of an earlier. */
  readonly key: string;
  /** What has to come, in words. */
  readonly expected: string;
}

/**
 * What an event, or the end of the time, means for a wait: the requirement was exercised or violated (what came, in
 * words), or the wait is dropped, for nothing can be demanded any more. Undefined: the wait goes on.
 */
export type WaitOutcome = 'exercised' | 'dropped' | { readonly came: string } | undefined;

/** How a rule about time is written. */
export interface DeadlineDefinition<W extends Wait, V> {
  readonly requirement: string;
  /** The topics of events at which a wait begins or is settled; default: all. */
  readonly listens?: readonly string[];
  /** The waits that an event begins. */
  begins(event: TraceEvent, view: V): W | readonly W[] | undefined;
  settles(wait: W, event: TraceEvent, view: V): WaitOutcome;
  /** How long it may take (ms), as the run's times are now. */
  within(view: V, wait: W): number;
  /** What it means that the time has passed; default: violated. */
  overdue?(wait: W, view: V): 'violated' | 'exercised' | 'dropped';
}

/** Something that the view shows to be waited for at the end of a trace. */
export interface PendingEvent extends Moment {
  /** How long it may take from its moment on (ms). */
  readonly within: number;
  /** What has to come, in words. */
  readonly expected: string;
  /** What came instead, in words; default: nothing. */
  readonly came?: string;
  /** Further events that belong to it (seq). */
  readonly also?: readonly number[];
}

/** What is overdue at the end of a trace: for rules whose waits the view keeps. */
export function overdue(pending: Iterable<PendingEvent>, last: Moment): Finding[] {
  const found: Finding[] = [];
  for (const { seq, at, within, expected, came = 'nothing', also = [] } of pending) {
    const waited = last.at - at;
    if (waited < within) continue;
    const message = `expected ${expected}; ${came} came for ${Math.round(waited)} ms`;
    found.push(violated(last, message, [seq, ...also]));
  }
  return found;
}

/** Waits that one rule remembers. */
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
  // A rule that is given every event needs no alarm.
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
  for (const wait of Array.isArray(begun) ? (begun as readonly W[]) : [begun as W]) {
    waits.delete(wait.key);
    waits.set(wait.key, wait);
  }
  if (!forgetOldest(waits, waitsKept)) return found;
  return [...(found ?? []), unknowable(event, `more than ${waitsKept} events were waited for at once`)];
}

/** Takes out the waits whose time has passed, and, where `all`, those that the event settles. */
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
    waits.delete(key);
    const finding = over ? late(text, wait, event, view) : findingOf(wait, settled, event);
    if (finding !== undefined) (found ??= []).push(finding);
  }
  return found;
}

function findingOf(wait: Wait, settled: WaitOutcome, event: TraceEvent): Finding | undefined {
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
