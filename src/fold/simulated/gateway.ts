/**
 * The gateway as a simulated peer: accepts agents, answers their registration as told, and otherwise sends what
 * its commander (a scenario, an operator) says. It judges nothing.
 */
import type { PeerCommand, Role, RoleInput, RoleOutput, Status } from '../../kit/base/index.ts';
import type { AgentMessage, ServerMessage, Welcome } from '../messages.ts';

/** Refuses registrations: the first `times`, or all within `for_ms` of the first. */
export interface Refusal {
  readonly by: 'already_exists' | 'registration_error';
  readonly times?: number;
  readonly for_ms?: number;
  readonly suggested_id?: string;
}

/** How the simulated gateway treats those who register. */
export interface ScriptedGatewayOptions {
  /** Hold the Welcome back this long (ms). */
  readonly welcome_delay_ms?: number;
  /** The Welcome's agent_id, where it is not to be the registered one. */
  readonly assign_id?: string;
  /** More fields for the Welcome. */
  readonly welcome?: Partial<Welcome>;
  readonly refuse?: Refusal;
}

/** What may be asked of the gateway: it concerns the agent that opened its stream last. */
export type ScriptedGatewayCommand = PeerCommand<ServerMessage>;

interface Connected {
  agentId: string | undefined;
  welcomed: boolean;
}

/** The gateway's state; handed over at each step. */
export interface ScriptedGatewayState {
  readonly streams: Map<string, Connected>;
  /** The stream that opened last and is still there. */
  current: string | undefined;
  refusals: number;
  refusingSince: number | undefined;
  instances: number;
}

/** The simulated gateway as a role. */
export type ScriptedGatewayRole = Role<
  ScriptedGatewayState,
  AgentMessage,
  ServerMessage,
  ScriptedGatewayCommand
>;

type Outputs = RoleOutput<ServerMessage>[];

/** Status codes of gRPC that a gateway answers with. */
const invalidArgument = 3;
const alreadyExists = 6;

/**
 * Makes a simulated gateway.
 *
 * @example
 * scriptedGateway({ refuse: { by: 'registration_error', times: 1, suggested_id: 'other' } });
 */
export function scriptedGateway(options: ScriptedGatewayOptions = {}): ScriptedGatewayRole {
  return {
    name: 'fold/gateway',
    start: () => ({
      streams: new Map(),
      current: undefined,
      refusals: 0,
      refusingSince: undefined,
      instances: 0,
    }),
    step(state, input, now) {
      const outputs: Outputs = [];
      react(state, input, now, options, outputs);
      return { state, outputs };
    },
  };
}

function react(
  state: ScriptedGatewayState,
  input: RoleInput<AgentMessage, ScriptedGatewayCommand>,
  now: number,
  options: ScriptedGatewayOptions,
  out: Outputs,
): void {
  switch (input.type) {
    case 'opened':
      state.streams.set(input.peer, { agentId: undefined, welcomed: false });
      state.current = input.peer;
      out.push({ type: 'headers', peer: input.peer, metadata: {} });
      return;
    case 'message':
      return message(state, input.peer, input.message, now, options, out);
    case 'undecodable':
      if (state.streams.get(input.peer)?.agentId === undefined) {
        close(state, input.peer, { code: invalidArgument, message: input.reason }, out);
      }
      return;
    case 'half_close':
      return close(state, input.peer, { code: 0, message: '' }, out);
    case 'left':
      state.streams.delete(input.peer);
      if (state.current === input.peer) state.current = [...state.streams.keys()].at(-1);
      return;
    case 'timer':
      return welcome(state, input.id, options, out);
    case 'command':
      return obey(state, input.command, out);
    case 'started':
    case 'headers':
    case 'full':
    case 'drained':
    case 'effect':
      return;
    default:
      input satisfies never;
  }
}

function close(state: ScriptedGatewayState, peer: string, status: Status, out: Outputs): void {
  state.streams.delete(peer);
  if (state.current === peer) state.current = [...state.streams.keys()].at(-1);
  out.push({ type: 'close', peer, status });
}

function message(
  state: ScriptedGatewayState,
  peer: string,
  m: AgentMessage,
  now: number,
  options: ScriptedGatewayOptions,
  out: Outputs,
): void {
  const stream = state.streams.get(peer);
  if (stream === undefined || stream.agentId !== undefined) return;
  if (m.register === undefined) {
    return close(state, peer, { code: invalidArgument, message: 'first message must be register' }, out);
  }
  const id = m.register.agent_id ?? '';
  if (id === '') return close(state, peer, { code: invalidArgument, message: 'agent_id is required' }, out);
  if (options.refuse !== undefined && refuses(state, options.refuse, now)) {
    return refuse(state, peer, id, options.refuse, out);
  }
  stream.agentId = id;
  if (options.welcome_delay_ms === undefined) return welcome(state, peer, options, out);
  out.push({ type: 'start_timer', id: peer, ms: options.welcome_delay_ms });
}

function refuses(state: ScriptedGatewayState, refusal: Refusal, now: number): boolean {
  state.refusingSince ??= now;
  state.refusals++;
  if (refusal.for_ms !== undefined) return now - state.refusingSince < refusal.for_ms;
  return state.refusals <= (refusal.times ?? 1);
}

function refuse(state: ScriptedGatewayState, peer: string, id: string, refusal: Refusal, out: Outputs): void {
  const reason = `agent ${id} already registered`;
  if (refusal.by === 'already_exists')
    return close(state, peer, { code: alreadyExists, message: reason }, out);
  const suggested = refusal.suggested_id === undefined ? {} : { suggested_id: refusal.suggested_id };
  out.push({ type: 'send', peer, message: { registration_error: { reason, ...suggested } } });
  close(state, peer, { code: 0, message: '' }, out);
}

function welcome(
  state: ScriptedGatewayState,
  peer: string,
  options: ScriptedGatewayOptions,
  out: Outputs,
): void {
  const stream = state.streams.get(peer);
  if (stream?.agentId === undefined || stream.welcomed) return;
  stream.welcomed = true;
  const given: Welcome = {
    server_id: 'wireproof',
    agent_id: options.assign_id ?? stream.agentId,
    instance_id: `instance-${++state.instances}`,
    principal_id: 'anonymous',
    ...options.welcome,
  };
  out.push({ type: 'send', peer, message: { welcome: given } });
}

function obey(state: ScriptedGatewayState, command: ScriptedGatewayCommand, out: Outputs): void {
  const peer = state.current;
  if (peer === undefined) return;
  if (command.do === 'send') out.push({ type: 'send', peer, message: command.message });
  else if (command.do === 'raw') out.push({ type: 'send_raw', peer, bytes: command.bytes });
  else if (command.do === 'end') close(state, peer, command.status, out);
  else out.push({ type: 'send', peer, message: { shutdown: { reason: command.reason ?? '' } } });
}
