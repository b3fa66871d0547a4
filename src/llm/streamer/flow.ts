/** How the responses of a streamer move on: timers, room on the carrier, barriers, ends, and clients that leave. */
import type { JsonObject, PeerCommand } from '../../kit/base/index.ts';
import { pump, resumed, stopped } from './exchange.ts';
import type { StreamExchange, Outputs } from './exchange.ts';
import type { StreamerState } from './state.ts';
import type { Sent } from '../dialects/shared/units.ts';

/** Begins an exchange that has its headers out, or needs none. */
export function start(state: StreamerState, exchange: StreamExchange, now: number, out: Outputs): void {
  state.exchanges.set(exchange.key, exchange);
  onward(state, exchange, now, out);
}

/** Sends what is due, and ends what is complete. */
function onward(state: StreamerState, exchange: StreamExchange, now: number, out: Outputs): void {
  if (exchange.settled || !pump(exchange, now, state.released, out)) return;
  exchange.settled = true;
  const { transport } = exchange.context.end;
  const outcome = transport === 'clean' ? 'complete' : transport;
  exchange.finish(out);
  if (transport !== 'stall') state.exchanges.delete(exchange.key);
  if (transport === 'reset')
    out.push({ type: 'close', peer: exchange.outlet.peer, status: { code: 14, message: 'reset' } });
  told(exchange, outcome, out);
}

/** The timer of an exchange. */
export function timer(state: StreamerState, key: string, now: number, out: Outputs): void {
  const exchange = state.exchanges.get(key);
  if (exchange === undefined) return;
  resumed(exchange);
  onward(state, exchange, now, out);
}

const on = (state: StreamerState, peer: string): readonly StreamExchange[] =>
  [...state.exchanges.values()].filter(({ outlet }) => outlet.peer === peer);

/** The carrier is full: what goes there holds back. */
export function full(state: StreamerState, peer: string): void {
  for (const exchange of on(state, peer)) exchange.full = true;
}

/** There is room again. */
export function drained(state: StreamerState, peer: string, now: number, out: Outputs): void {
  for (const exchange of on(state, peer)) {
    exchange.full = false;
    onward(state, exchange, now, out);
  }
}

/** The client went: what was under way to it is not generated any more. */
export function left(state: StreamerState, peer: string, out: Outputs): void {
  state.links.delete(peer);
  for (const exchange of on(state, peer)) abort(state, exchange, out);
}

/** Ends an exchange that its client does not want any more. */
export function abort(state: StreamerState, exchange: StreamExchange, out: Outputs): void {
  state.exchanges.delete(exchange.key);
  out.push({ type: 'stop_timer', id: exchange.key });
  told(exchange, exchange.settled ? 'left' : 'aborted', out);
}

/** What a scenario or an operator asks for. */
export function command(state: StreamerState, asked: PeerCommand<Sent>, now: number, out: Outputs): void {
  switch (asked.do) {
    case 'send':
      return release(state, asked.message as unknown as JsonObject, now, out);
    case 'raw':
      return everyone(state, (peer) => out.push({ type: 'send_raw', peer, bytes: asked.bytes }));
    case 'end':
      return everyone(state, (peer) => out.push({ type: 'close', peer, status: asked.status }));
    case 'shutdown':
      return everyone(state, (peer) => out.push({ type: 'close', peer, status: { code: 0, message: '' } }));
    default:
      asked satisfies never;
  }
}

const everyone = (state: StreamerState, what: (peer: string) => void): void => {
  for (const peer of state.links.keys()) what(peer);
};

/** Releases a barrier: for those that hold at it, and for those that come to it. */
function release(state: StreamerState, { release: name }: JsonObject, now: number, out: Outputs): void {
  if (typeof name !== 'string') return;
  state.released.add(name);
  for (const exchange of state.exchanges.values()) onward(state, exchange, now, out);
}

/** Tells the application how a response went: what it said, how it ended, how much of it was flushed. */
function told(exchange: StreamExchange, outcome: string, out: Outputs): void {
  if (exchange.said.open !== undefined) stopped(exchange);
  const {
    key,
    said,
    context: { end, request },
  } = exchange;
  const detail = {
    exchange: key,
    dialect: request.dialect,
    outcome,
    text: said.text,
    calls: said.calls,
    stop: end.stop,
    signal: end.signal,
    transport: end.transport,
    ...(end.error === undefined ? {} : { error: end.error }),
    usage: end.usage,
    bytes: said.bytes,
    units: said.units,
  };
  out.push({ type: 'tell', what: 'answered', detail: JSON.stringify(detail) });
}
