/** The view of all rules of Fold agents: the session of every stream, and the time limits, before the event at hand. */
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

/** The time limits of rules (ms). Each is an option of the run. */
export interface Timeouts {
  readonly ack: number;
  readonly cancel: number;
  readonly step: number;
  /** For the next event of a request that the agent answers in its own words. */
  readonly answer: number;
  readonly shutdown: number;
  readonly reconnect: number;
  readonly approval: number;
}

/** The numbers of spec/fold/README.md, "How an agent is judged" and "The directive grammar". */
export const defaultTimeouts: Timeouts = {
  ack: 5000,
  cancel: 10_000,
  step: 10_000,
  answer: 120_000,
  shutdown: 10_000,
  reconnect: 10_000,
  approval: 300_000,
};

/** A stream of the target. */
export interface StreamView extends KnownStream {
  readonly session: Session;
  ended: (Moment & { readonly by: 'target' | 'kit' }) | undefined;
  /** When the target closed its side. */
  closedByTarget: Moment | undefined;
  /** The target's last message (seq); -1 before any. */
  lastFromTarget: number;
  /** The last message of either side (seq); -1 before any. */
  lastMessage: number;
}

/** Everything before the event at hand. */
export interface FoldView extends RunView<Timeouts> {
  readonly streams: Streams<StreamView>;
  /** The stream of the event at hand, once it has opened. */
  stream: StreamView | undefined;
  /** The request that the response at hand names, active or ended. */
  namedRequest: Request | undefined;
  /** The same request while it is active. Other rules judge later responses. */
  request: Request | undefined;
}

/** The view at the start of a trace. */
export const startView = (): FoldView => ({
  drive: 'passive',
  timeouts: defaultTimeouts,
  late: 0,
  streams: new Streams(),
  stream: undefined,
  namedRequest: undefined,
  request: undefined,
});

/** The longest silence of a request that is no fault (ms). A directive needs no model; a model may need minutes. */
export const patienceOf = ({ steps }: Request, { drive, timeouts }: FoldView): number =>
  steps !== undefined && drive === 'directive' ? timeouts.step : timeouts.answer;

/** The agent's message in an event. */
export const agentMessage = (event: TraceEvent): AgentMessage => event.data;

/** The gateway's message in an event. */
export const serverMessage = (event: TraceEvent): ServerMessage => event.data;

/** The response in an event of topic `response`. */
export const responseOf = (event: TraceEvent): MessageResponse => agentMessage(event).response ?? {};

/** Finds the stream and the request of the event at hand. */
export function look(view: FoldView, event: TraceEvent): void {
  const stream = view.streams.get(event.stream);
  if (stream !== undefined && leavesDrained(stream, event, view)) stream.disturbed = true;
  const response = event.kind === 'message' ? agentMessage(event).response : undefined;
  const named =
    response === undefined || stream === undefined
      ? undefined
      : requestNamed(stream.session, response.request_id ?? '');
  view.stream = stream;
  view.namedRequest = named;
  view.request = named?.terminal === undefined ? named : undefined;
}

/**
 * Whether the target ends its stream because of a graceful GOAWAY: such a stream is lost. Some libraries, such as grpclib,
 * end their streams at once, which RFC 9113, 6.8 does not forbid. Much later, the target has reasons of its own.
 */
const leavesDrained = ({ drained = -Infinity }: StreamView, event: TraceEvent, view: FoldView): boolean =>
  fromTarget(event) &&
  (event.kind === 'half_close' || event.kind === 'end' || event.kind === 'reset') &&
  event.at - drained <= view.timeouts.reconnect;

function requestNamed({ recent, requests }: Session, id: string): Request | undefined {
  return recent?.id === id ? recent : requests.get(id);
}

/** The tool that the response at hand names, if it is a tool of the active request. */
export function toolOf({ request }: FoldView, event: TraceEvent): Tool | undefined {
  const r = responseOf(event);
  const about = r.tool_state ?? r.tool_result ?? r.tool_approval_request;
  return request?.tools.get(about?.id ?? '');
}

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
      stream.lastMessage = event.seq;
      if (fromTarget(event)) {
        stream.lastFromTarget = event.seq;
        observeAgent(stream.session, agentMessage(event), event);
      } else observeGateway(stream.session, serverMessage(event), event);
      return;
    case 'undecodable':
      stream.lastMessage = event.seq;
      if (fromTarget(event)) stream.lastFromTarget = event.seq;
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
    lastFromTarget: -1,
    lastMessage: -1,
  });
}

function close(stream: StreamView, event: TraceEvent): void {
  const own = fromTarget(event);
  if (own && !stream.disturbed && stream.ended === undefined) stream.closedByTarget ??= momentOf(event);
  if (event.kind === 'half_close') return;
  const by = stream.disturbed || !own ? 'kit' : 'target';
  stream.ended ??= { ...momentOf(event), by };
  observeEnd(stream.session);
}
