/** Operators' calls, and the requests to agents that follow from them. */
import { forgetOldest, momentOf } from '../../../src/kit/judge/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { operatorVerbs, remembered } from '../../../src/fold/index.ts';
import type { Moment, OperatorVerb, ServerMessage } from '../../../src/fold/index.ts';
import { faceTerminals, replyMeaning, takeOwed } from './feed.ts';
import type {
  ForwardedRequest,
  OperatorCall,
  CallFields,
  GatewayView,
  ReplyMeaning,
  StreamView,
} from './model.ts';
import { takeInject } from './injections.ts';
import { agentIdOf, isCalled, membersOf } from './model.ts';

/** Whether an agent's stream is live: welcomed, open on both sides, and undisturbed. */
export const isLive = (stream: StreamView): boolean =>
  stream.kind === 'agent' &&
  stream.session.phase === 'ready' &&
  stream.ended === undefined &&
  stream.halfClosed === undefined &&
  !stream.disturbed;

/** The fields of an operator's call; undefined for every other event. */
export function callIn(event: TraceEvent, verb: OperatorVerb): CallFields | undefined {
  if (event.wire !== 'operator' || event.kind !== 'message' || event.from === 'target') return undefined;
  return event.data[verb] === undefined ? undefined : membersOf(event.data[verb]);
}

/** The live stream of an agent. Most events name none, and then no stream is looked at. */
export function liveAgent(view: GatewayView, id: string): StreamView | undefined {
  if (id === '') return undefined;
  for (const stream of view.streams.values()) if (agentIdOf(stream) === id && isLive(stream)) return stream;
  return undefined;
}

function targetOf(view: GatewayView, verb: OperatorVerb, text: CallFields): StreamView | undefined {
  if (text.agent_id !== undefined && text.agent_id !== '') return liveAgent(view, text.agent_id);
  if (verb !== 'send') return undefined;
  const live = [...view.streams.values()].filter(isLive);
  return live.length === 1 ? live[0] : undefined;
}

/** Whether a cancel can still end a request. For an agent without the feature, it can until the requester has the end. */
const canStillStop = ({ request, call, stream }: ForwardedRequest): boolean =>
  request.terminal === undefined ||
  (call?.terminal === undefined && !stream.session.features.has('cancellation'));

/** The requests of a cancel: the request with its id, or all active ones of its thread. */
export function cancelledRequests(view: GatewayView, text: CallFields): readonly ForwardedRequest[] {
  const found: ForwardedRequest[] = [];
  const { request_id: id, thread_id: thread } = text;
  for (const stream of view.streams.values()) {
    for (const asked of stream.requests.values()) {
      const { request, call } = asked;
      if (id !== undefined && (request.id === id || call?.requestId === id)) found.push(asked);
      else if (id === undefined && thread !== undefined && canStillStop(asked)) {
        if ((call?.thread ?? request.thread) === thread) found.push(asked);
      }
    }
  }
  return found;
}

/** A pending cancel of a thread. It may also stop a send that comes now. */
function stoppingThread(view: GatewayView, thread: string | undefined): Moment | undefined {
  if (thread === undefined || thread === '') return undefined;
  for (const { call, ended } of view.streams.values())
    if (call?.verb === 'cancel' && ended === undefined && isOfThread(call.text, thread)) return call;
  return undefined;
}

const isOfThread = (text: CallFields, thread: string | undefined): boolean =>
  text.request_id === undefined && text.thread_id !== undefined && text.thread_id === thread;

/** Marks the sends of a cancelled thread whose requests have not reached the agent. */
function stopSends(view: GatewayView, text: CallFields, now: Moment): void {
  if (text.request_id !== undefined || text.thread_id === undefined) return;
  for (const { call, ended } of view.streams.values())
    if (
      call?.verb === 'send' &&
      ended === undefined &&
      call.asked === undefined &&
      isOfThread(text, call.thread)
    )
      call.stopAsked ??= momentOf(now);
}

const isVerb = (name: string): name is OperatorVerb => (operatorVerbs as readonly string[]).includes(name);

/** Takes an operator's call into the view. */
export function takeCall(view: GatewayView, stream: StreamView, event: TraceEvent): void {
  const [verb = ''] = Object.keys(event.data);
  if (!isVerb(verb) || stream.call !== undefined) return;
  const text: CallFields = membersOf(event.data[verb]);
  const about = verb === 'cancel' ? cancelledRequests(view, text) : [];
  const call: OperatorCall = {
    ...momentOf(event),
    stream,
    verb,
    text,
    target: targetOf(view, verb, text),
    repeated: verb === 'send' && view.sends.has(text.content ?? ''),
    about,
    thread: verb === 'send' ? text.thread_id : undefined,
    requestId: undefined,
    asked: undefined,
    stopAsked: verb === 'send' ? stoppingThread(view, text.thread_id) : undefined,
    replied: undefined,
    terminal: undefined,
  };
  stream.call = call;
  if (verb === 'cancel') stopSends(view, text, call);
  for (const asked of about) stop(asked, text, event);
  if (verb === 'inject') takeInject(view, call);
  const ask = verb === 'approve' ? call.target?.asks.get(text.tool_id ?? '') : undefined;
  if (ask !== undefined) ask.wanted++;
  if (verb === 'shutdown') view.stop ??= momentOf(event);
  if (verb !== 'send') return;
  view.sends.set(text.content ?? '', call);
  forgetOldest(view.sends, remembered);
}

/** Notes a cancel of a request that can still stop. */
function stop(asked: ForwardedRequest, { reason = '' }: CallFields, now: Moment): void {
  if (!canStillStop(asked)) return;
  asked.stopAsked ??= momentOf(now);
  asked.stopReasons.push(reason);
}

/** The meaning of a reply to a `send`. */
export function replyOn(view: GatewayView, call: OperatorCall, event: TraceEvent): ReplyMeaning | undefined {
  const [name = ''] = Object.keys(event.data);
  return name === 'started' ? undefined : replyMeaning(view, call, name, event.data[name]);
}

/** Takes a reply to an operator into the view. */
export function takeReply(view: GatewayView, stream: StreamView, event: TraceEvent): void {
  const { call } = stream;
  if (call === undefined) return;
  const [name = ''] = Object.keys(event.data);
  const data = event.data[name];
  const { heard } = view;
  call.replied ??= momentOf(event);
  if (name === 'started') {
    const { thread_id: thread, request_id: id } = membersOf(data);
    if (typeof thread === 'string' && thread !== '') call.thread = thread;
    if (typeof id === 'string') call.requestId = id;
  }
  if (heard === undefined) return;
  const { asked } = call;
  if (asked !== undefined && (heard.is === 'due' || heard.is === 'changed')) takeOwed(asked, heard, data);
  else if (heard.is === 'misdirected') drop(heard.owner.pending, heard.item);
  else if (heard.is === 'reordered' && asked !== undefined) drop(asked.skipped, heard.item);
  if (faceTerminals.has(name)) endCall(call, name, event);
}

function drop<T>(items: T[], item: T): void {
  const i = items.indexOf(item);
  if (i >= 0) items.splice(i, 1);
}

/** Takes the end of an operator's stream into the view. Without an earlier terminal, it also ends the request. */
export function endOperator(view: GatewayView, { call }: StreamView, event: TraceEvent): void {
  if (call === undefined) return;
  const refused = event.data['code'] !== 0 && event.from === 'target';
  if (call.verb === 'shutdown' && refused && view.stop?.seq === call.seq) view.stop = undefined;
  if (call.verb === 'send' && event.from === 'target') endCall(call, 'the end of the stream', event);
  else if (call.asked !== undefined) call.asked.pending = [];
}

function endCall(call: OperatorCall, name: string, now: Moment): void {
  if (call.terminal !== undefined) return;
  call.terminal = { ...momentOf(now), name };
  const { asked } = call;
  if (asked === undefined) return;
  asked.pending = [];
  asked.skipped = [];
  if (asked.request.terminal === undefined && asked.request.cancel !== undefined)
    asked.stream.unresponsive ??= momentOf(now);
}

/** Takes a request to an agent into the view. Call it before the session takes the message, and its result after. */
export function takeSend(view: GatewayView, stream: StreamView, message: ServerMessage): () => void {
  const sent = message.send_message;
  const id = sent?.request_id ?? '';
  const before = stream.requests.get(id);
  if (before !== undefined) {
    before.ambiguous = true;
    // The events of both requests can no longer be told apart.
    view.strays.splice(0, view.strays.length, ...view.strays.filter((stray) => stray.id !== id));
  }
  return () => {
    const request = stream.session.requests.get(id);
    if (sent === undefined || before !== undefined || request === undefined) return;
    const call = callFor(view, stream, sent.content ?? '');
    const asked: ForwardedRequest = {
      ...momentOf(request),
      stream,
      request,
      call: call?.asked === undefined ? call : undefined,
      ambiguous: false,
      pending: [],
      skipped: [],
      burst: 0,
      burstFrom: 0,
      burstCount: 0,
      shown: 0,
      odd: undefined,
      sessionEvent: undefined,
      sessionLast: false,
      evicted: new Map(),
      states: false,
      unknownState: false,
      said: false,
      stopAsked: call?.stopAsked,
      stopReasons: [],
    };
    if (asked.call !== undefined) asked.call.asked = asked;
    stream.requests.set(id, asked);
    forget(stream);
  };
}

/** The operator's send with a content, if it names the stream's agent or no agent. */
function callFor(view: GatewayView, stream: StreamView, content: string): OperatorCall | undefined {
  const call = view.sends.get(content);
  const { agent_id: named = '' } = call?.text ?? {};
  return named === '' || isCalled(stream, named) ? call : undefined;
}

function forget(stream: StreamView): void {
  if (stream.requests.size <= remembered + stream.session.active.size) return;
  for (const [id, { request }] of stream.requests) {
    if (request.terminal === undefined) continue;
    stream.requests.delete(id);
    return;
  }
}
