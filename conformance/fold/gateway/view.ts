/**
 * The view of all rules of Fold gateways: every stream that the kit's agents, packs and operators opened, with its
 * requests and calls. A rule sees the view as it was before the event at hand.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { forgetOldest, momentOf, Streams, takeMark } from '../../../src/kit/judge/index.ts';
import {
  observeAgent,
  observeEnd,
  observeGateway,
  operatorPath,
  remembered,
  sessionMachine,
  wireOf,
} from '../../../src/fold/index.ts';
import type { AgentMessage, PackToolResult, ServerMessage } from '../../../src/fold/index.ts';
import { endOperator, isLive, replyOn, takeCall, takeReply, takeSend } from './calls.ts';
import { takeResponse } from './responses.ts';
import { agentIdOf, defaultGatewayTimeouts, textOf } from './model.ts';
import type { GatewayView, Provocation, StreamView } from './model.ts';
import { provocationOf } from './strays.ts';
import { takeInjection } from './injections.ts';
import { takeManifest, takeOrder, takePackCall, takeToolResponse } from './packs.ts';

export type { GatewayTimeouts, GatewayView, StreamView } from './model.ts';

/** The most ended streams that are kept. The oldest are evicted first. */
const endedKept = 512;

/** The view at the start of a trace. */
export const startGatewayView = (): GatewayView => ({
  drive: 'passive',
  auth: 'none',
  timeouts: defaultGatewayTimeouts,
  late: 0,
  stop: undefined,
  streams: new Streams(endedKept),
  credentials: new Map(),
  sends: new Map(),
  injects: new Map(),
  strays: [],
  pings: new Map(),
  ...atHand(),
});

type AtHand = Pick<GatewayView, 'stream' | 'agentStream' | 'call' | 'asked' | 'heard' | 'provocation'>;

const atHand = (): AtHand => ({
  stream: undefined,
  agentStream: undefined,
  call: undefined,
  asked: undefined,
  heard: undefined,
  provocation: undefined,
});

/** Notes the stream, the call, the request and the meaning of the event at hand. */
export function lookAtGateway(view: GatewayView, event: TraceEvent): void {
  const stream = view.streams.get(event.stream);
  const { call } = stream ?? {};
  view.stream = stream;
  view.agentStream = stream?.kind === 'agent' ? stream : undefined;
  view.call = call;
  view.asked = stream?.requests.get(agentMessage(event).response?.request_id ?? '');
  const isReply = call?.verb === 'send' && event.kind === 'message' && event.from === 'target';
  view.heard = isReply ? replyOn(view, call, event) : undefined;
  view.provocation = provocationOf(view, event);
}

/** The agent's message in an event. */
export const agentMessage = (event: TraceEvent): AgentMessage => event.data;

/** The gateway's message in an event. */
export const serverMessage = (event: TraceEvent): ServerMessage => event.data;

/** Whether the target ends a stream with an event. */
export const endsByTarget = (event: TraceEvent): boolean =>
  event.from === 'target' && (event.kind === 'end' || event.kind === 'reset');

/**
 * Whether the target may end an agent's stream now: the kit disturbed it or asked the target to stop, the agent left, or
 * an unanswered cancel allows it (FOLD-G40).
 */
export function mayEnd(view: GatewayView, stream: StreamView): boolean {
  if (view.stop !== undefined || !isLive(stream) || stream.unresponsive !== undefined) return true;
  if (stream.session.shutdown !== undefined) return true;
  for (const request of stream.session.active.values()) if (request.cancel !== undefined) return true;
  return false;
}

/** Takes an event into the view. */
export function stepGatewayView(view: GatewayView, event: TraceEvent): void {
  if (event.kind === 'mark') return mark(view, event);
  if (event.kind === 'open') return open(view, event);
  if (event.kind === 'ping') return ping(view, event);
  const { stream, provocation } = view;
  if (stream === undefined) return;
  if (provocation !== undefined) provoke(stream, provocation, event);
  switch (event.kind) {
    case 'message':
    case 'undecodable':
      noteMessage(stream, event);
      if (event.kind === 'message') message(view, stream, event);
      break;
    case 'headers':
      if (event.from === 'target') stream.headers ??= momentOf(event);
      break;
    case 'half_close':
    case 'reset':
    case 'end':
      close(view, stream, event);
      break;
    default:
  }
}

/** Takes a mark of the kit: its time limits, faults and credentials, and its request to stop. */
function mark(view: GatewayView, event: TraceEvent): void {
  const { run, stop, credentials, peer } = event.data;
  takeMark(view, event, defaultGatewayTimeouts, ['silence']);
  view.streams.disturb(event);
  if (isObject(run) && typeof run['auth'] === 'string') view.auth = run['auth'];
  if (stop === 'target') view.stop ??= momentOf(event);
  if (typeof credentials === 'string') view.credentials.set(textOf(peer) || 'agent', credentials);
}

function provoke(stream: StreamView, provocation: Provocation, event: TraceEvent): void {
  stream.provoked = provocation;
  const register = event.kind === 'message' ? agentMessage(event).register : undefined;
  if (register !== undefined)
    stream.secondRegister = { ...momentOf(event), agentId: register.agent_id ?? '' };
}

function noteMessage(stream: StreamView, event: TraceEvent): void {
  if (event.from === 'target') stream.answered ??= momentOf(event);
  else {
    stream.spoke ??= momentOf(event);
    stream.last = momentOf(event);
  }
}

function message(view: GatewayView, stream: StreamView, event: TraceEvent): void {
  const isTarget = event.from === 'target';
  switch (stream.kind) {
    case 'agent':
      return isTarget ? fromGateway(view, stream, event) : fromAgent(view, stream, event);
    case 'pack':
      return isTarget ? takeOrder(view, stream, event) : takeManifest(view, stream, event);
    case 'pack_result':
      return isTarget ? undefined : takeToolResponse(view, stream, event);
    case 'operator':
      return isTarget ? takeReply(view, stream, event) : takeCall(view, stream, event);
    default:
      return stream.kind satisfies never;
  }
}

function fromAgent(view: GatewayView, stream: StreamView, event: TraceEvent): void {
  const said = agentMessage(event);
  if (said.response !== undefined) takeResponse(view, stream, said, event);
  else if (said.execute_pack_tool !== undefined) takePackCall(view, stream, said, event);
  else if (said.register !== undefined && stream.session.register === undefined)
    noteRival(view, stream, event);
  observeAgent(stream.session, said, event);
}

/** Notes that another stream registers a used id. The agent that has the id must not be harmed (FOLD-G07). */
function noteRival(view: GatewayView, stream: StreamView, event: TraceEvent): void {
  const first = rivalOf(view, stream, agentMessage(event).register?.agent_id ?? '');
  if (first === undefined) return;
  first.rival = momentOf(event);
  first.provoked = { row: 'FOLD-G07', what: 'a second registration of its id', ...momentOf(event) };
}

/** The live stream that already has an id. */
export function rivalOf(view: GatewayView, stream: StreamView, id: string): StreamView | undefined {
  if (id === '') return undefined;
  for (const other of view.streams.values())
    if (other !== stream && isLive(other) && agentIdOf(other) === id) return other;
  return undefined;
}

function fromGateway(view: GatewayView, stream: StreamView, event: TraceEvent): void {
  const said = serverMessage(event);
  const { session } = stream;
  if (said.send_message !== undefined) {
    const after = takeSend(view, stream, said);
    observeGateway(session, said, event);
    return after();
  }
  if (said.inject_context !== undefined) takeInjection(view, stream, said.inject_context);
  observeGateway(session, said, event);
  if (said.welcome !== undefined)
    stream.offers = new Set(said.welcome.available_tools?.map(({ name = '' }) => name));
  else if (said.tool_approval !== undefined) {
    const ask = stream.asks.get(said.tool_approval.id ?? '');
    if (ask !== undefined) ask.decided++;
  } else if (said.pack_tool_result !== undefined) packResult(stream, said.pack_tool_result, event);
}

function packResult(stream: StreamView, result: PackToolResult, event: TraceEvent): void {
  const { request_id: id = '', error } = result;
  const call = stream.packCalls.get(id);
  if (call === undefined || call.flaw === 'twice') return;
  stream.packCalls.delete(id);
  stream.packDone.add(id);
  if (error !== undefined)
    stream.provoked = { row: 'FOLD-G49', what: 'a failed pack tool call', ...momentOf(event) };
  forgetOldest(stream.packDone, remembered);
}

type AgentParts = Pick<StreamView, 'session' | 'requests' | 'packCalls' | 'packDone' | 'offers' | 'asks'>;

const agentParts = (): AgentParts => ({
  session: sessionMachine.start(),
  requests: new Map(),
  packCalls: new Map(),
  packDone: new Set(),
  offers: new Set(),
  asks: new Map(),
});

/** The empty agent parts that all other streams share, because most streams are operators'. */
const noAgentParts = agentParts();

function open(view: GatewayView, event: TraceEvent): void {
  const kind = kindOf(event);
  view.streams.open({
    ...momentOf(event),
    id: event.stream,
    conn: event.conn,
    kind,
    openedBy: event.from,
    credentials: credentialsOf(view, event),
    headers: undefined,
    spoke: undefined,
    last: momentOf(event),
    answered: undefined,
    disturbed: false,
    halfClosed: undefined,
    ended: undefined,
    ...(kind === 'agent' ? agentParts() : noAgentParts),
    provoked: undefined,
    secondRegister: undefined,
    rival: undefined,
    unresponsive: undefined,
    pack: undefined,
    call: undefined,
  });
}

/** The kind of a stream that opens. */
export function kindOf(event: TraceEvent): StreamView['kind'] {
  const path = event.data[':path'];
  const other = event.wire === 'operator' ? operatorPath : undefined;
  return wireOf(typeof path === 'string' ? path : other).kind;
}

/** The credentials of a stream that opens, from the kit's last mark, or else from its metadata. */
export function credentialsOf(view: GatewayView, event: TraceEvent): string {
  if (view.auth === 'none') return 'valid';
  const said = view.credentials.get(event.from);
  if (said !== undefined) return said;
  const shows = Object.keys(event.data).some((key) => key === 'authorization' || key.startsWith('x-ssh-'));
  return shows ? 'unknown' : 'none';
}

function close(view: GatewayView, stream: StreamView, event: TraceEvent): void {
  if (event.kind === 'half_close') {
    if (event.from !== 'target') stream.halfClosed ??= momentOf(event);
    return;
  }
  const { code } = event.data;
  const by = stream.disturbed || event.from !== 'target' ? 'peer' : 'target';
  stream.ended ??= { ...momentOf(event), by, code: typeof code === 'number' ? code : undefined };
  if (stream.kind === 'agent') observeEnd(stream.session);
  endOperator(view, stream, event);
}

/** FOLD-G54 does not cover pings at shorter intervals (ms). 50 ms are the tolerance for the clock. */
const pingGap = 10_000 - 50;

function ping(view: GatewayView, event: TraceEvent): void {
  if (event.from === 'target') return;
  const before = view.pings.get(event.conn);
  const tooClose = before !== undefined && (before.tooClose || event.at - before.at < pingGap);
  view.pings.set(event.conn, { ...momentOf(event), tooClose });
  forgetOldest(view.pings, endedKept);
}
