/**
 * The LLM streamer: a simulated provider that answers all dialects from one script, as a pure role. Any host
 * can run it: on a real port (`edge/`), or in the simulated world against a client.
 */
import type { PeerCommand, Role, RoleInput } from '../../kit/base/index.ts';
import { leaveBackground, passBackgroundOn } from './background.ts';
import { allowPages } from './cors.ts';
import { command, drained, full, left, timer } from './flow.ts';
import { answerRequest } from './http.ts';
import { seededIds } from './ids.ts';
import { scriptPlayer } from './player.ts';
import type { PlayerOptions } from './player.ts';
import { KnownResponses } from '../dialects/openai-responses/socket-memory.ts';
import { continueSockets } from './responses-socket.ts';
import { socketMessage, startSocket, unreadableMessage } from './socket.ts';
import type { Script } from '../script/script.ts';
import type { StreamerState, StreamerStep } from './state.ts';
import type { RequestBody, ResponseWrite } from '../dialects/shared/units.ts';

/** The role; its scenario's commands: `send` of `{release: barrier}`, `raw`, `end`, `shutdown`. */
export type StreamerRole = Role<StreamerState, RequestBody, ResponseWrite, PeerCommand<ResponseWrite>>;

type Input = RoleInput<RequestBody, PeerCommand<ResponseWrite>>;

export interface StreamerOptions extends PlayerOptions {
  readonly script: Script;
  /**
   * Joins the units of one turn of the host to one write: for hosts without a trace. The bytes are the same. Default
   * false.
   */
  readonly joins?: boolean;
}

/** A provider that plays a script: same script, randomness and requests, same bytes. */
export function streamer({ script, joins = false, ...options }: StreamerOptions): StreamerRole {
  const player = scriptPlayer(script, options);
  const ids: StreamerStep['ids'] = (number) => seededIds(options.random(`ids of request ${number}`));
  return {
    name: 'llm/provider',
    start: () => ({
      player: player.start(),
      count: 0,
      links: new Map(),
      exchanges: new Map(),
      bodies: new Map(),
      given: new Set(),
      thoughts: new Map(),
      responses: new KnownResponses(),
      freed: new Set(),
      signatures: new Map(),
      background: new Map(),
      interactions: new Map(),
      open: new Set(),
      pages: false,
      released: new Set(),
    }),
    step(state, input, now) {
      const step: StreamerStep = { player, ids, state, now, out: [], joins };
      take(step, input);
      continueSockets(step);
      passBackgroundOn(step);
      allowPages(state, step.out);
      for (const output of step.out) if (output.type === 'close') state.links.delete(output.peer);
      return { state, outputs: step.out };
    },
  };
}

function take(step: StreamerStep, input: Input): void {
  switch (input.type) {
    case 'opened':
      return opened(step, input);
    case 'message':
      return message(step, input);
    case 'undecodable':
      return undecodable(step, input);
    case 'half_close':
      return answerRequest(step, input.peer);
    case 'left':
      leaveBackground(step.state, input.peer);
      return left(step, input.peer);
    case 'timer':
      return timer(step, input.id);
    case 'full':
      return full(step, input.peer);
    case 'drained':
      return drained(step, input.peer);
    case 'command':
      return command(step, input.command);
    case 'started':
    case 'headers':
    case 'effect':
      return;
    default:
      input satisfies never;
  }
}

function opened(
  { state, player, out }: StreamerStep,
  { peer, metadata }: Extract<Input, { type: 'opened' }>,
): void {
  const target = metadata[':path'] ?? '/';
  const isSocket = metadata[':carrier'] === 'ws';
  const socket = isSocket ? startSocket(target, player.script.model, state) : undefined;
  if (isSocket && socket === undefined)
    return void out.push({ type: 'close', peer, status: { code: 1008, message: `nothing is at ${target}` } });
  if (metadata['origin'] !== undefined) state.pages = true;
  state.links.set(peer, {
    method: metadata[':method'] ?? 'GET',
    target,
    headers: metadata,
    body: undefined,
    badUtf8: false,
    unreadable: undefined,
    socket,
  });
}

function message(step: StreamerStep, { peer, message: sent }: Extract<Input, { type: 'message' }>): void {
  const link = step.state.links.get(peer);
  if (link?.socket !== undefined) return socketMessage(step, peer, link.socket, sent.body);
  if (link === undefined) return;
  link.body = sent.body;
  link.badUtf8 = sent.badUtf8 === true;
}

/** Notes the reason for the answer. */
function undecodable(step: StreamerStep, { peer, reason }: Extract<Input, { type: 'undecodable' }>): void {
  const link = step.state.links.get(peer);
  if (link === undefined) return;
  link.unreadable = reason;
  if (link.socket !== undefined) unreadableMessage(step, peer, link.socket, reason);
}
