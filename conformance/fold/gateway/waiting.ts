/**
 * Rules about time: something has to come within so many milliseconds, or must not for so long. A deadline is
 * judged at the next event of any kind that lies beyond it, and at the end of the trace.
 */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { exercised, rule, violated } from '../../../src/kit/judge/index.ts';
import type { Finding, Findings, Rule } from '../../../src/kit/judge/index.ts';
import type { Moment } from '../../../src/fold/index.ts';
import { callOf, heardOf, isLive } from './calls.ts';
import { strayAs } from './feed.ts';
import { membersOf, momentOf } from './model.ts';
import type { Asked, GatewayView } from './model.ts';
import { provocationAt } from './strays.ts';
import { everyTopic } from './topics.ts';
import { endsByTarget, mayEnd } from './view.ts';

/** Something that is waited for, from a moment on. */
export interface Wait extends Moment {
  /** One of a key at a time: a later one takes the place of an earlier. */
  readonly key: string;
  /** What has to come, in words. */
  readonly expected: string;
}

/** How a wait ends at an event: as it should, without judgement, or wrongly (what came, in words). */
export type Settled = 'met' | 'void' | { readonly came: string } | undefined;

/** A rule that waits. */
export interface WaitText<W extends Wait> {
  readonly requirement: string;
  begins(event: TraceEvent, view: GatewayView): W | readonly W[] | undefined;
  settles(wait: W, event: TraceEvent, view: GatewayView): Settled;
  /** How long it may take (ms), as the run's numbers are now. */
  within(view: GatewayView, wait: W): number;
  /** What it means that the time has passed: broken (default), or something else after a last look. */
  overdue?(wait: W, view: GatewayView): 'broken' | 'met' | 'void';
}

/** Waits that one rule remembers. */
const waitsKept = 2048;

/** Makes a rule that waits. */
export const waits = <W extends Wait>(text: WaitText<W>): Rule<GatewayView> =>
  rule({
    requirement: text.requirement,
    listens: everyTopic,
    start: () => new Map<string, W>(),
    step(state, event, view: GatewayView): Findings {
      const found = state.size === 0 ? undefined : look(text, state, event, view);
      const begun = text.begins(event, view);
      if (begun !== undefined) keep(state, Array.isArray(begun) ? (begun as readonly W[]) : [begun as W]);
      return found;
    },
    end: (state, view, last): Findings =>
      [...state.values()].flatMap((wait) => {
        const over = last.at - wait.at >= text.within(view, wait);
        return (over ? late(text, wait, last, view) : undefined) ?? [];
      }),
  });

function keep<W extends Wait>(state: Map<string, W>, begun: readonly W[]): void {
  for (const wait of begun) {
    state.delete(wait.key);
    state.set(wait.key, wait);
  }
  if (state.size <= waitsKept) return;
  for (const oldest of state.keys()) if (state.delete(oldest)) return;
}

function look<W extends Wait>(
  text: WaitText<W>,
  state: Map<string, W>,
  event: TraceEvent,
  view: GatewayView,
): Findings {
  let found: Finding[] | undefined;
  for (const [key, wait] of state) {
    const over = event.at - wait.at > text.within(view, wait);
    const settled = over ? undefined : text.settles(wait, event, view);
    if (!over && settled === undefined) continue;
    state.delete(key);
    const finding = over ? late(text, wait, event, view) : settle(wait, settled, event);
    if (finding !== undefined) (found ??= []).push(finding);
  }
  return found;
}

function settle(wait: Wait, settled: Settled, event: TraceEvent): Finding | undefined {
  if (settled === 'met') return exercised(event);
  if (settled === undefined || settled === 'void') return undefined;
  return violated(event, `expected ${wait.expected}; came ${settled.came}`, [wait.seq]);
}

function late<W extends Wait>(
  text: WaitText<W>,
  wait: W,
  now: Moment,
  view: GatewayView,
): Finding | undefined {
  const verdict = text.overdue?.(wait, view) ?? 'broken';
  if (verdict === 'void') return undefined;
  if (verdict === 'met') return exercised(now);
  const ms = text.within(view, wait);
  return violated(now, `expected ${wait.expected} within ${ms} ms; it did not come`, [wait.seq]);
}

/** A wait on one stream. */
export interface StreamWait extends Wait {
  readonly stream: string;
}

/** Whether an event ends a stream, from either side. */
export const endsStream = (event: TraceEvent, stream: string): boolean =>
  event.stream === stream && (event.kind === 'end' || event.kind === 'reset');

/** How an end or a reset reads in a message. */
export function endText(event: TraceEvent): string {
  if (event.kind === 'reset') return 'a break of the stream without a status';
  const { code, message } = event.data;
  return `the end of the stream with code ${Number(code)}${message ? ` (${JSON.stringify(message).slice(0, 80)})` : ''}`;
}

/**
 * The half of "is ignored" that shows on the agent's own stream: a rule that an agent's stream goes on for `late`
 * after what it did.
 */
export const goesOn = (requirement: string): Rule<GatewayView> =>
  waits<StreamWait>({
    requirement,
    begins(event, view) {
      const provocation = provocationAt(view, event);
      if (provocation?.row !== requirement) return undefined;
      const { stream } = event;
      const expected = `the stream to go on after ${provocation.what}`;
      return { ...momentOf(event), key: stream, stream, expected };
    },
    settles: (wait, event, view) => broken(wait, event, view),
    within: (view) => view.timeouts.late,
    overdue: () => 'met',
  });

/** Whether the target ended the stream of a wait, and nothing else can be the reason. */
export function broken(wait: StreamWait, event: TraceEvent, view: GatewayView): Settled {
  if (!endsStream(event, wait.stream)) return undefined;
  const stream = view.streams.get(wait.stream);
  if (stream === undefined || !endsByTarget(event) || mayEnd(view, stream)) return 'void';
  return stream.provoked?.seq === wait.seq ? { came: endText(event) } : 'void';
}

/** Whether something other than what the agent did may be why the gateway ended a request on its own. */
export function hasCause(view: GatewayView, asked: Asked): boolean {
  const { stream, request } = asked;
  if (view.stop !== undefined || !isLive(stream) || stream.session.shutdown !== undefined) return true;
  return request.cancel !== undefined || asked.stopAsked !== undefined || asked.ambiguous;
}

/**
 * The other half: a rule that nothing of it reaches an operator, and that no request is ended for it.
 */
export const reachesNobody = (requirement: string): Rule<GatewayView> =>
  rule({
    requirement,
    listens: ['op'],
    start: () => null,
    step(_, event, view: GatewayView) {
      const call = callOf(view, event);
      if (call === undefined || event.from !== 'target') return undefined;
      const heard = call.verb === 'send' ? heardOf(view, event) : watched(view, event);
      if (heard?.is === 'stray' && heard.row === requirement)
        return violated(event, `expected it to reach no operator; came ${replyText(event)}`, [heard.seq]);
      const { asked } = call;
      if (asked === undefined || call.terminal !== undefined || hasCause(view, asked)) return undefined;
      const own = heard?.is === 'own' && (event.data['error'] !== undefined || asked.odd !== undefined);
      const ended = event.kind === 'end' || own;
      const { provoked } = asked.stream;
      if (!ended || provoked?.row !== requirement || asked.request.terminal !== undefined) return undefined;
      if (event.at - provoked.at > view.timeouts.late) return undefined;
      return violated(
        event,
        `expected request ${asked.request.id} to go on after ${provoked.what}; the gateway ended it`,
        [provoked.seq],
      );
    },
  });

/** A stray that a watcher of all events was shown. */
function watched(view: GatewayView, event: TraceEvent): ReturnType<typeof strayAs> {
  const { name, data, request_id: id } = membersOf(event.data['event']);
  if (typeof name !== 'string') return undefined;
  const named = typeof id === 'string' && id !== '' ? id : undefined;
  const stray = strayAs(view, undefined, name, data, named);
  const text = membersOf(data)['text'];
  for (const stream of stray === undefined ? [] : view.streams.values())
    for (const { request } of stream.requests.values()) {
      if (named !== undefined && request.id !== named) continue;
      if (typeof text === 'string' ? request.text?.includes(text) === true : request.terminal !== undefined)
        return undefined; // as well its own
    }
  return stray;
}

/** A reply in words. */
export const replyText = (event: TraceEvent): string =>
  event.kind === 'end' ? endText(event) : JSON.stringify(event.data).slice(0, 120);
