/**
 * The LLM streamer: a simulated provider that answers all five dialects from one script, as a pure role. Any host
 * can run it: on a real port (`edge/`), or in the simulated world against a client.
 */
import type { PeerCommand, Role, RoleInput } from '../../kit/base/index.ts';
import { command, drained, full, left, timer } from './flow.ts';
import type { Outputs } from './exchange.ts';
import { providerOf } from './generate.ts';
import type { Provider, ProviderOptions } from './generate.ts';
import { requested } from './http.ts';
import { socketMessage, startSocket } from './socket.ts';
import type { Link, StreamerState } from './state.ts';
import type { Asked, Sent } from '../dialects/shared/units.ts';

/** The role; its scenario's commands: `send` of `{release: barrier}`, `raw`, `end`, `shutdown`. */
export type StreamerRole = Role<StreamerState, Asked, Sent, PeerCommand<Sent>>;

type Input = RoleInput<Asked, PeerCommand<Sent>>;

/** A provider that plays a script: same script, randomness and requests, same bytes. */
export function streamer(options: ProviderOptions): StreamerRole {
  const provider = providerOf(options);
  return {
    name: 'llm/provider',
    start: () => ({
      player: provider.start(),
      count: 0,
      links: new Map(),
      exchanges: new Map(),
      released: new Set(),
    }),
    step(state, input, now) {
      const outputs: Outputs = [];
      take(provider, state, input, now, outputs);
      return { state, outputs };
    },
  };
}

function take(provider: Provider, state: StreamerState, input: Input, now: number, out: Outputs): void {
  switch (input.type) {
    case 'opened':
      return void state.links.set(input.peer, opened(provider, input));
    case 'message':
      return message(provider, state, input, now, out);
    case 'undecodable':
      return undecodable(state, input, out);
    case 'half_close':
      return requested(provider, state, input.peer, now, out);
    case 'left':
      return left(state, input.peer, out);
    case 'timer':
      return timer(state, input.id, now, out);
    case 'full':
      return full(state, input.peer);
    case 'drained':
      return drained(state, input.peer, now, out);
    case 'command':
      return command(state, input.command, now, out);
    case 'started':
    case 'headers':
    case 'effect':
      return;
    default:
      input satisfies never;
  }
}

function opened({ model }: Provider, { metadata }: Extract<Input, { type: 'opened' }>): Link {
  const target = metadata[':path'] ?? '/';
  const socket = metadata[':carrier'] === 'ws' ? startSocket(target, model) : undefined;
  return {
    method: metadata[':method'] ?? 'GET',
    target,
    headers: metadata,
    asked: undefined,
    unreadable: undefined,
    socket,
  };
}

function message(
  provider: Provider,
  state: StreamerState,
  { peer, message: asked }: Extract<Input, { type: 'message' }>,
  now: number,
  out: Outputs,
): void {
  const link = state.links.get(peer);
  if (link === undefined) return;
  if (link.socket === undefined) link.asked = asked;
  else socketMessage(provider, state, { peer, socket: link.socket, message: asked.body }, now, out);
}

/** A request is answered with the reason; a WebSocket of LM Studio has no word for it, and is closed. */
function undecodable(
  state: StreamerState,
  { peer, reason }: Extract<Input, { type: 'undecodable' }>,
  out: Outputs,
): void {
  const link = state.links.get(peer);
  if (link === undefined) return;
  link.unreadable = reason;
  if (link.socket !== undefined)
    out.push({ type: 'close', peer, status: { code: 1007, message: reason.slice(0, 100) } });
}
