/** The view of the rules over both wires: the gateway's requests, the model's exchanges, and which belongs to which. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, TraceEvent } from '../../../src/kit/base/index.ts';
import { forgetOldest, momentOf, takeMark } from '../../../src/kit/judge/index.ts';
import type { Moment, RunView } from '../../../src/kit/judge/index.ts';
import type { AgentMessage, MessageResponse, SendMessage, ServerMessage } from '../../../src/fold/index.ts';
import type { LlmMessage } from '../../../src/llm/index.ts';
import { answerAccountOf } from '../../llm/client/exchange.ts';
import type { AnswerAccount, Counts } from '../../llm/client/exchange.ts';
import { offersTools, requestOf } from '../../llm/client/requests.ts';
import { keyOf, providerNote, streamOf } from '../../llm/client/view.ts';
import { takeResponse } from './responses.ts';
import { isOverflow, roomOf, sizeOf } from './size.ts';
import type { RequestSize } from './size.ts';

/** A tool of a request, as the gateway was shown it. */
export interface ShownTool {
  readonly id: string;
  readonly name: string;
  /** Whether it was shown as RUNNING or COMPLETED, or with a result that is no error. */
  ran: boolean;
  /** When its approval was denied. */
  denied: Moment | undefined;
}

/** A request of the gateway. */
export interface GatewayRequest extends Moment {
  readonly id: string;
  /** The stream on which it came. */
  readonly stream: string;
  readonly thread: string;
  readonly content: string;
  /** When the gateway cancelled it. */
  cancel: Moment | undefined;
  /** Its end, and the text of that end. */
  ended: (Moment & { readonly how: 'done' | 'error' | 'cancelled'; readonly text: string }) | undefined;
  /** Its texts, joined. */
  text: string;
  /** When its last text came. */
  lastText: Moment | undefined;
  readonly usages: Counts[];
  readonly tools: Map<string, ShownTool>;
  /** Its exchanges with the model, in order. */
  readonly exchanges: ModelExchange[];
}

/** An exchange with the model that belongs to the agent's conversation. */
export interface ModelExchange extends Moment {
  readonly stream: string;
  /** Absent: no request of the gateway stands in it. */
  readonly owner: GatewayRequest | undefined;
  readonly messages: readonly LlmMessage[];
  /** Whether the provider refused it before any stream. */
  readonly refused: boolean;
  /** Whether that was because it is longer than the context window. */
  readonly overflowed: boolean;
  readonly size: RequestSize;
  /** The provider's account of its answer. */
  answered: (Moment & AnswerAccount) | undefined;
  /** When the agent closed or cancelled it before it was answered. */
  letGo: Moment | undefined;
}

/** An injection. */
export interface GivenInjection extends Moment {
  readonly id: string;
  readonly content: string;
  readonly priority: string;
  /** The requests that ran when it came. */
  readonly running: readonly GatewayRequest[];
  ack: (Moment & { readonly accepted: boolean }) | undefined;
  /** The threads in whose model requests it stood. */
  readonly threads: Set<string>;
}

/** The time limits of the rules (ms). */
export interface Timeouts {
  /** How long the agent may take to let go of an exchange. */
  readonly letgo: number;
  /** How long a model request may be under way while a message of the gateway stream overtakes it. */
  readonly crossing: number;
}

/** Everything before the event at hand. */
export interface BothView extends RunView<Timeouts & { readonly [name: string]: number }> {
  readonly requests: Map<string, GatewayRequest>;
  /** By stream: the newest exchange. */
  readonly exchanges: Map<string, ModelExchange>;
  readonly injections: Map<string, GivenInjection>;
  /** Bodies of requests, by stream, until the provider notes them. */
  readonly bodies: Map<string, Json>;
  /** The tokens of the window that a request may fill, as the statement gives them; 0: unknown. */
  room: number;
  /** Whether a model request offered tools. Then those without tools are no part of the conversation. */
  offersTools: boolean;
  forgotten: boolean;
}

/** The time limits of a run whose mark has none (ms). */
export const defaultTimeouts: BothView['timeouts'] = { letgo: 1000, crossing: 500 };

/** The most requests, exchanges, injections and bodies that are kept, each. */
const kept = 1024;

export const startView = (): BothView => ({
  drive: '',
  timeouts: defaultTimeouts,
  late: 0,
  requests: new Map(),
  exchanges: new Map(),
  injections: new Map(),
  bodies: new Map(),
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

/** The response in a message of the agent. */
export const responseOf = (event: TraceEvent): MessageResponse => agentMessage(event).response ?? {};

/** The request that a response belongs to. */
export const requestOfResponse = (view: BothView, event: TraceEvent): GatewayRequest | undefined =>
  view.requests.get(responseOf(event).request_id ?? '');

/** The exchange that the provider's note `answered` is about. */
export function answeredExchange(view: BothView, event: TraceEvent): ModelExchange | undefined {
  const detail = providerNote(event);
  return detail === undefined ? undefined : view.exchanges.get(streamOf(keyOf(detail)));
}

/** The exchange that the agent lets go of at this event, unless it was answered. */
export function letGoExchange(view: BothView, event: TraceEvent): ModelExchange | undefined {
  const { kind, from, wire, stream, data } = event;
  if (wire !== 'llm' || from !== 'target') return undefined;
  const { body } = data;
  const cancels =
    kind === 'message' && isObject(body) && isObject(body['message']) && body['message']['type'] === 'cancel';
  if (kind !== 'end' && kind !== 'reset' && !cancels) return undefined;
  const exchange = view.exchanges.get(stream);
  return exchange === undefined || isOver(exchange) ? undefined : exchange;
}

/** Whether nothing more can come of an exchange. */
export const isOver = ({ refused, answered, letGo }: ModelExchange): boolean =>
  refused || answered !== undefined || letGo !== undefined;

/** The exchange that begins at the provider's note `request`; undefined when it is no part of the conversation. */
export function begunExchange(view: BothView, event: TraceEvent): ModelExchange | undefined {
  const detail = providerNote(event);
  const dialect = detail?.['dialect'];
  if (detail === undefined || typeof dialect !== 'string') return undefined;
  const stream = streamOf(keyOf(detail));
  const body = view.bodies.get(stream);
  if (body === undefined || (view.offersTools && !offersTools(body))) return undefined;
  const read = requestOf(dialect, body);
  if (!read.ok) return undefined;
  const { messages, maxTokens } = read.value;
  return {
    ...momentOf(event),
    stream,
    owner: ownerOf(view, messages),
    messages,
    refused: detail['error'] !== undefined,
    overflowed: isOverflow(detail['error']),
    size: sizeOf(messages, body, maxTokens),
    answered: undefined,
    letGo: undefined,
  };
}

/** The contents of a model request that the model did not write. */
export const contentsOf = (messages: readonly LlmMessage[]): readonly string[] =>
  messages.flatMap(({ role, content, toolResults = [] }) => [
    ...(role === 'assistant' ? [] : [content]),
    ...toolResults.map((result) => result.content),
  ]);

/** The request whose content stands last in a model request. Contents of one run are unique. */
function ownerOf({ requests }: BothView, messages: readonly LlmMessage[]): GatewayRequest | undefined {
  const contents = contentsOf(messages);
  let owner: GatewayRequest | undefined;
  let place = -1;
  for (const request of requests.values()) {
    const at = contents.findLastIndex((content) => content.includes(request.content));
    if (at < place || at < 0) continue;
    owner = request;
    place = at;
  }
  return owner;
}

/** Takes an event into the view. */
export function stepView(view: BothView, event: TraceEvent): void {
  if (event.kind === 'mark') return takeNote(view, event);
  if (isFold(event)) return takeFold(view, event);
  const exchange = letGoExchange(view, event);
  if (exchange !== undefined) exchange.letGo = momentOf(event);
  if (event.kind === 'message' && event.from === 'target') takeBody(view, event);
}

function takeFold(view: BothView, event: TraceEvent): void {
  // The requests of a stream that is lost have no end.
  if (event.kind === 'end' || event.kind === 'reset')
    for (const { id, stream, ended } of view.requests.values())
      if (stream === event.stream && ended === undefined) view.requests.delete(id);
  if (event.from === 'target') takeAgent(view, event);
  else takeGateway(view, event);
}

function takeNote(view: BothView, event: TraceEvent): void {
  takeMark(view, event, defaultTimeouts);
  view.room = roomOf(event) ?? view.room;
  const { told } = event.data;
  if (told === 'request') return takeExchange(view, event);
  const exchange = told === 'answered' ? answeredExchange(view, event) : undefined;
  const detail = providerNote(event);
  if (exchange !== undefined && detail !== undefined)
    exchange.answered ??= { ...answerAccountOf(detail), ...momentOf(event) };
}

function takeExchange(view: BothView, event: TraceEvent): void {
  const exchange = begunExchange(view, event);
  if (exchange === undefined) return;
  view.offersTools ||= offersTools(view.bodies.get(exchange.stream));
  view.exchanges.set(exchange.stream, exchange);
  view.forgotten ||= forgetOldest(view.exchanges, kept);
  exchange.owner?.exchanges.push(exchange);
  const { thread } = exchange.owner ?? {};
  if (thread === undefined) return;
  for (const injection of view.injections.values())
    if (standsIn(injection, exchange.messages) > 0) injection.threads.add(thread);
}

/** How often the content of an injection stands in a model request. */
export const standsIn = ({ content }: GivenInjection, messages: readonly LlmMessage[]): number =>
  content === '' ? 0 : contentsOf(messages).reduce((n, text) => n + text.split(content).length - 1, 0);

function takeBody(view: BothView, { stream, data }: TraceEvent): void {
  const { body = null } = data;
  if (isObject(body) && 'authVersion' in body) return;
  view.bodies.set(stream, body);
  forgetOldest(view.bodies, kept);
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
  if (decision === undefined || decision.approved === true) return;
  for (const { tools } of view.requests.values()) {
    const tool = tools.get(decision.id ?? '');
    if (tool !== undefined) tool.denied ??= momentOf(event);
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
    lastText: undefined,
    usages: [],
    tools: new Map(),
    exchanges: [],
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
