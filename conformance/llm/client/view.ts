/** What all rules of clients look at: the turn that is asked for, its requests, and what the provider told of them. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { forgetOldest, momentOf, takeMark } from '../../../src/kit/judge/index.ts';
import type { Judging, Moment, RunView } from '../../../src/kit/judge/index.ts';
import type { Hello } from '../../../src/kit/suite/index.ts';
import { helloIn } from '../../../src/kit/testee/index.ts';
import { answeredOf } from './exchange.ts';
import type { Exchange } from './exchange.ts';

/** A turn that the testee was asked for. */
export interface Ask extends Moment {
  readonly id: Json;
  readonly dialect: string;
  /** The line itself. */
  readonly line: JsonObject;
  /** What the scenario says of it. */
  readonly about: JsonObject;
  /** Its requests, in order; the first of them, when there are too many. */
  readonly exchanges: Exchange[];
  /** How many there were. */
  requests: number;
  /** When its answer came. */
  answered: number | undefined;
  /** Whether nobody asked for it: the target is a whole program, that asks by itself. */
  readonly program: boolean;
}

/** Everything before the event at hand. */
export interface ClientView extends RunView<{ readonly [name: string]: number }> {
  /** The dialects that the testee says it speaks; undefined: it did not say. */
  dialects: readonly string[] | undefined;
  /** What the testee says of itself; undefined: it did not say. */
  hello: Hello | undefined;
  /** Those it was asked for, and did not know. */
  readonly unsupported: Set<string>;
  /** Those in which it made a request. */
  readonly spoken: Set<string>;
  /** The turn that was asked for last. */
  ask: Ask | undefined;
  /** What the scenario said of the turn to come. */
  about: JsonObject;
  /** Bodies of requests, by stream, until the provider tells that it took them. */
  readonly bodies: Map<string, Json>;
}

/** Requests of one turn that are looked at. */
export const exchangesKept = 64;
/** Streams whose bodies are remembered. */
const bodiesKept = 64;
/** Thoughts of one response that are remembered. */
const thoughtsKept = 16;
/** Characters of a thought after which no more of it is remembered. */
const thoughtKept = 1 << 20;

const startView = (): ClientView => ({
  drive: '',
  timeouts: {},
  late: 0,
  dialects: undefined,
  hello: undefined,
  unsupported: new Set(),
  spoken: new Set(),
  ask: undefined,
  about: {},
  bodies: new Map(),
});

/** Whether an event is between the tester and the testee, and not between the testee and the provider. */
export const onPipes = ({ wire }: TraceEvent): boolean => wire === 'testee';

/** Whether the testee speaks the dialect of a turn, as far as it said. */
export const speaks = ({ dialects, unsupported }: ClientView, dialect: string): boolean =>
  dialects?.includes(dialect) !== false && !unsupported.has(dialect);

/** The turn that this event answers; undefined when it is no answer to one, or one that the testee does not know. */
export function asked(view: ClientView, event: TraceEvent): Ask | undefined {
  const { ask } = view;
  if (ask === undefined || ask.answered !== undefined || event.data['id'] !== ask.id) return undefined;
  return event.data['unsupported'] === true || !speaks(view, ask.dialect) ? undefined : ask;
}

/** What a mark tells of the provider's doings; undefined when it is none of these. */
export function toldOf(event: TraceEvent): JsonObject | undefined {
  const { told, detail } = event.data;
  return event.kind === 'mark' && typeof told === 'string' && isObject(detail) ? detail : undefined;
}

/** The name of an exchange: it begins with the stream's. */
export const keyOf = (detail: JsonObject): string =>
  typeof detail['exchange'] === 'string' ? detail['exchange'] : '';

/** The stream of an exchange. */
export const streamOf = (key: string): string => key.replace(/ .*/, '');

function stepView(view: ClientView, event: TraceEvent): void {
  if (event.kind === 'mark') return marked(view, event);
  if (onPipes(event)) return event.kind === 'message' ? line(view, event) : undefined;
  if (event.from === 'target') return fromClient(view, event);
  fromProvider(view, event);
}

function marked(view: ClientView, event: TraceEvent): void {
  const { case: about, told } = event.data;
  takeMark(view, event, {});
  if (isObject(about)) view.about = about;
  const detail = toldOf(event);
  if (detail === undefined) return;
  if (told === 'request') requested(view, event, detail);
  else {
    const exchange = view.ask?.exchanges.find(({ key }) => key === keyOf(detail));
    if (exchange !== undefined) exchange.answered ??= answeredOf(detail);
  }
}

function requested(view: ClientView, event: TraceEvent, detail: JsonObject): void {
  const { bodies, spoken } = view;
  view.ask ??= askOf(event, { dialect: detail['dialect'] ?? '' }, { line: {}, about: {}, program: true });
  const { ask } = view;
  if (typeof detail['dialect'] === 'string') spoken.add(detail['dialect']);
  ask.requests++;
  if (ask.exchanges.length >= exchangesKept) return;
  const key = keyOf(detail);
  const stream = streamOf(key);
  const { status, error } = detail;
  ask.exchanges.push({
    key,
    stream,
    ...momentOf(event),
    body: bodies.get(stream),
    refused: error !== undefined,
    status: typeof status === 'number' ? status : undefined,
    retryAfter: undefined,
    answered: undefined,
    messages: 0,
    lastAt: event.at,
    letGo: undefined,
    thoughts: [],
  });
}

function line(view: ClientView, event: TraceEvent): void {
  const { data } = event;
  if (event.from !== 'target') {
    if (data['op'] === 'llm.turn')
      view.ask = askOf(event, data, { line: data, about: view.about, program: false });
    return;
  }
  const { ok, id = null } = data;
  if (isObject(ok)) view.hello ??= helloIn(ok);
  const dialects = view.hello?.answer['dialects'];
  if (Array.isArray(dialects)) view.dialects ??= dialects.filter((name) => typeof name === 'string');
  const { ask } = view;
  if (ask === undefined || ask.id !== id) return;
  ask.answered ??= event.seq;
  if (data['unsupported'] === true) view.unsupported.add(ask.dialect);
}

/** A turn; all that a program does counts as one. */
function askOf(
  event: TraceEvent,
  { id = null, dialect }: JsonObject,
  more: Pick<Ask, 'line' | 'about' | 'program'>,
): Ask {
  const name = typeof dialect === 'string' ? dialect : '';
  return { ...momentOf(event), id, dialect: name, exchanges: [], requests: 0, answered: undefined, ...more };
}

function fromClient(view: ClientView, event: TraceEvent): void {
  const { kind, stream, data } = event;
  if (kind === 'end' || kind === 'reset') return letGo(view, event);
  if (kind !== 'message') return;
  const { body = null } = data;
  // LM Studio's socket carries more than requests: a prediction is asked for by opening a channel.
  if (isObject(body) && body['type'] === 'channelSend' && isCancel(body['message']))
    return letGo(view, event);
  if (isObject(body) && 'authVersion' in body) return;
  view.bodies.set(stream, body);
  forgetOldest(view.bodies, bodiesKept);
}

const isCancel = (message: unknown): boolean => isObject(message) && message['type'] === 'cancel';

function letGo({ ask }: ClientView, { stream, seq, at }: TraceEvent): void {
  for (const exchange of ask?.exchanges ?? []) if (exchange.stream === stream) exchange.letGo ??= { seq, at };
}

function fromProvider(view: ClientView, event: TraceEvent): void {
  const { kind, stream, data, at } = event;
  const exchange = view.ask?.exchanges.findLast((one) => one.stream === stream);
  if (kind === 'headers') {
    const ms = patienceOf(data);
    if (exchange !== undefined) exchange.retryAfter ??= ms;
  }
  if (kind !== 'message' || exchange === undefined) return;
  exchange.messages++;
  if (exchange.letGo === undefined) exchange.lastAt = at;
  if (isObject(data['data'])) think(exchange, data['data']);
}

/** What a refusal asks for before another attempt: `retry-after-ms` is the finer word for `retry-after`. */
function patienceOf(headers: JsonObject): number | undefined {
  const number = (text: unknown): number | undefined =>
    typeof text === 'string' && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  const seconds = number(headers['retry-after']);
  return number(headers['retry-after-ms']) ?? (seconds === undefined ? undefined : seconds * 1000);
}

/** Anthropic's thoughts, as they come: a block, its deltas, its signature. */
function think({ thoughts }: Exchange, unit: Record<string, unknown>): void {
  const { type, content_block: block, delta } = unit;
  if (type === 'content_block_start' && isObject(block) && block['type'] === 'thinking') {
    if (thoughts.length < thoughtsKept) thoughts.push({ thinking: '', signature: '' });
  }
  const last = thoughts.at(-1);
  if (last === undefined || !isObject(delta)) return;
  const { thinking, signature } = delta;
  if (typeof thinking === 'string' && last.thinking.length < thoughtKept) last.thinking += thinking;
  if (typeof signature === 'string' && last.signature.length < thoughtKept) last.signature += signature;
}

/** Dialects that the testee has, by its word or by what it did. */
export function spokenBy({ dialects, unsupported, spoken }: ClientView): readonly string[] {
  return [...new Set([...(dialects ?? []), ...spoken])].filter((name) => !unsupported.has(name));
}

/** What the testee said of itself; its dialects are features. */
export const helloOf = ({ hello, dialects = [] }: ClientView): Hello | undefined =>
  hello === undefined ? undefined : { ...hello, features: dialects };

/** What the provider told has topics of its own. */
function markTopic(event: TraceEvent): string {
  const { told } = event.data;
  return toldOf(event) === undefined || typeof told !== 'string' ? 'mark' : `told.${told}`;
}

function topicOf(event: TraceEvent): string {
  if (event.kind === 'mark') return markTopic(event);
  if (event.kind !== 'message') return event.kind;
  if (onPipes(event)) return event.from === 'target' ? 'answer' : 'ask';
  return event.from === 'target' ? 'request' : 'response';
}

/** All that rules look at and listen by, as a judge takes it. */
export const judgedBy: Omit<Judging<ClientView>, 'rules'> = {
  topicOf,
  view: { start: startView, step: stepView },
};
