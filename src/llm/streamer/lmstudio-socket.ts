/** LM Studio's native WebSockets: the server machine keeps the session, the exchanges are channels in it. */
import type { Json } from '../../kit/base/index.ts';
import { lmstudio } from '../dialects/lmstudio/index.ts';
import { channelEnd, channelError, closeChannel, wrap } from '../dialects/lmstudio/server-messages.ts';
import { countResult, lmstudioServer } from '../dialects/lmstudio/server.ts';
import type { LmOutput } from '../dialects/lmstudio/server.ts';
import { ResponseWrite } from '../dialects/shared/units.ts';
import type { Outputs } from './exchange.ts';
import { abort, exchangeFor, start } from './flow.ts';
import { reportRequest, summaryOf, turnOf } from './reports.ts';
import { notesOf } from './script-notes.ts';
import type { LmSocket, StreamerStep } from './state.ts';

/** A socket in a namespace, such as `llm`. */
export function startLmSocket(namespace: string, model: string): LmSocket {
  const machine = lmstudioServer(namespace, { models: [model] });
  return { dialect: 'lmstudio', machine, state: machine.start() };
}

/** Takes a message of a socket's client. */
export function lmMessage(step: StreamerStep, peer: string, socket: LmSocket, message: Json): void {
  const { state, outputs } = socket.machine.step(socket.state, message);
  socket.state = state;
  for (const output of outputs) act(step, peer, socket, output);
}

const keyOf = (peer: string, channel: number): string => `${peer} channel ${channel}`;

const say = (peer: string, data: Json, out: Outputs): void => {
  out.push({ type: 'send', peer, message: new ResponseWrite(Buffer.from(JSON.stringify(data)), { data }) });
};

function act(step: StreamerStep, peer: string, socket: LmSocket, output: LmOutput): void {
  const { out, player } = step;
  switch (output.do) {
    case 'send':
      return say(peer, output.message, out);
    case 'count':
      return say(peer, countResult(output, player.tokenizer.count(output.text)), out);
    case 'predict':
      return predict(step, peer, socket, output);
    case 'cancel':
      return cancel(step, peer, socket, output.channelId);
    case 'close':
      return void out.push({ type: 'close', peer, status: { code: 1008, message: output.reason } });
    default:
      output satisfies never;
  }
}

function predict(
  step: StreamerStep,
  peer: string,
  socket: LmSocket,
  { channelId, request }: Extract<LmOutput, { do: 'predict' }>,
): void {
  const { state, out } = step;
  const key = keyOf(peer, channelId);
  const answer = exchangeFor(step, request, state.count++, {
    key,
    peer,
    dialect: lmstudio,
    wrap: (unit) => ({ data: wrap(channelId, unit) }),
    finish({ options: { context } }, end) {
      socket.state = socket.machine.ended(socket.state, channelId);
      if (context.end.transport !== 'clean') return;
      for (const message of channelEnd(channelId, context.end)) say(peer, message, end);
    },
  });
  const summary = { exchange: key, ...summaryOf(request) };
  if ('error' in answer) {
    reportRequest({ ...summary, error: answer.error.message, ...turnOf(answer.index) }, out);
    return say(peer, channelError(channelId, answer.error), out);
  }
  const notes = notesOf(request, answer.exchange.options.generation.blocks);
  reportRequest({ ...summary, turn: answer.index, ...notes }, out);
  start(step, answer.exchange);
}

/** A client that cancels gets `success` with `userStopped` (llm.md, (f)). */
function cancel(step: StreamerStep, peer: string, socket: LmSocket, channelId: number): void {
  const { state, out, player } = step;
  const exchange = state.exchanges.get(keyOf(peer, channelId));
  if (exchange === undefined) return;
  const tokens = exchange.blocks.reduce((sum, { text }) => sum + player.tokenizer.count(text), 0);
  exchange.cancel(tokens, out);
  abort(step, exchange);
  socket.state = socket.machine.ended(socket.state, channelId);
  say(peer, closeChannel(channelId), out);
}
