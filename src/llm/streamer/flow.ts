/** How the responses of a streamer move on: timers, room on the carrier, barriers, ends, and clients that leave. */
import type { JsonObject, PeerCommand } from '../../kit/base/index.ts';
import type { ResponseWrite } from '../dialects/shared/units.ts';
import { StreamExchange } from './exchange.ts';
import type { ExchangeOptions } from './exchange.ts';
import { withGiven } from './given.ts';
import { leaveBody, sendPieces } from './body-in-pieces.ts';
import { reportAnswer } from './reports.ts';
import type { StreamerState, StreamerStep } from './state.ts';
import { keepSignatures } from './signatures.ts';
import { keepThoughts } from './thoughts.ts';
import type { LlmRequest, ProviderError, RenderContext } from '../messages.ts';

/** The simulated time of the first request (Unix ms); each further one comes a second later. */
const firstRequest = 1_767_225_600_000;

/** The context of the request of this number, but for its answer. */
export const contextOf = (
  { ids }: StreamerStep,
  request: LlmRequest,
  number: number,
): Pick<RenderContext, 'request' | 'now' | 'id'> => ({
  request,
  now: firstRequest + number * 1000,
  id: ids(number),
});

/** Gets the script's answer to the request of this number, and makes its exchange. */
export function exchangeFor(
  step: StreamerStep,
  request: LlmRequest,
  number: number,
  carrier: Pick<ExchangeOptions, 'key' | 'peer' | 'dialect' | 'wrap' | 'finish'>,
):
  | { readonly exchange: StreamExchange; readonly index: number }
  | { readonly error: ProviderError; readonly index?: number } {
  const { player, ids, state, joins } = step;
  const { state: next, ...played } = player.answer(state.player, request, (one) => state.open.has(one));
  state.player = next;
  if ('error' in played) return played;
  const { generation, turn, index } = played;
  state.given = withGiven(state.given, generation.blocks);
  if (request.dialect === 'gemini') keepSignatures(state.signatures, generation.blocks);
  const context = {
    ...contextOf(step, request, number),
    blocks: generation.blocks,
    end: generation.end,
    variants: turn.variants,
    id: keepThoughts(state.thoughts, generation.blocks, ids(number)),
  };
  return {
    exchange: new StreamExchange({ ...carrier, number: next.requests, joins, turn, generation, context }),
    index,
  };
}

/** Begins an exchange; its headers are sent already. */
export function start(step: StreamerStep, exchange: StreamExchange): void {
  step.state.exchanges.set(exchange.options.key, exchange);
  step.state.open.add(exchange.options.number);
  proceed(step, exchange);
}

/** Sends everything that is due, and ends a complete response. */
function proceed(step: StreamerStep, exchange: StreamExchange): void {
  const { state, now, out } = step;
  if (exchange.settled || !exchange.pump(now, state.released, out)) return;
  exchange.settled = true;
  state.open.delete(exchange.options.number);
  const { key, peer, context, finish } = exchange.options;
  const { transport } = context.end;
  finish(exchange, out);
  if (transport !== 'stall') state.exchanges.delete(key);
  if (transport === 'reset') out.push({ type: 'close', peer, status: { code: 14, message: 'reset' } });
  reportAnswer(exchange, transport === 'clean' ? 'complete' : transport, out);
  if (transport === 'reset') for (const other of exchangesOn(state, peer)) abort(step, other);
}

/** The timer of an exchange has fired. */
export function timer(step: StreamerStep, key: string): void {
  sendPieces(step, key);
  const exchange = step.state.exchanges.get(key);
  if (exchange === undefined) return;
  exchange.resume();
  proceed(step, exchange);
}

const exchangesOn = (state: StreamerState, peer: string): readonly StreamExchange[] =>
  [...state.exchanges.values()].filter(({ options }) => options.peer === peer);

/** The carrier is full: its exchanges hold back. */
export function full({ state }: StreamerStep, peer: string): void {
  for (const exchange of exchangesOn(state, peer)) exchange.full = true;
  const body = state.bodies.get(peer);
  if (body !== undefined) body.full = true;
}

/** The carrier has room again. */
export function drained(step: StreamerStep, peer: string): void {
  for (const exchange of exchangesOn(step.state, peer)) {
    exchange.full = false;
    proceed(step, exchange);
  }
  const body = step.state.bodies.get(peer);
  if (body !== undefined) body.full = false;
  sendPieces(step, peer);
}

/** The client left: its answers are not generated any more. */
export function left(step: StreamerStep, peer: string): void {
  step.state.links.delete(peer);
  leaveBody(step, peer);
  for (const exchange of exchangesOn(step.state, peer)) abort(step, exchange);
}

/** Ends an exchange before its time. */
export function abort({ state, player, out }: StreamerStep, exchange: StreamExchange): void {
  const { number } = exchange.options;
  if (state.open.delete(number)) state.player = player.interrupted(state.player, number);
  state.exchanges.delete(exchange.options.key);
  out.push({ type: 'stop_timer', id: exchange.options.key });
  reportAnswer(exchange, exchange.settled ? 'left' : 'aborted', out);
}

/** Executes a command of a scenario or an operator. */
export function command(step: StreamerStep, order: PeerCommand<ResponseWrite>): void {
  const { state, out } = step;
  switch (order.do) {
    case 'send':
      return release(step, order.message as unknown as JsonObject);
    case 'raw':
      return eachLink(state, (peer) => out.push({ type: 'send_raw', peer, bytes: order.bytes }));
    case 'end':
      return eachLink(state, (peer) => out.push({ type: 'close', peer, status: order.status }));
    case 'shutdown':
      return eachLink(state, (peer) => out.push({ type: 'close', peer, status: { code: 0, message: '' } }));
    default:
      order satisfies never;
  }
}

const eachLink = (state: StreamerState, run: (peer: string) => void): void => {
  for (const peer of state.links.keys()) run(peer);
};

/** Releases a barrier: for the exchanges that hold at it now or later. */
function release(step: StreamerStep, { release: name }: JsonObject): void {
  if (typeof name !== 'string') return;
  step.state.released.add(name);
  for (const exchange of step.state.exchanges.values()) proceed(step, exchange);
}
