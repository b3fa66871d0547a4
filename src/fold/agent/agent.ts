/**
 * The reference agent: registers, reconnects with backoff, obeys directives, and handles injections, decisions,
 * cancels and shutdown. A pure role; spec/fold/README.md is its contract.
 */
import type { Role, RoleInput, Status } from '../../kit/base/index.ts';
import { inject } from './injection.ts';
import { cancelTool, decide, end, onPackResult, receive, resume, onRequestTimer } from './request.ts';
import { Outputs } from './state.ts';
import type { AgentOptions, AgentState } from './state.ts';
import { protocolFeatures } from '../messages.ts';
import type { AgentMessage, CancelRequest, RegistrationError, ServerMessage } from '../messages.ts';

export type { AgentOptions, AgentState } from './state.ts';

/** The wait before the first reconnect, doubled each time up to the longest (ms). */
const firstBackoff = 500;
const longestBackoff = 4000;

/** The reference agent as a role. */
export type AgentRole = Role<AgentState, ServerMessage, AgentMessage, never>;

/** The default options of the reference agent. */
export const defaultAgentOptions: AgentOptions = {
  agent_id: 'wireproof-agent',
  register: {
    name: 'Wireproof reference agent',
    capabilities: ['chat'],
    metadata: { working_directory: '/', hostname: 'localhost', os: 'any', backend: 'wireproof' },
    protocol_features: protocolFeatures,
  },
  epoch: 0,
  metadata: () => ({}),
};

/**
 * Makes the reference agent.
 *
 * @example
 * const role = agent({ agent_id: 'a-1' });
 * role.step(role.start(), { type: 'started' }, 0).outputs[0]?.type; // 'dial'
 */
export function agent(overrides: Partial<AgentOptions> = {}): AgentRole {
  const options: AgentOptions = { ...defaultAgentOptions, ...overrides };
  return {
    name: 'fold/agent',
    start: () => ({
      phase: 'new',
      agentId: options.agent_id,
      peer: '',
      streams: 0,
      failures: 0,
      full: false,
      tools: 0,
      packs: 0,
      requests: new Map(),
      acks: new Map(),
      kept: [],
      arrivals: 0,
      starts: 0,
      answered: 0,
    }),
    step(state, input, now) {
      const out = new Outputs(state, now, options);
      react(out, input);
      return { state, outputs: out.outputs };
    },
  };
}

function react(out: Outputs, input: RoleInput<ServerMessage, never>): void {
  const { state } = out;
  if (input.type === 'started') return dial(out);
  if (input.type === 'timer') return onTimer(out, input.id);
  if (!('peer' in input) || input.peer !== state.peer || state.phase === 'stopped') return;
  switch (input.type) {
    case 'opened':
      return out.toGateway({ register: { agent_id: state.agentId, ...out.options.register } });
    case 'message':
      return onMessage(out, input.message);
    case 'left':
      return onLost(out, input.status);
    case 'full':
      state.full = true;
      return;
    case 'drained':
      state.full = false;
      for (const request of state.requests.values()) resume(out, request);
      return;
    case 'headers':
    case 'half_close':
    case 'undecodable':
      return;
    default:
      input satisfies never;
  }
}

function dial(out: Outputs): void {
  const { state, options } = out;
  state.phase = 'registering';
  state.peer = `agent-${state.streams}`;
  out.dial(state.peer, options.metadata(state.streams++), options.keepalive);
}

function onTimer(out: Outputs, id: string): void {
  const { state } = out;
  if (id === 'reconnect') return dial(out);
  const request = state.requests.get(id.slice(id.indexOf(':') + 1));
  if (request !== undefined) onRequestTimer(out, request);
}

function onMessage(out: Outputs, m: ServerMessage): void {
  const { state } = out;
  if (m.welcome !== undefined) {
    state.phase = 'ready';
    state.failures = 0;
    state.agentId = m.welcome.agent_id ?? state.agentId;
  } else if (m.registration_error !== undefined) onRegistrationError(out, m.registration_error);
  else if (m.send_message !== undefined) receive(out, m.send_message);
  else if (m.inject_context !== undefined) inject(out, m.inject_context);
  else if (m.cancel_request !== undefined) cancel(out, m.cancel_request);
  else if (m.tool_approval !== undefined) decide(out, m.tool_approval);
  else if (m.pack_tool_result !== undefined) onPackResult(out, m.pack_tool_result);
  else if (m.shutdown !== undefined) shutdown(out, m.shutdown.reason ?? '');
}

function onRegistrationError(out: Outputs, error: RegistrationError): void {
  const { state } = out;
  const suggested = error.suggested_id ?? '';
  state.agentId = suggested === '' ? `${state.agentId}-1` : suggested;
  state.phase = 'refused';
  out.halfClose(state.peer);
}

function cancel(out: Outputs, m: CancelRequest): void {
  const { state } = out;
  const request = state.requests.get(m.request_id ?? '');
  if (request === undefined) return;
  cancelTool(out, request);
  end(out, request, { cancelled: { reason: m.reason ?? '' } });
}

function shutdown(out: Outputs, reason: string): void {
  const { state } = out;
  const open = [...state.requests.values()];
  state.requests.clear();
  for (const request of open) {
    cancelTool(out, request);
    end(out, request, { error: `shutting down: ${reason}` });
  }
  state.phase = 'stopped';
  out.halfClose(state.peer);
  out.tell('stopped', reason);
}

/** The stream has ended, with or without a status: its requests are over, and the agent reconnects after a wait. */
function onLost(out: Outputs, status: Status | undefined): void {
  const { state } = out;
  for (const id of state.requests.keys()) out.stopTimers(id);
  state.requests.clear();
  state.acks.clear();
  state.kept = [];
  state.full = false;
  state.phase = 'waiting';
  const wait = Math.min(longestBackoff, firstBackoff * 2 ** state.failures++);
  out.startTimer('reconnect', wait);
  const detail = status === undefined ? 'connection lost' : `status ${status.code}: ${status.message}`;
  out.tell('reconnecting', `${detail}; in ${wait} ms`);
}
