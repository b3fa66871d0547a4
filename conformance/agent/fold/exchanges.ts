/** The model's wire: exchanges, their bodies and their ends, and which request of the gateway they belong to. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { forgetOldest, momentOf } from '../../../src/kit/judge/index.ts';
import type { LlmMessage, LlmRequest } from '../../../src/llm/index.ts';
import { answerAccountOf } from '../../llm/client/exchange.ts';
import { offersTools, requestOf } from '../../llm/client/requests.ts';
import { keyOf, providerNote } from '../../llm/client/view.ts';
import type { BothView, GatewayRequest, GivenInjection, ModelExchange } from './records.ts';
import { isOverflow } from './size.ts';

/** The most requests, exchanges, injections and bodies that are kept, each. */
export const kept = 1024;

/** The exchange that the provider's note `answered` is about. */
export function answeredExchange(view: BothView, event: TraceEvent): ModelExchange | undefined {
  const detail = providerNote(event);
  return detail === undefined ? undefined : view.exchanges.get(keyOf(detail));
}

/** The exchanges that the agent lets go of at this event: those of a stream that it ends, or the channel that it cancels. */
export function letGoExchanges(view: BothView, event: TraceEvent): readonly ModelExchange[] {
  const { kind, from, wire, stream, data } = event;
  if (wire !== 'llm' || from !== 'target') return [];
  if (kind === 'end' || kind === 'reset')
    return [...view.exchanges.values()].filter(
      (one) => !isOver(one) && (one.key === stream || one.key.startsWith(`${stream} `)),
    );
  const { body } = data;
  if (kind !== 'message' || !isObject(body) || !isObject(body['message'])) return [];
  const exchange = view.exchanges.get(channelKey(stream, body));
  return body['message']['type'] === 'cancel' && exchange !== undefined && !isOver(exchange)
    ? [exchange]
    : [];
}

/** The key of the exchange that a body on a stream belongs to. In LM Studio, a socket has several channels. */
const channelKey = (stream: string, body: JsonObject | Record<string, unknown>): string =>
  typeof body['channelId'] === 'number' ? `${stream} channel ${body['channelId']}` : stream;

/** Whether nothing more can come of an exchange. */
export const isOver = ({ refused, answered, letGo }: ModelExchange): boolean =>
  refused || answered !== undefined || letGo !== undefined;

/** Whether the model did not answer to the end. */
export const hasFailed = ({ refused, answered }: ModelExchange): boolean =>
  refused || (answered !== undefined && (answered.failed || answered.signal === 'missing'));

/** Whether the agent itself did not wait for the end of the answer. */
export const isAbandoned = ({ answered, letGo }: ModelExchange): boolean =>
  answered === undefined ? letGo !== undefined : answered.outcome === 'aborted';

/** No agent has less patience with a model that is silent (ms). */
const leastPatience = 1000;

/** Whether an agent may have lost its patience with an exchange until a moment, because a busy machine held the model up. */
export const mayBeImpatient = (
  exchange: ModelExchange,
  until: { readonly at: number; readonly late: number },
): boolean => until.late > exchange.late && until.at - exchange.at > leastPatience;

/** The exchange that begins at the provider's note `request`; undefined when it is no part of the conversation. */
export function begunExchange(view: BothView, event: TraceEvent): ModelExchange | undefined {
  const exchange = askedExchange(view, event);
  if (exchange === undefined || (view.offersTools && !exchange.offersTools)) return undefined;
  return !exchange.offersTools && isAside(view, exchange) ? undefined : exchange;
}

/** The exchange that begins at the provider's note `request`, also one of the agent's own affairs, such as a title. */
export function askedExchange(view: BothView, event: TraceEvent): ModelExchange | undefined {
  const detail = event.data['told'] === 'request' ? providerNote(event) : undefined;
  const dialect = detail?.['dialect'];
  if (detail === undefined || typeof dialect !== 'string') return undefined;
  const body = view.bodies.get(keyOf(detail));
  if (body === undefined) return undefined;
  const { tools } = detail;
  const offers = offersTools(body) || (Array.isArray(tools) && tools.length > 0);
  const read = requestOf(dialect, body);
  return read.ok ? exchangeOf(view, event, { detail, body, offers, request: read.value }) : undefined;
}

/** What a body asks of the model. In LM Studio, each attempt has another channel. */
const asked = (body: Json): Json => (isObject(body) ? (body['creationParameter'] ?? body) : body);

/** A model request that was read. */
interface ReadRequest {
  readonly detail: JsonObject;
  readonly body: Json;
  readonly offers: boolean;
  readonly request: LlmRequest;
}

function exchangeOf(
  view: BothView,
  event: TraceEvent,
  { detail, body, offers, request }: ReadRequest,
): ModelExchange {
  const { messages, system = '', maxTokens } = request;
  const { status } = detail;
  return {
    ...momentOf(event),
    key: keyOf(detail),
    owner: ownerOf(view, messages) ?? ownerOfResults(view, messages),
    system,
    messages,
    offersTools: offers,
    body: asked(body),
    streamed: detail['stream'] !== false,
    refused: detail['error'] !== undefined,
    status: typeof status === 'number' ? status : undefined,
    overflowed: isOverflow(detail['error']),
    maxTokens,
    late: view.late,
    answered: undefined,
    letGo: undefined,
  };
}

/**
 * Whether a model request of an agent without tools begins otherwise than the one before it of its request, and has no
 * injection: then it is the agent's own affair, such as a title.
 */
function isAside({ injections }: BothView, exchange: ModelExchange): boolean {
  const before = exchange.owner?.exchanges.at(-1);
  if (before === undefined) return false;
  const isAlike =
    before.system === exchange.system && before.messages[0]?.content === exchange.messages[0]?.content;
  return !isAlike && ![...injections.values()].some((one) => standsIn(one, exchange) > 0);
}

/** The contents of messages that the model did not write. */
const contentsOfMessages = (messages: readonly LlmMessage[]): readonly string[] =>
  messages.flatMap(({ role, content, toolResults = [] }) => [
    ...(role === 'assistant' ? [] : [content]),
    ...toolResults.map((result) => result.content),
  ]);

/** The contents of a model request that the model did not write, the system text among them. */
export const contentsOf = ({
  system,
  messages,
}: Pick<ModelExchange, 'system' | 'messages'>): readonly string[] => [
  system,
  ...contentsOfMessages(messages),
];

/** How often the content of an injection is in a model request. */
export const standsIn = ({ content }: GivenInjection, exchange: ModelExchange): number =>
  content === '' ? 0 : contentsOf(exchange).reduce((n, text) => n + text.split(content).length - 1, 0);

/** The request whose content is last in the messages of a model request. Contents of one run are unique. */
function ownerOf({ requests }: BothView, messages: readonly LlmMessage[]): GatewayRequest | undefined {
  const contents = contentsOfMessages(messages);
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

/** The request whose calls have their results in a model request. The provider may keep the messages before them. */
function ownerOfResults({ requests }: BothView, messages: readonly LlmMessage[]): GatewayRequest | undefined {
  const ids = new Set(messages.flatMap(({ toolResults = [] }) => toolResults.map(({ id }) => id)));
  if (ids.size === 0) return undefined;
  return [...requests.values()].findLast(({ exchanges }) =>
    exchanges.some(({ answered }) => answered?.calls.some(({ id }) => ids.has(id)) === true),
  );
}

/** Takes an event of the model's wire into the view. */
export function takeModelEvent(view: BothView, event: TraceEvent): void {
  for (const exchange of letGoExchanges(view, event)) exchange.letGo = momentOf(event);
  if (event.kind === 'message' && event.from === 'target') takeBody(view, event);
}

function takeBody(view: BothView, { stream, data }: TraceEvent): void {
  const { body = null } = data;
  // In LM Studio, the creation of a channel is the request; the other messages of a socket are not requests.
  const isOther = isObject(body) && ('authVersion' in body || body['type'] === 'channelSend');
  if (isOther) return;
  view.bodies.set(isObject(body) ? channelKey(stream, body) : stream, body);
  forgetOldest(view.bodies, kept);
}

/** Takes a note of the provider into the view. */
export function takeProviderNote(view: BothView, event: TraceEvent): void {
  const detail = providerNote(event);
  if (detail === undefined) return;
  if (event.data['told'] === 'request') return takeBegun(view, event);
  const exchange = event.data['told'] === 'answered' ? view.exchanges.get(keyOf(detail)) : undefined;
  if (exchange === undefined) return;
  exchange.answered ??= { ...answerAccountOf(detail, view.bodies.get(exchange.key)), ...momentOf(event) };
}

function takeBegun(view: BothView, event: TraceEvent): void {
  const exchange = begunExchange(view, event);
  if (exchange?.owner === undefined)
    for (const request of view.requests.values()) request.hasStrays ||= request.ended === undefined;
  if (exchange === undefined) return;
  view.offersTools ||= exchange.offersTools;
  view.exchanges.set(exchange.key, exchange);
  view.forgotten ||= forgetOldest(view.exchanges, kept);
  exchange.owner?.exchanges.push(exchange);
  const { thread } = exchange.owner ?? {};
  if (thread === undefined) return;
  for (const injection of view.injections.values())
    if (standsIn(injection, exchange) > 0) injection.threads.add(thread);
}
