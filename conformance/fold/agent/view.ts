/** What all Fold rules look at: every stream's session so far, and the run's own numbers, before the event at hand. */
import { Streams, momentOf, takeMark } from '../../../src/kit/judge/index.ts';
import type { KnownStream, Moment, RunView } from '../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { observeAgent, observeEnd, observeGateway, sessionMachine } from '../../../src/fold/index.ts';
import type {
  AgentMessage,
  MessageResponse,
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
export interface StreamView extends KnownStream {
  readonly session: Session;
  ended: (Moment & { readonly by: 'target' | 'kit' }) | undefined;
  /** The target will send no more on it. */
  closedByTarget: Moment | undefined;
  /** The last message of the target's on it, and the last of either side (seq); -1 before any. */
  heard: number;
  crossed: number;
}

/** Everything before the event at hand. */
export interface FoldView extends RunView<Timeouts> {
  readonly streams: Streams<StreamView>;
  /** The stream of the event at hand, once it has opened. */
  stream: StreamView | undefined;
  /** The request that the response at hand names, whether it has ended or not. */
  named: Request | undefined;
  /** The same, while it has not ended: what comes later other rules judge. */
  request: Request | undefined;
}

/** A view of nothing yet. */
export const startView = (): FoldView => ({
  drive: 'passive',
  timeouts: defaultTimeouts,
  late: 0,
  streams: new Streams(),
  stream: undefined,
  named: undefined,
  request: undefined,
});

/** The agent's message of an event. */
export const agentMessage = (event: TraceEvent): AgentMessage => event.data;

/** The gateway's message of an event. */
export const serverMessage = (event: TraceEvent): ServerMessage => event.data;

/** The response in an event of topic `response`. */
export const responseOf = (event: TraceEvent): MessageResponse => agentMessage(event).response ?? {};

/** Finds the stream and the request of the event at hand. */
export function look(view: FoldView, event: TraceEvent): void {
  const stream = view.streams.get(event.stream);
  const response = event.kind === 'message' ? agentMessage(event).response : undefined;
  const named =
    response === undefined || stream === undefined
      ? undefined
      : requestNamed(stream.session, response.request_id ?? '');
  view.stream = stream;
  view.named = named;
  view.request = named?.terminal === undefined ? named : undefined;
}

function requestNamed({ recent, requests }: Session, id: string): Request | undefined {
  return recent?.id === id ? recent : requests.get(id);
}

/** The tool that the response at hand is about, of the open request by its tool_use. */
export function toolOf({ request }: FoldView, event: TraceEvent): Tool | undefined {
  const r = responseOf(event);
  const about = r.tool_state ?? r.tool_result ?? r.tool_approval_request;
  return request?.tools.get(about?.id ?? '');
}

/** Whether an event is from the target. */
export const fromTarget = (event: TraceEvent): boolean => event.from === 'target';

/** Takes an event into the view. */
export function stepView(view: FoldView, event: TraceEvent): void {
  if (event.kind === 'open') return open(view, event);
  if (event.kind === 'mark') {
    takeMark(view, event, defaultTimeouts);
    return view.streams.disturb(event);
  }
  const { stream } = view;
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

function open(view: FoldView, { stream: id }: TraceEvent): void {
  view.streams.open({
    id,
    session: sessionMachine.start(),
    disturbed: false,
    ended: undefined,
    closedByTarget: undefined,
    heard: -1,
    crossed: -1,
  });
}

function close(stream: StreamView, event: TraceEvent): void {
  if (event.kind !== 'end' || fromTarget(event)) {
    if (!stream.disturbed && stream.ended === undefined) stream.closedByTarget ??= momentOf(event);
    if (event.kind === 'half_close') return;
  }
  const by = stream.disturbed || (event.kind === 'end' && !fromTarget(event)) ? 'kit' : 'target';
  stream.ended ??= { ...momentOf(event), by };
  observeEnd(stream.session);
}
