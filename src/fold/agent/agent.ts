/**
 * The reference agent: registers, reconnects with backoff, obeys directives, and handles injections, decisions,
 * cancels and shutdown. A pure role; spec/fold/README.md is its contract.
 */
import type { Role, RoleInput, Status } from '../../kit/base/index.ts';
import { inject } from './injection.ts';
import { cancelTool, decide, end, onPackResult, receive, resume, onRequestTimer } from './request.ts';
import { StepOutputs } from './state.ts';
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
    metadata: {
      working_directory: '/',
      hostname: 'localhost',
      os: 'any',
      backend: 'wireproof',
    },
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
    }),
    step(state, input, now) {
      const out = new StepOutputs(state.peer, now, options);
      react(state, out, input, options);
      return { state, outputs: out.outputs };
    },
  };
}

function react(
  state: AgentState,
  out: StepOutputs,
  input: RoleInput<ServerMessage, never>,
  options: AgentOptions,
): void {
  if (input.type === 'started') return dial(state, out, options);
  if (input.type === 'timer') return onTimer(state, out, input.id, options);
  if (!('peer' in input) || input.peer !== state.peer || state.phase === 'stopped') return;
  switch (input.type) {
    case 'opened':
      return out.send({ register: { agent_id: state.agentId, ...options.register } });
    case 'message':
      return onMessage(state, out, input.message);
    case 'left':
      return onLost(state, out, input.status);
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

function dial(state: AgentState, out: StepOutputs, options: AgentOptions): void {
  state.phase = 'registering';
  state.peer = `agent-${state.streams}`;
  const { keepalive } = options;
  out.outputs.push({
    type: 'dial',
    peer: state.peer,
    metadata: options.metadata(state.streams++),
    ...(keepalive === undefined ? {} : { keepalive }),
  });
}

function onTimer(state: AgentState, out: StepOutputs, id: string, options: AgentOptions): void {
  if (id === 'reconnect') return dial(state, out, options);
  const request = state.requests.get(id.slice(id.indexOf(':') + 1));
  if (request !== undefined) onRequestTimer(state, out, request);
}

function onMessage(state: AgentState, out: StepOutputs, m: ServerMessage): void {
  if (m.welcome !== undefined) {
    state.phase = 'ready';
    state.failures = 0;
    state.agentId = m.welcome.agent_id ?? state.agentId;
  } else if (m.registration_error !== undefined) onRegistrationError(state, out, m.registration_error);
  else if (m.send_message !== undefined) receive(state, out, m.send_message);
  else if (m.inject_context !== undefined) inject(state, out, m.inject_context);
  else if (m.cancel_request !== undefined) cancel(state, out, m.cancel_request);
  else if (m.tool_approval !== undefined) decide(state, out, m.tool_approval);
  else if (m.pack_tool_result !== undefined) onPackResult(state, out, m.pack_tool_result);
  else if (m.shutdown !== undefined) shutdown(state, out, m.shutdown.reason ?? '');
}

function onRegistrationError(state: AgentState, out: StepOutputs, error: RegistrationError): void {
  const suggested = error.suggested_id ?? '';
  state.agentId = suggested === '' ? `${state.agentId}-1` : suggested;
  state.phase = 'refused';
  out.outputs.push({ type: 'half_close', peer: state.peer });
}

function cancel(state: AgentState, out: StepOutputs, m: CancelRequest): void {
  const request = state.requests.get(m.request_id ?? '');
  if (request === undefined) return;
  cancelTool(out, request);
  end(state, out, request, { cancelled: { reason: m.reason ?? '' } });
}

function shutdown(state: AgentState, out: StepOutputs, reason: string): void {
  const open = [...state.requests.values()];
  state.requests.clear();
  for (const request of open) {
    cancelTool(out, request);
    end(state, out, request, { error: `shutting down: ${reason}` });
  }
  state.phase = 'stopped';
  out.outputs.push({ type: 'half_close', peer: state.peer });
  out.outputs.push({ type: 'tell', what: 'stopped', detail: reason });
}

/** The stream has ended, with or without a status: its requests are over, and the agent reconnects after a wait. */
function onLost(state: AgentState, out: StepOutputs, status: Status | undefined): void {
  for (const id of state.requests.keys()) out.stopTimers(id);
  state.requests.clear();
  state.acks.clear();
  state.kept = [];
  state.full = false;
  state.phase = 'waiting';
  const wait = Math.min(longestBackoff, firstBackoff * 2 ** state.failures++);
  out.startTimer('reconnect', wait);
  const detail = status === undefined ? 'connection lost' : `status ${status.code}: ${status.message}`;
  out.outputs.push({ type: 'tell', what: 'reconnecting', detail: `${detail}; in ${wait} ms` });
}
