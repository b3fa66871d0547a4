/**
 * Reads a WebSocket of Responses from a trace: its lanes, whose answers come one after another. LLM-S40 (lanes), S41
 * (continuations), S42 (requests that generate nothing) and S45 (the upgrade) are judged here; the reader of the dialect judges
 * each answer.
 */
import { isObject } from '../../../src/kit/base/index.ts';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { momentOf } from '../../../src/kit/judge/index.ts';
import { Answer } from './answer.ts';
import { promptKey, requestOf } from './asked.ts';
import { openaiRefusal } from './dialects/openai-error.ts';
import { openaiResponsesReader } from './dialects/openai-responses.ts';
import { at, items } from './dialects/reader.ts';
import type { Reader } from './dialects/reader.ts';
import { SocketReading } from './socket-reading.ts';
import { surrogateFault } from './surrogates.ts';
import { shown, textOf } from './words.ts';

/** One request, and the reader of its answer. */
interface Asked {
  readonly answer: Answer;
  readonly reader: Reader;
  readonly generates: boolean;
  /** The response that it continues. */
  readonly previous: string | undefined;
}

/** The requests of a lane: the one whose answer comes or has come, and those that wait. */
interface Lane {
  current: Asked | undefined;
  readonly waiting: Asked[];
}

/** The last events of a response, without errors. */
const terminal = /^response\.(completed|incomplete)$/;

/** Reads one WebSocket. */
export class ResponsesSocketReader extends SocketReading {
  readonly #lanes = new Map<unknown, Lane>();
  /** The ids of the responses that came to their end on this connection. */
  readonly #ended = new Set<string>();
  /** The requests that were refused by an error. */
  readonly #refusals = new Set<Asked>();
  /** Whether an event was in no lane while several were open: what follows cannot be judged. */
  #muddled = false;
  /** A server without a WebSocket is named as such. One that wants a key, or is busy, may have one. */
  protected override head(status: unknown): void {
    if (status === undefined || status === '101') return;
    const came = `expected a WebSocket at /v1/responses (101); came ${shown(status)}`;
    const why = mayHaveSocket(Number(status));
    if (why === undefined) this.facts.violated('LLM-S45', `${came}: ${noSocket}`);
    else this.facts.unknowable('LLM-S45', `${came}: ${why}`);
    this.#muddled = true;
    this.waiting = undefined;
    this.over = true;
  }

  protected override client(event: TraceEvent): void {
    const { kind, data } = event;
    if (kind === 'end' || kind === 'reset') return this.#letGo();
    const { body } = data;
    if (kind !== 'message' || !isObject(body) || body['type'] !== 'response.create') return;
    this.#create(body);
    if (!this.#muddled) this.waiting = momentOf(event);
  }

  #create(message: JsonObject): void {
    const { type: _, stream_id: name, generate, previous_response_id: previous, ...own } = message;
    const id = typeof previous === 'string' ? previous : undefined;
    const body = { ...own, stream: true, ...(id === undefined ? {} : { previous_response_id: id }) };
    const request = requestOf('openai-responses', body);
    const answer = new Answer(request, this.facts, promptKey('openai-responses', body), body);
    const lane = this.#lanes.get(name) ?? { current: undefined, waiting: [] };
    this.#lanes.set(name, lane);
    lane.waiting.push({
      answer,
      reader: openaiResponsesReader(answer),
      generates: generate !== false,
      previous: id,
    });
  }

  protected override server(data: unknown): void {
    const type = textOf(at(data, 'type'));
    if (type === '')
      return this.facts.violated('LLM-S01', `expected type to be a string; came ${shown(data)}`);
    // Providers send events of their own, such as codex.rate_limits; and a client that steers gets answers to that.
    if (!/^(response\.|error$)/.test(type) || type.startsWith('response.steer.')) return;
    const half = surrogateFault(data);
    if (half !== undefined) this.facts.violated('LLM-S01', half);
    this.facts.exercised('LLM-S01');
    this.facts.exercised('LLM-S45');
    const lane = this.#muddled ? undefined : this.#laneOf(data, type);
    if (lane !== undefined) this.#inLane(lane, type, data);
  }

  /** The lane of an event. An event without its name is in the only lane that is not done; with several, nobody can tell. */
  #laneOf(data: unknown, type: string): Lane | undefined {
    const name = at(data, 'stream_id') ?? undefined;
    const lane = this.#lanes.get(name);
    if (name !== undefined && lane !== undefined) this.facts.exercised('LLM-S40');
    // An error of the connection has no lane.
    if (lane !== undefined || (type === 'error' && name === undefined)) return lane;
    const names = [...this.#lanes.keys()].filter((one) => one !== undefined);
    this.facts.violated(
      'LLM-S40',
      `expected ${type} to have the stream_id of its request, of ${shown(names)}; came ${shown(name ?? null)}`,
    );
    const [only, other] = [...this.#lanes.values()].filter(isOpen);
    if (other === undefined) return only;
    this.#muddled = true;
    this.waiting = undefined;
    return undefined;
  }

  #inLane(lane: Lane, type: string, data: unknown): void {
    const before = lane.current;
    const begins = type === 'response.created' || type === 'error' || isBareEnd(type, lane.waiting[0]);
    if (begins && !isRunning(before) && lane.waiting.length > 0) {
      before?.answer.endBody(true);
      lane.current = lane.waiting.shift();
    }
    const { current } = lane;
    if (current === undefined) return;
    // A response.failed behind its error is the same end, as on HTTP.
    if (type === 'response.failed' && this.#refusals.delete(current)) return;
    if (current !== before && type === 'error') this.#refused(current, data);
    else if (current !== before && isBareEnd(type, current)) this.#bareEnd(current, data);
    else this.#event(current, type, data);
    if (!isRunning(current)) this.#settle();
  }

  #event(asked: Asked, type: string, data: unknown): void {
    if (asked.previous !== undefined && this.#ended.has(asked.previous)) this.facts.exercised('LLM-S41');
    asked.reader.unit(data, type);
    if (terminal.test(type)) this.#terminal(asked, data);
  }

  /** Without output, the other events of a response are not needed (ding113/claude-code-hub#1437). */
  #bareEnd(asked: Asked, data: unknown): void {
    asked.answer.ended = 'terminal';
    this.#terminal(asked, data);
  }

  #terminal(asked: Asked, data: unknown): void {
    const { id, output } = responseIn(data);
    if (typeof id === 'string') this.#ended.add(id);
    if (asked.generates) return;
    this.facts.exercised('LLM-S42');
    if (items(output).length > 0)
      this.facts.violated('LLM-S42', `expected an empty output for generate: false; came ${shown(output)}`);
  }

  /** An error before any event of a response. */
  #refused(asked: Asked, data: unknown): void {
    const { answer, previous } = asked;
    this.#refusals.add(asked);
    const status = at(data, 'status');
    const fault =
      status === undefined || Number(status) >= 400
        ? openaiRefusal(data)
        : `expected an error with a status from 400 on; came ${shown(data)}`;
    const continues = previous !== undefined && this.#ended.has(previous);
    if (continues && at(data, 'error', 'code') === 'previous_response_not_found')
      this.facts.violated(
        'LLM-S41',
        `expected the latest response of the connection to be continued; came ${shown(data)}`,
      );
    answer.endWithError(fault, false);
  }

  protected override garbled(note: string): void {
    super.garbled(note);
    for (const { current } of this.#lanes.values()) current?.reader.garbled?.();
  }

  #settle(): void {
    if (![...this.#lanes.values()].some(isOpen)) this.waiting = undefined;
  }

  #letGo(): void {
    this.over = true;
    for (const { current } of this.#lanes.values()) if (!isRunning(current)) current?.answer.endBody(true);
  }

  protected override gone(inOrder: boolean): void {
    this.over = true;
    if (this.#muddled) return;
    for (const { current, waiting } of this.#lanes.values())
      for (const one of [...(current === undefined ? [] : [current]), ...waiting])
        one.answer.endBody(inOrder);
  }
}

const noSocket =
  'the server has none there. Check its answers over HTTP with --drive openai-responses, or name the base URL of its WebSocket with --connect';

/** Why a status does not show that a server has no WebSocket, and what to do. */
function mayHaveSocket(status: number): string | undefined {
  if (status === 401 || status === 403) return 'the server wants a key. Name its variable with --token-env';
  return status === 429 || status >= 500 ? 'the server does not take it now' : undefined;
}

const isRunning = (asked: Asked | undefined): boolean =>
  asked !== undefined && asked.answer.ended === undefined;

const isOpen = ({ current, waiting }: Lane): boolean => isRunning(current) || waiting.length > 0;

/** Whether an event is the only one of a response that wants no answer yet. */
const isBareEnd = (type: string, asked: Asked | undefined): boolean =>
  asked?.generates === false && type === 'response.completed';

const responseIn = (data: unknown): { readonly id?: unknown; readonly output?: unknown } => {
  const response = at(data, 'response');
  return isObject(response) ? response : {};
};
