/**
 * The agent as a simulated peer: dials, registers, and then sends the messages of its commands, valid or not. It judges
 * nothing, and reconnects only on command.
 */
import type { Metadata, PeerCommand, Role, RoleInput } from '../../kit/base/index.ts';
import type { AgentMessage, RegisterAgent, ServerMessage } from '../messages.ts';
import { protocolFeatures } from '../messages.ts';
import { StepOutputs } from '../step-outputs.ts';
import { agentPaths } from '../stream-codecs.ts';

/** The options of a scripted agent. */
export interface ScriptedAgentOptions {
  readonly agent_id: string;
  /** Whether it opens a stream at the start; default true. False: the first sent `register` opens one. */
  readonly dial?: boolean;
  /** Whether it registers when the stream opens; default true. */
  readonly register?: boolean;
  readonly name?: string;
  readonly capabilities?: readonly string[];
  /** The advertised protocol features; default all four. */
  readonly features?: readonly string[];
  /** The interval of keepalive pings (ms). */
  readonly keepalive?: number;
  /** The method of its streams. */
  readonly path?: string;
  /** The metadata of a stream, such as credentials. */
  readonly metadata?: () => Metadata;
}

/** The state of a scripted agent, which each step takes over. */
export interface ScriptedAgentState {
  /** The open stream; empty without one. */
  peer: string;
  streams: number;
  /** The first message of the stream that is being opened. */
  first: AgentMessage | undefined;
}

/** A scripted agent as a role. */
export type ScriptedAgentRole = Role<
  ScriptedAgentState,
  ServerMessage,
  AgentMessage,
  PeerCommand<AgentMessage>
>;

type Outputs = StepOutputs<ScriptedAgentState, AgentMessage>;

/** Its registration. */
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
    step(state, input, now) {
      const out: Outputs = new StepOutputs(state, now);
      react(out, input, options);
      return { state, outputs: out.outputs };
    },
  };
}

function react(
  out: Outputs,
  input: RoleInput<ServerMessage, PeerCommand<AgentMessage>>,
  options: ScriptedAgentOptions,
): void {
  const { state } = out;
  if (input.type === 'started') {
    const first = options.register === false ? undefined : { register: scriptedRegister(options) };
    if (options.dial !== false) dial(out, first, options);
  } else if (input.type === 'command') obey(out, input.command, options);
  else if (!('peer' in input) || input.peer !== state.peer) return;
  else if (input.type === 'left') state.peer = '';
  else if (input.type === 'opened' && state.first !== undefined) {
    out.send(state.peer, state.first);
    state.first = undefined;
  }
}

function dial(out: Outputs, first: AgentMessage | undefined, options: ScriptedAgentOptions): void {
  const { state } = out;
  const { keepalive, path = agentPaths[0] ?? '', metadata } = options;
  state.first = first;
  state.peer = `agent-${++state.streams}`;
  out.dial(state.peer, { ':path': path, ...metadata?.() }, keepalive);
}

function obey(out: Outputs, command: PeerCommand<AgentMessage>, options: ScriptedAgentOptions): void {
  const { state } = out;
  const { peer } = state;
  if (command.do === 'send' && peer === '') {
    if (command.message.register === undefined) out.unsent(command.do);
    else dial(out, command.message, options);
  } else if (peer === '') out.unsent(command.do);
  else if (command.do === 'send') out.send(peer, command.message);
  else if (command.do === 'raw') out.outputs.push({ type: 'send_raw', peer, bytes: command.bytes });
  else if (command.do === 'end' && command.status.code !== 0) {
    state.peer = '';
    out.close(peer, command.status.code, command.status.message);
  } else out.halfClose(peer);
}
