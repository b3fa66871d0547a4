/**
 * What all rules of the live suites look at: every stream so far, and the run's own numbers. A rule sees it as it was
 * before the event at hand. One view serves both suites: it is told which side the target is.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { Side } from '../../../src/toon/index.ts';
import { faultOf } from './view-faults.ts';
import { codeOf, peerErred, peerSent } from './view-peer.ts';
import { atStake, meaningOfClosing, meaningOfMessage, targetSent } from './view-target.ts';
import type { Meaning } from './view-target.ts';
import { kept, startStream } from './view-stream.ts';
import type { Ask, StreamView } from './view-stream.ts';

/** Times that rules go by, in milliseconds; each an option of the run. */
export interface Timeouts {
  /** How long a subagent that has shown that it works may go on without a further sign. */
  readonly step: number;
  /** The answer of an orchestrator to a call. */
  readonly answer: number;
  /** A subagent's first sign after an INSTRUCTION. */
  readonly prompt: number;
  /** Silence after which a peer counts as dead; 0: that is not known. */
  readonly idle: number;
}

/** The numbers of spec/toon/README.md. */
export const defaultTimeouts: Timeouts = { step: 10_000, answer: 10_000, prompt: 5000, idle: 30_000 };

/** Everything before the event at hand. */
export interface ToonView {
  /** Which of the two the target is. */
  readonly target: Side;
  drive: string;
  timeouts: Timeouts;
  readonly streams: Map<string, StreamView>;
  /** More was open on a stream than is remembered: what came of it cannot be known. */
  forgotten: boolean;
  /** Whether the target ever sent a compressed payload. */
  compresses: boolean;
  /** The stream last looked up, and the event with what it means: a dozen rules ask for the same. */
  recent: StreamView | undefined;
  looked: TraceEvent | undefined;
  meaning: Meaning | undefined;
}

/** Streams that have ended and are still remembered; the oldest are forgotten first. */
const endedKept = 64;
/** How many more there may be before they are: a map that loses one at each event is slow to find its first. */
const endedSpare = 32;

/** A view of nothing yet. */
export const startView = (target: Side): ToonView => ({
  target,
  drive: 'passive',
  timeouts: defaultTimeouts,
  streams: new Map(),
  forgotten: false,
  compresses: false,
  recent: undefined,
  looked: undefined,
  meaning: undefined,
});

/** Whether an event is from the target. */
export const fromTarget = (event: TraceEvent): boolean => event.from === 'target';

/** The stream of an event, once it has opened. */
export function streamOf(view: ToonView, event: TraceEvent): StreamView | undefined {
  if (view.recent?.id !== event.stream) view.recent = view.streams.get(event.stream);
  return view.recent;
}

/** Whether an event is the end of what the target sends on a stream. */
const isClosing = ({ kind }: TraceEvent): boolean =>
  kind === 'end' || kind === 'reset' || kind === 'half_close';

/** What an event of the target's means; undefined of others, and of what is on no stream. */
export function meaningOf(view: ToonView, event: TraceEvent): Meaning | undefined {
  if (view.looked === event) return view.meaning;
  view.looked = event;
  view.meaning = undefined;
  const stream = fromTarget(event) ? streamOf(view, event) : undefined;
  if (stream === undefined) return undefined;
  if (event.kind === 'message') view.meaning = meaningOfMessage(view.target, stream, event);
  else if (isClosing(event)) view.meaning = meaningOfClosing(stream, event);
  return view.meaning;
}

/** Takes an event into the view. */
export function stepView(view: ToonView, event: TraceEvent): void {
  if (event.kind === 'mark') return mark(view, event);
  if (event.kind === 'open') return open(view, event);
  const stream = streamOf(view, event);
  if (stream === undefined) return;
  if (isClosing(event)) return close(stream, event);
  if (fromTarget(event)) return byTarget(view, stream, event);
  if (event.kind === 'message') peerSent(view.target, stream, event);
  else if (event.kind === 'undecodable') peerErred(view.target, stream, event, codeOf(event));
  view.forgotten ||= stream.forgotten;
}

function byTarget(view: ToonView, stream: StreamView, event: TraceEvent): void {
  if (event.kind === 'undecodable') {
    const { seq, at } = event;
    stream.target.last = { seq, at };
    stream.lost ??= { seq, requirement: stream.disturbed ? undefined : faultOf(event)?.requirement };
    return;
  }
  if (event.kind !== 'message') return;
  if (event.data['expandedLength'] !== undefined) view.compresses = true;
  const meaning = meaningOf(view, event);
  if (meaning !== undefined) targetSent(stream, event, meaning);
  view.looked = undefined;
}

function mark(view: ToonView, event: TraceEvent): void {
  const { run, fault, ms } = event.data;
  if (isObject(run)) {
    if (typeof run['drive'] === 'string') view.drive = run['drive'];
    if (isObject(run['timeouts']))
      view.timeouts = { ...defaultTimeouts, ...(run['timeouts'] as Partial<Timeouts>) };
  }
  if (fault === undefined) return;
  if (fault === 'slow') holdUp(view, slowness);
  else if (typeof ms === 'number') holdUp(view, ms);
  for (const stream of view.streams.values()) {
    if (stream.ended !== undefined || (event.stream !== '' && event.stream !== stream.id)) continue;
    if (fault === 'cut' || fault === 'reset') stream.disturbed = true;
    if (fault === 'split') stream.split ??= event.seq;
  }
}

/** What a slow network is taken to hold up: its backlog outlives it (ms). */
const slowness = 60_000;

/** The kit held the network up: every time that rules go by is longer for it. */
function holdUp(view: ToonView, ms: number): void {
  const { step, answer, prompt, idle } = view.timeouts;
  view.timeouts = { step: step + ms, answer: answer + ms, prompt: prompt + ms, idle: idle + ms };
}

function open(view: ToonView, event: TraceEvent): void {
  const { stream: id, seq, at } = event;
  const carrier = event.data[':carrier'];
  view.recent = undefined;
  view.streams.set(id, startStream(id, typeof carrier === 'string' ? carrier : 'tcp', { seq, at }));
  if (view.streams.size > endedKept + endedSpare) forget(view.streams);
}

function forget(streams: Map<string, StreamView>): void {
  let over = streams.size - endedKept;
  for (const [oldest, { ended }] of streams) {
    if (over <= 0) return;
    if (ended === undefined) continue;
    streams.delete(oldest);
    over--;
  }
}

function close(stream: StreamView, event: TraceEvent): void {
  const { seq, at } = event;
  stream.ended ??= { seq, at, by: fromTarget(event) && !stream.disturbed ? 'target' : 'peer' };
}

/** What the target has not done although there was time: the first of a subagent's, each of an orchestrator's. */
export function overdue(view: ToonView, at: number): readonly { stream: StreamView; ask: Ask }[] {
  const found: { stream: StreamView; ask: Ask }[] = [];
  for (const stream of view.streams.values()) {
    if (stream.ended !== undefined || stream.disturbed || stream.lost !== undefined) continue;
    if (stream.bad.some(({ code }) => code === 'too-large')) continue;
    const asks = view.target === 'subagent' ? stream.asks.slice(0, 1) : stream.asks;
    for (const ask of asks) if (at - ask.heard >= patience(view, stream, ask)) found.push({ stream, ask });
  }
  return found;
}

/** How long an ask may go without a further sign (ms). */
function patience({ timeouts }: ToonView, stream: StreamView, ask: Ask): number {
  if (ask.perhapsEnded) return Infinity;
  if (ask.type !== 'INSTRUCTION') return timeouts.answer;
  if (stream.calls.length > 0) return Infinity;
  let waits = 0;
  for (const step of ask.steps ?? []) {
    if ('hold' in step) return Infinity;
    if ('wait_ms' in step) waits += step.wait_ms;
  }
  return waits + (ask.taken ? timeouts.step : timeouts.prompt);
}

/** Why nobody can say any more that all that was asked for was done, if so. */
export const lostCount = ({ forgotten }: ToonView): string | undefined =>
  forgotten
    ? `more than ${kept} messages of one stream were open at a time, and the oldest were forgotten`
    : undefined;

/** The rows that an ask breaks which is not taken or not brought to an end. */
export function broken(ask: Ask): readonly string[] {
  const rows = atStake(ask).map(([requirement]) => requirement);
  return rows.length > 0 ? rows : [owedBy[ask.type]];
}

const owedBy = { INSTRUCTION: 'TOON-50', TOOL_CALL: 'TOON-48', CONTEXT_REQUEST: 'TOON-49' } as const;
