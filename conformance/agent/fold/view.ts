/** The view of the rules over both wires: the gateway's requests, the model's exchanges, and which belongs to which. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { forgetOldest, momentOf, takeMark } from '../../../src/kit/judge/index.ts';
import type {
  AgentMessage,
  MessageResponse,
  SendMessage,
  ServerMessage,
  ToolApprovalResponse,
} from '../../../src/fold/index.ts';
import { kept, takeModelEvent, takeProviderNote } from './exchanges.ts';
import type { BothView, GatewayRequest, RequestEnd } from './records.ts';
import { endOf, takeResponse } from './responses.ts';
import { showingToolsOf } from './showing-tools.ts';
import { roomOf } from './size.ts';

/** The time limits of a run whose mark has none (ms). */
export const defaultTimeouts: BothView['timeouts'] = { letgo: 1000, gone: 2000, crossing: 500 };

export const startView = (): BothView => ({
  drive: '',
  timeouts: defaultTimeouts,
  late: 0,
  requests: new Map(),
  exchanges: new Map(),
  injections: new Map(),
  bodies: new Map(),
  gated: new Set(),
  showing: [],
  room: 0,
  offersTools: false,
  forgotten: false,
});

const isFold = ({ wire }: TraceEvent): boolean => wire === 'fold';

/** The message of the gateway; empty for other events. */
export const gatewayMessage = (event: TraceEvent): ServerMessage =>
  isFold(event) && event.kind === 'message' && event.from !== 'target' ? event.data : {};

/** The message of the agent to its gateway; empty for other events. */
export const agentMessage = (event: TraceEvent): AgentMessage =>
  isFold(event) && event.kind === 'message' && event.from === 'target' ? event.data : {};

export const responseOf = (event: TraceEvent): MessageResponse => agentMessage(event).response ?? {};

/** The request that a response belongs to. */
export const requestOfResponse = (view: BothView, event: TraceEvent): GatewayRequest | undefined =>
  view.requests.get(responseOf(event).request_id ?? '');

/** A request at its first end. */
export interface EndingRequest {
  readonly request: GatewayRequest;
  readonly end: RequestEnd;
}

/** The request whose first end is at this event, and that end. */
export function endingRequest(view: BothView, event: TraceEvent): EndingRequest | undefined {
  const request = requestOfResponse(view, event);
  const end = endOf(responseOf(event));
  return request === undefined || request.ended !== undefined || end === undefined
    ? undefined
    : { request, end };
}

/** Takes an event into the view. */
export function stepView(view: BothView, event: TraceEvent): void {
  if (event.kind === 'mark') {
    takeMark(view, event, defaultTimeouts);
    view.room = roomOf(event) ?? view.room;
    view.showing = showingToolsOf(event) ?? view.showing;
    takeGated(view, event);
    return takeProviderNote(view, event);
  }
  if (isFold(event)) return takeFold(view, event);
  takeModelEvent(view, event);
}

/** The most names of tools that need an approval. */
const gatedKept = 64;

/** Takes the mark of a scenario that calls a tool which needs an approval. */
function takeGated({ gated }: BothView, { data }: TraceEvent): void {
  if (typeof data['gated'] !== 'string') return;
  if (gated.size < gatedKept) gated.add(data['gated']);
}

function takeFold(view: BothView, event: TraceEvent): void {
  // The requests of a stream that is lost have no end.
  if (event.kind === 'end' || event.kind === 'reset')
    for (const { id, stream, ended } of view.requests.values())
      if (stream === event.stream && ended === undefined) view.requests.delete(id);
  if (event.from === 'target') takeAgent(view, event);
  else takeGateway(view, event);
}

function takeGateway(view: BothView, event: TraceEvent): void {
  const {
    send_message: sent,
    inject_context: given,
    cancel_request: cancel,
    tool_approval: decision,
  } = gatewayMessage(event);
  if (sent !== undefined) takeRequest(view, event, sent);
  if (given !== undefined) takeInjection(view, event, given);
  if (cancel !== undefined) {
    const request = view.requests.get(cancel.request_id ?? '');
    if (request !== undefined && request.ended === undefined) request.cancel ??= momentOf(event);
  }
  if (decision !== undefined) takeDecision(view, event, decision);
}

function takeDecision(view: BothView, event: TraceEvent, decision: ToolApprovalResponse): void {
  const { id = '', approved = false, approve_all: all = false } = decision;
  for (const request of view.requests.values()) {
    const tool = request.tools.get(id);
    if (tool !== undefined && !approved) tool.denied ??= momentOf(event);
    request.approvesAll ||= approved && all && request.asks.has(id);
  }
}

function takeRequest(view: BothView, event: TraceEvent, sent: SendMessage): void {
  const { request_id: id = '', thread_id: thread = '', content = '' } = sent;
  view.requests.set(id, {
    ...momentOf(event),
    id,
    stream: event.stream,
    thread,
    content,
    cancel: undefined,
    ended: undefined,
    text: '',
    pieces: [],
    lastText: undefined,
    usages: [],
    tools: new Map(),
    asks: new Map(),
    approvesAll: false,
    resultText: 0,
    exchanges: [],
    hasStrays: false,
  });
  view.forgotten ||= forgetOldest(view.requests, kept);
}

function takeInjection(
  view: BothView,
  event: TraceEvent,
  { injection_id: id = '', content = '', priority }: NonNullable<ServerMessage['inject_context']>,
): void {
  if (view.injections.has(id)) return;
  view.injections.set(id, {
    ...momentOf(event),
    id,
    content,
    priority: String(priority ?? '').replace('INJECTION_PRIORITY_', ''),
    running: [...view.requests.values()].filter(({ ended }) => ended === undefined),
    ack: undefined,
    threads: new Set(),
  });
  view.forgotten ||= forgetOldest(view.injections, kept);
}

function takeAgent(view: BothView, event: TraceEvent): void {
  const { injection_ack: ack } = agentMessage(event);
  const injection = view.injections.get(ack?.injection_id ?? '');
  if (injection !== undefined) injection.ack ??= { ...momentOf(event), accepted: ack?.accepted === true };
  const request = requestOfResponse(view, event);
  if (request !== undefined) takeResponse(request, event, responseOf(event));
}
