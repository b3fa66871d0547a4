/**
 * The agent as a simulated peer: dials, registers as told, and otherwise sends what its commander (a scenario)
 * says, well behaved or not. It judges nothing, and comes back only when told to.
 */
import type { Metadata, PeerCommand, Role, RoleInput, RoleOutput } from '../../kit/base/index.ts';
import type { AgentMessage, RegisterAgent, ServerMessage } from '../messages.ts';
import { protocolFeatures } from '../messages.ts';
import { agentPaths } from '../stream-codecs.ts';

/** How a scripted agent comes. */
export interface ScriptedAgentOptions {
  readonly agent_id: string;
  /** Open a stream at the start; else the first `register` that is sent opens one. Default true. */
  readonly dial?: boolean;
  /** Register on opening; default true. False: say nothing. */
  readonly register?: boolean;
  readonly name?: string;
  readonly capabilities?: readonly string[];
  /** Protocol features to advertise; default all four. */
  readonly features?: readonly string[];
  /** Send a keepalive ping this often (ms). */
  readonly keepalive?: number;
  /** The method to call. */
  readonly path?: string;
  /** Metadata of a stream, such as credentials. */
  readonly metadata?: () => Metadata;
}

/** The state of a scripted agent; handed over at each step. */
export interface ScriptedAgentState {
  /** The stream that is open; empty: none. */
  peer: string;
  streams: number;
  /** What the stream that is being opened begins with. */
  first: AgentMessage | undefined;
}

/** A scripted agent as a role. */
export type ScriptedAgentRole = Role<
  ScriptedAgentState,
  ServerMessage,
  AgentMessage,
  PeerCommand<AgentMessage>
>;

type Outputs = RoleOutput<AgentMessage>[];

/** What it registers with. */
export const scriptedRegister = (options: ScriptedAgentOptions): RegisterAgent => ({
  agent_id: options.agent_id,
  name: options.name ?? 'Wireproof scripted agent',
  capabilities: options.capabilities ?? ['chat'],
  metadata: { working_directory: '/', hostname: 'localhost', os: 'any', backend: 'wireproof' },
  protocol_features: options.features ?? protocolFeatures,
});

/**
 * Makes a scripted agent.
 *
 * @example
 * const role = scriptedAgent({ agent_id: 'a-1', features: [] });
 * role.step(role.start(), { type: 'started' }, 0).outputs[0]?.type; // 'dial'
 */
export function scriptedAgent(options: ScriptedAgentOptions): ScriptedAgentRole {
  return {
    name: 'fold/agent',
    start: () => ({ peer: '', streams: 0, first: undefined }),
    step(state, input) {
      const outputs: Outputs = [];
      react(state, input, options, outputs);
      return { state, outputs };
    },
  };
}

function react(
  state: ScriptedAgentState,
  input: RoleInput<ServerMessage, PeerCommand<AgentMessage>>,
  options: ScriptedAgentOptions,
  out: Outputs,
): void {
  if (input.type === 'started') {
    const first = options.register === false ? undefined : { register: scriptedRegister(options) };
    if (options.dial !== false) dial(state, first, options, out);
  } else if (input.type === 'command') obey(state, input.command, options, out);
  else if (!('peer' in input) || input.peer !== state.peer) return;
  else if (input.type === 'left') state.peer = '';
  else if (input.type === 'opened' && state.first !== undefined) {
    out.push({ type: 'send', peer: state.peer, message: state.first });
    state.first = undefined;
  }
}

function dial(
  state: ScriptedAgentState,
  first: AgentMessage | undefined,
  options: ScriptedAgentOptions,
  out: Outputs,
): void {
  const { keepalive, path = agentPaths[0] ?? '', metadata } = options;
  state.first = first;
  state.peer = `agent-${++state.streams}`;
  out.push({
    type: 'dial',
    peer: state.peer,
    metadata: { ':path': path, ...metadata?.() },
    ...(keepalive === undefined ? {} : { keepalive }),
  });
}

function obey(
  state: ScriptedAgentState,
  command: PeerCommand<AgentMessage>,
  options: ScriptedAgentOptions,
  out: Outputs,
): void {
  const { peer } = state;
  if (command.do === 'send' && peer === '') {
    if (command.message.register !== undefined) dial(state, command.message, options, out);
  } else if (peer === '') return;
  else if (command.do === 'send') out.push({ type: 'send', peer, message: command.message });
  else if (command.do === 'raw') out.push({ type: 'send_raw', peer, bytes: command.bytes });
  else if (command.do === 'end' && command.status.code !== 0) {
    state.peer = '';
    out.push({ type: 'close', peer, status: command.status });
  } else out.push({ type: 'half_close', peer });
}
