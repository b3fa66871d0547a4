/** The view of the rules of clients: the current turn, its requests, and the provider's account of each answer. */
import { isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { forgetOldest, momentOf, takeMark } from '../../../src/kit/judge/index.ts';
import type { RunView } from '../../../src/kit/judge/index.ts';
import type { Hello } from '../../../src/kit/suite/index.ts';
import { helloIn } from '../../../src/kit/testee/index.ts';
import { KnownResponses, dialects as allDialects } from '../../../src/llm/index.ts';
import { reportedAnswerOf } from './answer.ts';
import { answerAccountOf, tellsCut } from './exchange.ts';
import { foreignRequest, isJudgedDialect } from './foreign.ts';
import { isReadRight } from './reading.ts';
import { takeCreate } from './sockets.ts';
import type { ClientSockets } from './sockets.ts';
import { takeOwnBlock } from './own-blocks.ts';
import { takeThought } from './thoughts.ts';
import { continuesAnswer, offersTools } from './requests.ts';
import type { TurnRequest } from './turn-request.ts';

export type { TurnRequest };

/** Everything before the event at hand. */
export interface ClientView extends RunView<{ readonly [name: string]: number }>, ClientSockets {
  /** The dialects that the testee names in `hello`. Undefined before. */
  dialects: readonly string[] | undefined;
  /** The testee's answer to `hello`. Undefined before. */
  hello: Hello | undefined;
  /** Dialects that the testee answered as unsupported. */
  readonly unsupported: Set<string>;
  /** Dialects in which the testee made a request. */
  readonly spoken: Set<string>;
  /** The first request in a dialect that is not judged, in words. */
  foreign: string | undefined;
  /** The last turn. */
  ask: TurnRequest | undefined;
  /** The scenario's facts about the next turn. */
  about: JsonObject;
  /** Whether the testee read the last answer right that was the plain one of its case (`pieces: plain`, `form: one`). */
  readPlain: boolean;
  /** Bodies of requests, by stream, until the provider notes them as accepted. */
  readonly bodies: Map<string, Json>;
}

/** The most requests of one turn that are kept. */
export const exchangesKept = 64;
/** The most streams whose bodies are kept. */
const bodiesKept = 64;
/** The most characters of a program's output that are kept for an exchange. */
const outputKept = 1 << 16;

/** The view before the first event. */
export const startView = (): ClientView => ({
  drive: '',
  timeouts: {},
  late: 0,
  dialects: undefined,
  hello: undefined,
  unsupported: new Set(),
  spoken: new Set(),
  foreign: undefined,
  ask: undefined,
  about: {},
  readPlain: false,
  bodies: new Map(),
  sockets: new Map(),
  stored: new KnownResponses(),
});

/** Whether an event is between the kit and the testee, not between the testee and the provider. */
export const onPipes = ({ wire }: TraceEvent): boolean => wire === 'testee';

/** Whether the testee speaks the dialect of a turn, as far as it is known. */
export const speaks = ({ dialects, unsupported }: ClientView, dialect: string): boolean =>
  dialects?.includes(dialect) !== false && !unsupported.has(dialect);

/**
 * The turn that this event answers. Undefined when the event answers no turn, or when the testee does not speak its
 * dialect.
 */
export function answeredTurn(view: ClientView, event: TraceEvent): TurnRequest | undefined {
  const { ask } = view;
  if (ask === undefined || ask.answered !== undefined || event.data['id'] !== ask.id) return undefined;
  return event.data['unsupported'] === true || !speaks(view, ask.dialect) ? undefined : ask;
}

/** The provider's note in a mark. Undefined for other marks. */
export function providerNote(event: TraceEvent): JsonObject | undefined {
  const { told, detail } = event.data;
  return event.kind === 'mark' && typeof told === 'string' && isObject(detail) ? detail : undefined;
}

/** The name of an exchange. It begins with the name of its stream. */
export const keyOf = (detail: JsonObject): string =>
  typeof detail['exchange'] === 'string' ? detail['exchange'] : '';

/** The stream of an exchange. */
export const streamOf = (key: string): string => key.replace(/ .*/, '');

/** The body of a request that the provider notes. On a WebSocket of Responses the note says which message it is. */
export function bodyIn({ bodies, sockets }: ClientView, detail: JsonObject): Json | undefined {
  const stream = streamOf(keyOf(detail));
  const { message } = detail;
  return typeof message === 'number' ? sockets.get(stream)?.bodyOf(message) : bodies.get(stream);
}

/** Takes the next event. */
export function stepView(view: ClientView, event: TraceEvent): void {
  if (event.kind === 'mark') return marked(view, event);
  if (onPipes(event)) return event.kind === 'message' ? line(view, event) : undefined;
  if (event.from === 'target') return fromClient(view, event);
  fromProvider(view, event);
}

function marked(view: ClientView, event: TraceEvent): void {
  const { case: about, told } = event.data;
  takeMark(view, event, {});
  if (isObject(about)) view.about = about;
  takeOutput(view, event);
  const detail = providerNote(event);
  if (detail === undefined) return;
  if (told === 'request') requested(view, event, detail);
  else {
    const exchange = view.ask?.exchanges.find(({ key }) => key === keyOf(detail));
    if (exchange !== undefined) exchange.answered ??= answerAccountOf(detail, exchange.body);
  }
}

function requested(view: ClientView, event: TraceEvent, detail: JsonObject): void {
  const { status, error, stream: streamed, message } = detail;
  if (typeof message === 'number') view.sockets.get(streamOf(keyOf(detail)))?.begin(message);
  const dialect = generatingDialect(detail, view.ask);
  view.foreign ??= foreignRequest(detail);
  if (dialect === undefined) return;
  view.ask ??= askOf(event, { dialect }, { line: {}, about: view.about, program: true, readBefore: false });
  const { ask } = view;
  view.spoken.add(dialect);
  const key = keyOf(detail);
  const stream = streamOf(key);
  const body = bodyIn(view, detail);
  ask.requests++;
  if (ask.exchanges.length >= exchangesKept) return;
  ask.exchanges.push({
    key,
    stream,
    ...momentOf(event),
    dialect,
    streamed: streamed !== false,
    judged: isJudged(ask, detail, body),
    body,
    refused: error !== undefined,
    status: typeof status === 'number' ? status : undefined,
    retryAfter: undefined,
    answered: undefined,
    messages: 0,
    lastAt: event.at,
    letGo: undefined,
    thoughts: [],
    own: [],
    toldCut: false,
    stdout: '',
    outputAfter: '',
    made: undefined,
  });
}

/** Notes on the latest exchange what a program printed, or that its tool made a file. */
function takeOutput({ ask }: ClientView, event: TraceEvent): void {
  const { printed, text, made } = event.data;
  const exchange = ask?.exchanges.findLast(({ judged }) => judged);
  if (exchange === undefined) return;
  // The file of the complete call may be noticed late, after the next request.
  if (made === 'forbidden') exchange.made ??= momentOf(event);
  if (typeof text !== 'string' || printed === undefined) return;
  if (printed === 'stdout' && exchange.stdout.length < outputKept) exchange.stdout += text;
  if (exchange.answered !== undefined)
    exchange.outputAfter = (exchange.outputAfter + text).slice(-outputKept);
}

/**
 * The dialect of a request for a generation. Undefined for lists of models, counts of tokens, requests on a WebSocket that
 * want no answer yet, unknown paths, and dialects that the kit plays and does not judge.
 */
export function generatingDialect(
  { dialect, error, generate }: JsonObject,
  ask: TurnRequest | undefined,
): string | undefined {
  if (generate === false) return undefined;
  if (typeof dialect === 'string') return isJudgedDialect(dialect) ? dialect : undefined;
  return error === undefined ? undefined : ask?.dialect;
}

/** Why no requirement applies: the client asked, and never in a dialect that is judged. */
export const notJudgedOf = ({ foreign, spoken }: ClientView): string | undefined =>
  foreign === undefined || spoken.size > 0
    ? undefined
    : `the client asked ${foreign}; judged are ${allDialects.join(', ')}`;

/**
 * Whether a request belongs to the judged conversation: all requests of a testee; those of a program that offer tools, or
 * that contain an earlier answer to such a request.
 */
export function isJudged(
  { program, exchanges }: TurnRequest,
  { dialect, tools }: JsonObject,
  body: Json | undefined,
): boolean {
  if (!program || offersTools(body) || (Array.isArray(tools) && tools.length > 0)) return true;
  const answers = exchanges.flatMap(({ judged, answered }) =>
    judged && answered !== undefined ? [answered] : [],
  );
  if (answers.length === 0 || body === undefined || typeof dialect !== 'string') return false;
  return continuesAnswer(dialect, body, answers);
}

function line(view: ClientView, event: TraceEvent): void {
  const { data } = event;
  if (event.from !== 'target') {
    if (data['op'] !== 'llm.turn') return;
    const { about, readPlain } = view;
    const readBefore = (about['pieces'] === 'odd' || about['form'] === 'several') && readPlain;
    view.ask = askOf(event, data, { line: data, about, program: false, readBefore });
    return;
  }
  const { ok, id = null } = data;
  if (isObject(ok)) view.hello ??= helloIn(ok);
  const dialects = view.hello?.answer['dialects'];
  if (Array.isArray(dialects)) view.dialects ??= dialects.filter((name) => typeof name === 'string');
  const { ask } = view;
  if (ask === undefined || ask.id !== id) return;
  if (ask.about['pieces'] === 'plain' || ask.about['form'] === 'one')
    view.readPlain = isReadRight(ask, reportedAnswerOf(event));
  ask.answered ??= event.seq;
  if (data['unsupported'] === true) view.unsupported.add(ask.dialect);
}

/** Starts a turn. A whole program has one turn. */
function askOf(
  event: TraceEvent,
  { id = null, dialect }: JsonObject,
  more: Pick<TurnRequest, 'line' | 'about' | 'program' | 'readBefore'>,
): TurnRequest {
  const name = typeof dialect === 'string' ? dialect : '';
  return { ...momentOf(event), id, dialect: name, exchanges: [], requests: 0, answered: undefined, ...more };
}

function fromClient(view: ClientView, event: TraceEvent): void {
  const { kind, stream, data } = event;
  if (kind === 'end' || kind === 'reset') return letGo(view, event);
  if (kind !== 'message') return;
  const { body = null } = data;
  // LM Studio's socket also carries other messages. Opening a channel is a request for a prediction.
  if (isObject(body) && body['type'] === 'channelSend' && isCancel(body['message']))
    return letGo(view, event);
  if (isObject(body) && 'authVersion' in body) return;
  if (isObject(body) && body['type'] === 'response.create') return takeCreate(view, stream, body);
  view.bodies.set(stream, body);
  forgetOldest(view.bodies, bodiesKept);
}

const isCancel = (message: unknown): boolean => isObject(message) && message['type'] === 'cancel';

/** On a WebSocket of Responses, which stays open, only an exchange that is not over is let go. */
function letGo({ ask, sockets }: ClientView, { stream, seq, at }: TraceEvent): void {
  const staysOpen = sockets.has(stream);
  for (const exchange of ask?.exchanges ?? [])
    if (exchange.stream === stream && !(staysOpen && exchange.answered !== undefined))
      exchange.letGo ??= { seq, at };
}

function fromProvider(view: ClientView, event: TraceEvent): void {
  const { kind, stream, data, at } = event;
  const exchange = view.ask?.exchanges.findLast((one) => one.stream === stream);
  if (kind === 'headers') {
    const ms = retryDelayOf(data);
    if (exchange !== undefined) exchange.retryAfter ??= ms;
  }
  if (kind === 'message' && isObject(data['data'])) {
    const hints = view.sockets.get(stream)?.event(data['data']);
    if (exchange !== undefined && hints !== undefined) exchange.retryAfter ??= retryDelayOf(hints);
  }
  if (kind !== 'message' || exchange === undefined) return;
  exchange.messages++;
  if (exchange.letGo === undefined) exchange.lastAt = at;
  if (!isObject(data['data'])) return;
  exchange.toldCut ||= tellsCut(data['data']);
  takeThought(exchange, data['data']);
  takeOwnBlock(exchange.own, data['data']);
}

/**
 * The wait before another attempt that a refusal asks for (ms). `retry-after-ms` is the more precise form of
 * `retry-after`.
 */
function retryDelayOf(headers: JsonObject): number | undefined {
  const number = (text: unknown): number | undefined =>
    typeof text === 'string' && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;
  const seconds = number(headers['retry-after']);
  return number(headers['retry-after-ms']) ?? (seconds === undefined ? undefined : seconds * 1000);
}
