/**
 * The view of all rules of the live suites: every stream, and the time limits, before the event at hand. Both suites use
 * it. An argument tells it the side of the target.
 */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { Streams, momentOf, takeMark } from '../../../src/kit/judge/index.ts';
import type { RunView } from '../../../src/kit/judge/index.ts';
import type { Side } from '../../../src/toon/index.ts';
import { faultOf } from './view-faults.ts';
import { codeOf, peerErred, peerSent } from './view-peer.ts';
import { atStake, meaningOfClosing, meaningOfMessage, targetSent } from './view-target.ts';
import type { Meaning } from './view-target.ts';
import { keptPerStream, startStream } from './view-stream.ts';
import type { Ask, StreamView } from './view-stream.ts';

/** The time limits of rules (ms). Each is an option of the run. */
export interface Timeouts {
  /** The time between two signs of a working subagent. */
  readonly step: number;
  /** The time until an orchestrator answers a call. */
  readonly answer: number;
  /** The time until a subagent's first sign after an INSTRUCTION. */
  readonly prompt: number;
  /** The silence after which a peer counts as dead; 0: unknown. */
  readonly idle: number;
}

/** The numbers of spec/toon/README.md. */
export const defaultTimeouts: Timeouts = { step: 10_000, answer: 10_000, prompt: 5000, idle: 30_000 };

/** Everything before the event at hand. */
export interface ToonView extends RunView<Timeouts> {
  readonly target: Side;
  readonly streams: Streams<StreamView>;
  /** Whether a stream evicted an open item. Then its outcome is unknown. */
  forgotten: boolean;
  /** Whether the target ever sent a compressed payload. */
  compresses: boolean;
  /** The stream of the event at hand, once it has opened. */
  stream: StreamView | undefined;
  /** The meaning of the target's event at hand; undefined for other events and without a stream. */
  meaning: Meaning | undefined;
}

/** The view at the start of a trace. */
export const startView = (target: Side): ToonView => ({
  target,
  drive: 'passive',
  timeouts: defaultTimeouts,
  late: 0,
  streams: new Streams(),
  forgotten: false,
  compresses: false,
  stream: undefined,
  meaning: undefined,
});

export const fromTarget = (event: TraceEvent): boolean => event.from === 'target';

/** Whether no message of the sender follows an event on a stream. */
const isClosing = ({ kind }: TraceEvent): boolean =>
  kind === 'end' || kind === 'reset' || kind === 'half_close';

/** Notes the stream and the meaning of the event at hand. */
export function look(view: ToonView, event: TraceEvent): void {
  const stream = view.streams.get(event.stream);
  view.stream = stream;
  view.meaning = stream !== undefined && fromTarget(event) ? meaningOf(view, stream, event) : undefined;
}

function meaningOf(view: ToonView, stream: StreamView, event: TraceEvent): Meaning | undefined {
  if (event.kind === 'message') return meaningOfMessage(view.target, stream, event);
  return isClosing(event) ? meaningOfClosing(view, stream, event) : undefined;
}

/** Takes an event into the view. */
export function stepView(view: ToonView, event: TraceEvent): void {
  if (event.kind === 'mark') return mark(view, event);
  if (event.kind === 'open') return open(view, event);
  const { stream } = view;
  if (stream === undefined) return;
  if (isClosing(event)) return close(view, stream, event);
  if (fromTarget(event)) return byTarget(view, stream, event);
  if (event.kind === 'message') peerSent(view.target, stream, event);
  else if (event.kind === 'undecodable') peerErred(view.target, stream, event, codeOf(event));
  view.forgotten ||= stream.forgotten;
}

function byTarget(view: ToonView, stream: StreamView, event: TraceEvent): void {
  if (event.kind === 'undecodable') {
    stream.target.last = momentOf(event);
    stream.lost ??= {
      seq: event.seq,
      requirement: stream.disturbed ? undefined : faultOf(event, stream.target.messages)?.requirement,
    };
    return;
  }
  if (event.kind !== 'message') return;
  if (event.data['expandedLength'] !== undefined) view.compresses = true;
  if (view.meaning !== undefined) targetSent(stream, event, view.meaning);
}

function mark(view: ToonView, event: TraceEvent): void {
  takeMark(view, event, defaultTimeouts);
  view.streams.disturb(event);
  const { fault, size } = event.data;
  if (fault !== 'split' && fault !== 'gather') return;
  for (const stream of view.streams.values()) {
    if (stream.ended !== undefined || (event.stream !== '' && event.stream !== stream.id)) continue;
    if (fault === 'split') stream.split ??= event.seq;
    else stream.gathered = { left: typeof size === 'number' ? size : 0, begun: false };
  }
}

function open(view: ToonView, event: TraceEvent): void {
  const carrier = event.data[':carrier'];
  view.streams.open(
    startStream(event.stream, typeof carrier === 'string' ? carrier : 'tcp', momentOf(event)),
  );
}

function close({ meaning }: ToonView, stream: StreamView, event: TraceEvent): void {
  const { seq, at } = event;
  stream.left ||= meaning?.leaves === true;
  stream.ended ??= { seq, at, by: fromTarget(event) && !stream.disturbed ? 'target' : 'peer' };
}

/** The asks that the target has to do now, with their time limits (ms): the first ask of a subagent, all of an orchestrator. */
export function pendingAsks(view: ToonView): readonly { readonly ask: Ask; readonly within: number }[] {
  const found: { readonly ask: Ask; readonly within: number }[] = [];
  for (const stream of view.streams.values()) {
    if (stream.ended !== undefined || stream.disturbed || stream.lost !== undefined) continue;
    if (stream.bad.some(({ code }) => code === 'too-large')) continue;
    const asks = view.target === 'subagent' ? stream.asks.slice(0, 1) : stream.asks;
    for (const ask of asks) found.push({ ask, within: patience(view, stream, ask) });
  }
  return found;
}

/** The time limit of the next sign of an ask (ms). */
function patience({ timeouts }: ToonView, stream: StreamView, ask: Ask): number {
  if (ask.excused || (ask.perhapsEnded && !goesOn(ask))) return Infinity;
  if (ask.type !== 'INSTRUCTION') return timeouts.answer;
  if (stream.calls.length > 0) return Infinity;
  let waits = 0;
  for (const step of ask.steps ?? []) {
    if ('hold' in step) return Infinity;
    if ('wait_ms' in step) waits += step.wait_ms;
  }
  return waits + (ask.taken ? timeouts.step : timeouts.prompt);
}

/** Whether an ask goes on after the ERROR about a bad frame: it is a directive, and no step of it fails. */
const goesOn = ({ type, steps }: Ask): boolean =>
  type === 'INSTRUCTION' && steps !== undefined && steps.every((step) => !('fail' in step));

/** The reason why it is unknown whether the target did all its asks; undefined when it is known. */
export const lostCount = ({ forgotten }: ToonView): string | undefined =>
  forgotten
    ? `more than ${keptPerStream} messages of one stream were open at a time, and the oldest were forgotten`
    : undefined;

/** The rows that an undone ask violates. */
export function broken(ask: Ask): readonly string[] {
  if (ask.perhapsEnded) return ['TOON-54'];
  const rows = atStake(ask).map(([requirement]) => requirement);
  return rows.length > 0 ? rows : [owedBy[ask.type]];
}

const owedBy = { INSTRUCTION: 'TOON-50', TOOL_CALL: 'TOON-48', CONTEXT_REQUEST: 'TOON-49' } as const;
