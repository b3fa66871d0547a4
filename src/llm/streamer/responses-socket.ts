/**
 * Responses over WebSocket: each `response.create` is an exchange, as a request on HTTP is, and its events are messages.
 * The machine keeps the lanes and what a request continues.
 */
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { isObject } from '../../kit/base/index.ts';
import { openaiResponses } from '../dialects/openai-responses/index.ts';
import { renderer } from '../dialects/openai-responses/render.ts';
import type { KnownResponse } from '../dialects/openai-responses/socket-memory.ts';
import { errorMessage, eventInLane, refusalMessage } from '../dialects/openai-responses/socket-errors.ts';
import { ResponsesSocket } from '../dialects/openai-responses/socket-server.ts';
import type { SocketOutput, SocketRequest } from '../dialects/openai-responses/socket-server.ts';
import { countPrompt } from '../dialects/shared/tokenizer.ts';
import { ResponseWrite } from '../dialects/shared/units.ts';
import type { ProviderError, RenderContext, Unit } from '../messages.ts';
import type { StreamExchange } from './exchange.ts';
import { contextOf, exchangeFor, start } from './flow.ts';
import type { Face } from './faces/face.ts';
import { reportRequest, summaryOf, turnOf } from './reports.ts';
import { notesOf } from './script-notes.ts';
import type { ResponsesSocketSession, StreamerState, StreamerStep } from './state.ts';

/** Responses as messages: one event each, without the framing of SSE. Open Responses has no WebSocket. */
const face: Face = {
  ...openaiResponses,
  framing: 'message',
  renderer(context) {
    const { profile: _, ...variants } = context.variants;
    return renderer({ ...context, variants });
  },
};

/** A socket that was opened at this path and query. */
export const startResponsesSocket = (
  target: string,
  { responses }: StreamerState,
): ResponsesSocketSession => ({
  dialect: 'openai-responses',
  target,
  machine: new ResponsesSocket(responses),
});

/** Takes a message of a socket's client. */
export function responsesMessage(
  step: StreamerStep,
  peer: string,
  socket: ResponsesSocketSession,
  message: Json,
): void {
  act(step, peer, socket, socket.machine.take(message, step.state.given));
}

/** A message that is no JSON. */
export function unreadableRequest(step: StreamerStep, peer: string, message: string): void {
  say(step, peer, refusalMessage({ message, code: null, param: null }, undefined));
}

/** Begins the requests whose lanes have become free in this step. */
export function continueSockets(step: StreamerStep): void {
  const { links, freed, given } = step.state;
  for (const peer of freed) {
    freed.delete(peer);
    const socket = links.get(peer)?.socket;
    if (socket?.dialect === 'openai-responses') act(step, peer, socket, socket.machine.next(given));
  }
}

function act(
  step: StreamerStep,
  peer: string,
  socket: ResponsesSocketSession,
  outputs: readonly SocketOutput[],
): void {
  for (const output of outputs)
    if (output.do === 'respond') respond(step, peer, socket, output);
    else if (output.do === 'refuse') say(step, peer, refusalMessage(output.refusal, output.lane));
    else if (output.do === 'error') {
      const { create, number, error, place } = output;
      const more = place === undefined ? {} : { place };
      fail(step, peer, error, create.lane, {
        ...from(peer, socket, number),
        dialect: 'openai-responses',
        ...more,
      });
    } else step.out.push({ type: output.do, peer });
}

function say({ out }: StreamerStep, peer: string, data: JsonObject): void {
  out.push({ type: 'send', peer, message: new ResponseWrite(Buffer.from(JSON.stringify(data)), { data }) });
}

const keyOf = (peer: string, number: number): string => `${peer} response ${number}`;

/** The members of a report that say where a request came. */
const from = (peer: string, { target }: ResponsesSocketSession, number: number): JsonObject => ({
  exchange: keyOf(peer, number),
  carrier: 'ws',
  path: target,
  message: number,
});

const report = ({ out }: StreamerStep, detail: JsonObject): void => reportRequest(detail, out);

/** Answers a request with an error, and reports both. */
function fail(
  step: StreamerStep,
  peer: string,
  error: ProviderError,
  lane: string | undefined,
  detail: JsonObject,
): void {
  const message = errorMessage(error, lane);
  report(step, { ...detail, error: error.message, status: message['status'] ?? null });
  say(step, peer, message);
}

function respond(
  step: StreamerStep,
  peer: string,
  socket: ResponsesSocketSession,
  asked: SocketRequest,
): void {
  if (!asked.create.generates) return warmUp(step, peer, socket, asked);
  const { create, number, request } = asked;
  const { state } = step;
  const response = new SocketResponse(asked);
  const end = (known: KnownResponse | undefined): void => {
    socket.machine.ended(asked, known);
    state.freed.add(peer);
  };
  const answer = exchangeFor(step, request, state.count++, {
    key: keyOf(peer, number),
    peer,
    dialect: face,
    wrap: (unit) => response.wrap(unit),
    finish({ options }: StreamExchange) {
      if (options.context.end.transport === 'clean') end(response.known);
    },
  });
  const summary = { ...from(peer, socket, number), ...summaryOf(request) };
  if ('error' in answer) {
    fail(step, peer, answer.error, create.lane, { ...summary, ...turnOf(answer.index) });
    return end(undefined);
  }
  const notes = notesOf(request, answer.exchange.options.generation.blocks, create.body);
  report(step, { ...summary, turn: answer.index, ...notes });
  start(step, answer.exchange);
}

/** A response without output: it prepares the next request (OpenAI, WebSocket mode, `generate: false`). */
function warmUp(
  step: StreamerStep,
  peer: string,
  socket: ResponsesSocketSession,
  asked: SocketRequest,
): void {
  const { request, number } = asked;
  const { state, player } = step;
  report(step, { ...from(peer, socket, number), ...summaryOf(request), generate: false });
  const response = new SocketResponse(asked);
  const usage = { inputTokens: countPrompt(request, player.tokenizer), outputTokens: 0 };
  const context: RenderContext = {
    ...contextOf(step, request, state.count++),
    end: { stop: 'end_turn', signal: 'honest', transport: 'clean', usage, cutCall: false },
    variants: {},
  };
  const made = renderer(context);
  for (const unit of [...made.begin(), ...made.end()]) say(step, peer, response.event(unit));
  socket.machine.ended(asked, response.known);
  state.freed.add(peer);
}

/** The events of one response on a socket. */
class SocketResponse {
  /** Its id and its output, once it is over and has not failed. */
  known: KnownResponse | undefined;
  readonly #asked: SocketRequest;

  constructor(asked: SocketRequest) {
    this.#asked = asked;
  }

  /** A unit in its lane. On a socket an event has no name besides its type. */
  wrap(unit: Unit): Unit {
    if (this.#asked.create.lane === undefined && unit.json !== undefined) return new NamelessUnit(unit);
    return { data: this.event(unit) };
  }

  event({ data }: Unit): JsonObject {
    const { create } = this.#asked;
    const event = isObject(data) ? data : {};
    const { type, response } = event;
    if (!isObject(response)) return eventInLane(event, create.lane);
    const { id, output } = response;
    if ((type === 'response.completed' || type === 'response.incomplete') && typeof id === 'string')
      this.known = { id, items: Array.isArray(output) ? output : [] };
    const whole = { ...response, previous_response_id: create.previous ?? null, store: create.stored };
    return eventInLane({ ...event, response: whole }, create.lane);
  }
}

/** A unit whose JSON goes out as it is. Its data is made only where somebody reads it. */
class NamelessUnit implements Unit {
  readonly json: string;
  readonly #unit: Unit;

  constructor(unit: Unit) {
    this.#unit = unit;
    this.json = unit.json ?? '';
  }

  get data(): Json {
    return this.#unit.data;
  }
}
