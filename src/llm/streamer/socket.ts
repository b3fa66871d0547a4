/** LM Studio's native WebSockets: the server machine keeps the session, the exchanges are channels in it. */
import type { Json } from '../../kit/base/index.ts';
import { dialectOf } from '../dialects/index.ts';
import { channelEnd, channelError, closeChannel, wrap } from '../dialects/lmstudio/server-messages.ts';
import { countResult, lmstudioServer } from '../dialects/lmstudio/server.ts';
import type { LmOutput } from '../dialects/lmstudio/server.ts';
import { cancelled } from './exchange.ts';
import type { Outputs } from './exchange.ts';
import { abort, start } from './flow.ts';
import { summaryOf } from './generate.ts';
import type { Provider } from './generate.ts';
import type { SocketSession, StreamerState } from './state.ts';
import { Sent } from '../dialects/shared/units.ts';

/** A socket that was opened at this path, such as `/llm`. */
export function startSocket(target: string, model: string): SocketSession {
  const machine = lmstudioServer(target.replace(/^\/|[?#].*$/g, ''), { models: [model] });
  return { machine, state: machine.start() };
}

/** A message on a socket. */
interface OnSocket {
  readonly peer: string;
  readonly socket: SocketSession;
  readonly message: Json;
}

/** Takes a message of a socket's client. */
export function socketMessage(
  provider: Provider,
  state: StreamerState,
  { peer, socket, message }: OnSocket,
  now: number,
  out: Outputs,
): void {
  const { state: next, outputs } = socket.machine.step(socket.state, message);
  socket.state = next;
  for (const output of outputs) act({ provider, state, peer, socket }, output, now, out);
}

const keyOf = (peer: string, channel: number): string => `${peer} channel ${channel}`;

const say = (peer: string, data: Json, out: Outputs): void => {
  out.push({ type: 'send', peer, message: new Sent(Buffer.from(JSON.stringify(data)), { data }) });
};

/** Where something is done. */
interface Here {
  readonly provider: Provider;
  readonly state: StreamerState;
  readonly peer: string;
  readonly socket: SocketSession;
}

function act(here: Here, output: LmOutput, now: number, out: Outputs): void {
  const { provider, peer } = here;
  switch (output.do) {
    case 'send':
      return say(peer, output.message, out);
    case 'count':
      return say(peer, countResult(output, provider.countText(output.text)), out);
    case 'predict':
      return predict(here, output, now, out);
    case 'cancel':
      return cancel(here, output.channelId, out);
    case 'close':
      return void out.push({ type: 'close', peer, status: { code: 1008, message: output.reason } });
    default:
      output satisfies never;
  }
}

function predict(
  { provider, state, peer, socket }: Here,
  { channelId, request }: Extract<LmOutput, { do: 'predict' }>,
  now: number,
  out: Outputs,
): void {
  const key = keyOf(peer, channelId);
  const number = state.count++;
  const { state: player, answer } = provider.answer(state.player, {
    request,
    dialect: dialectOf.lmstudio,
    key,
    number,
    outlet: { peer, wrap: (unit) => ({ data: wrap(channelId, unit) }) },
  });
  state.player = player;
  const summary = { exchange: key, ...summaryOf(request) };
  if (answer.kind === 'error') {
    tell({ ...summary, error: answer.error.message }, out);
    return say(peer, channelError(channelId, answer.error), out);
  }
  tell({ ...summary, turn: answer.turn }, out);
  const { context } = answer.exchange;
  const finish = (end: Outputs): void => {
    socket.state = socket.machine.ended(socket.state, channelId);
    if (context.end.transport !== 'clean') return;
    for (const message of channelEnd(channelId, context.end)) say(peer, message, end);
  };
  start(state, { ...answer.exchange, finish }, now, out);
}

const tell = (detail: { readonly [name: string]: Json }, out: Outputs): void => {
  out.push({ type: 'tell', what: 'request', detail: JSON.stringify(detail) });
};

/** A client that cancels is told `success` with `userStopped` (llm.md, (f)). */
function cancel({ state, peer, socket }: Here, channelId: number, out: Outputs): void {
  const exchange = state.exchanges.get(keyOf(peer, channelId));
  if (exchange === undefined) return;
  cancelled(exchange, out);
  abort(state, exchange, out);
  socket.state = socket.machine.ended(socket.state, channelId);
  say(peer, closeChannel(channelId), out);
}
