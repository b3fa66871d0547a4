/**
 * What all Fold rules look at: every stream's session so far, and the run's own numbers. A rule sees it as it was
 * before the event at hand.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { observeAgent, observeEnd, observeGateway, sessionMachine } from '../../../src/fold/index.ts';
import type {
  AgentMessage,
  MessageResponse,
  Moment,
  Request,
  ServerMessage,
  Session,
  Tool,
} from '../../../src/fold/index.ts';

/** Times that rules go by, in milliseconds; each an option of the run. */
export interface Timeouts {
  readonly ack: number;
  readonly cancel: number;
  readonly step: number;
  readonly shutdown: number;
  readonly reconnect: number;
  readonly approval: number;
}

/** The numbers of spec/fold/README.md, "How a run is judged". */
export const defaultTimeouts: Timeouts = {
  ack: 5000,
  cancel: 10_000,
  step: 10_000,
  shutdown: 10_000,
  reconnect: 10_000,
  approval: 300_000,
};

/** One stream of the target's. */
export interface StreamView {
  readonly id: string;
  readonly conn: string;
  readonly session: Session;
  /** The kit disturbed its connection; what follows is not the target's fault. */
  disturbed: boolean;
  ended: (Moment & { readonly by: 'target' | 'kit'; readonly code: number | undefined }) | undefined;
  /** The target will send no more on it. */
  closedByTarget: Moment | undefined;
  /** The last thing the target said on it, and the last that anyone did (seq); -1 before any. */
  heard: number;
  crossed: number;
}

/** Everything before the event at hand. */
export interface FoldView {
  drive: string;
  timeouts: Timeouts;
  /** How much later than it should anything may arrive, because the kit held the network up (ms). */
  late: number;
  readonly streams: Map<string, StreamView>;
  /** The stream last looked up: the next event is mostly on the same. */
  recent: StreamView | undefined;
  /** The event last looked up, with its stream and request: a dozen rules ask for the same. */
  looked: TraceEvent | undefined;
  lookedStream: StreamView | undefined;
  lookedRequest: Request | undefined;
}

/** Streams that have ended and are still remembered; the oldest are forgotten first. */
const endedKept = 64;
/** How many more there may be before they are: a map that loses one at each event is slow to find its first. */
const endedSpare = 32;

/** A view of nothing yet. */
export const startView = (): FoldView => ({
  drive: 'passive',
  timeouts: defaultTimeouts,
  late: 0,
  streams: new Map(),
  recent: undefined,
  looked: undefined,
  lookedStream: undefined,
  lookedRequest: undefined,
});

/** The agent's message of an event. */
export const agentMessage = (event: TraceEvent): AgentMessage => event.data;

/** The gateway's message of an event. */
export const serverMessage = (event: TraceEvent): ServerMessage => event.data;

/** The response in an event of topic `response`. */
export const responseOf = (event: TraceEvent): MessageResponse => agentMessage(event).response ?? {};

function lookUp(view: FoldView, event: TraceEvent): void {
  const { recent } = view;
  const stream = recent?.id === event.stream ? recent : view.streams.get(event.stream);
  const response = event.kind === 'message' ? agentMessage(event).response : undefined;
  view.looked = event;
  view.recent = stream;
  view.lookedStream = stream;
  view.lookedRequest =
    response === undefined || stream === undefined
      ? undefined
      : requestNamed(stream.session, response.request_id ?? '');
}

function requestNamed({ recent, requests }: Session, id: string): Request | undefined {
  return recent?.id === id ? recent : requests.get(id);
}

/** The stream of an event, once it has opened. */
export function streamOf(view: FoldView, event: TraceEvent): StreamView | undefined {
  if (view.looked !== event) lookUp(view, event);
  return view.lookedStream;
}

/** The request a response names, whether it has ended or not. */
export function namedRequest(view: FoldView, event: TraceEvent): Request | undefined {
  if (view.looked !== event) lookUp(view, event);
  return view.lookedRequest;
}

/** The request a response belongs to; undefined when there is none, or it has ended (other rules judge those). */
export function requestOf(view: FoldView, event: TraceEvent): Request | undefined {
  const request = namedRequest(view, event);
  return request?.terminal === undefined ? request : undefined;
}

/** The tool a response is about: of an open request, by its tool_use. */
export function toolOf(view: FoldView, event: TraceEvent): { request: Request; tool: Tool } | undefined {
  const request = requestOf(view, event);
  const r = responseOf(event);
  const about = r.tool_state ?? r.tool_result ?? r.tool_approval_request;
  const tool = request?.tools.get(about?.id ?? '');
  return request === undefined || tool === undefined ? undefined : { request, tool };
}

/** Whether an event is from the target. */
export const fromTarget = (event: TraceEvent): boolean => event.from === 'target';

/** Takes an event into the view. */
export function stepView(view: FoldView, event: TraceEvent): void {
  if (view.looked !== event) lookUp(view, event);
  const { lookedStream: stream } = view;
  view.looked = undefined;
  if (event.kind === 'mark') return mark(view, event);
  if (event.kind === 'open') return open(view, event);
  if (stream === undefined) return;
  switch (event.kind) {
    case 'message':
      stream.crossed = event.seq;
      if (fromTarget(event)) {
        stream.heard = event.seq;
        observeAgent(stream.session, agentMessage(event), event);
      } else observeGateway(stream.session, serverMessage(event), event);
      return;
    case 'undecodable':
      stream.crossed = event.seq;
      if (fromTarget(event)) stream.heard = event.seq;
      return;
    case 'half_close':
    case 'reset':
    case 'end':
      return close(stream, event);
    default:
      return;
  }
}

function mark(view: FoldView, event: TraceEvent): void {
  const { run, fault, ms } = event.data;
  if (fault === 'slow') holdUp(view, slowness);
  else if (fault !== undefined && typeof ms === 'number') holdUp(view, ms);
  if (isObject(run)) {
    if (typeof run['drive'] === 'string') view.drive = run['drive'];
    if (isObject(run['timeouts']))
      view.timeouts = { ...defaultTimeouts, ...(run['timeouts'] as Partial<Timeouts>) };
  }
  if (fault === 'cut' || fault === 'reset' || fault === 'stop') {
    for (const stream of view.streams.values()) {
      if (stream.ended === undefined && (event.stream === '' || event.stream === stream.id))
        stream.disturbed = true;
    }
  }
}

/** What a slow network is taken to hold up: its backlog outlives it (ms). */
const slowness = 60_000;

/** The kit held the network up: every time that rules go by is longer for it. */
function holdUp(view: FoldView, ms: number): void {
  view.late += ms;
  const { ack, cancel, step, shutdown, reconnect, approval } = view.timeouts;
  view.timeouts = {
    ack: ack + ms,
    cancel: cancel + ms,
    step: step + ms,
    shutdown: shutdown + ms,
    reconnect: reconnect + ms,
    approval: approval + ms,
  };
}

function open(view: FoldView, event: TraceEvent): void {
  const { stream: id, conn } = event;
  view.recent = undefined;
  view.streams.set(id, {
    id,
    conn,
    session: sessionMachine.start(),
    disturbed: false,
    ended: undefined,
    closedByTarget: undefined,
    heard: -1,
    crossed: -1,
  });
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
  if (event.kind !== 'end' || fromTarget(event)) {
    if (!stream.disturbed && stream.ended === undefined) stream.closedByTarget ??= { seq, at };
    if (event.kind === 'half_close') return;
  }
  const by = stream.disturbed || (event.kind === 'end' && !fromTarget(event)) ? 'kit' : 'target';
  const code = event.data['code'];
  stream.ended ??= { seq, at, by, code: typeof code === 'number' ? code : undefined };
  observeEnd(stream.session);
}
