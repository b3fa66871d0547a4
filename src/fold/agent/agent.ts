/**
 * The reference agent: registers, backs off, obeys directives, takes injections, decisions, cancels and
 * shutdown. A pure role; spec/fold/README.md is its contract.
 */
import type { Role, RoleInput, RoleOutput, Status } from '../../kit/base/index.ts';
import { inject } from './injection.ts';
import { decide, dropTool, end, packAnswered, resume, take, turn } from './request.ts';
import { StepOutputs } from './state.ts';
import type { AgentOptions, AgentState } from './state.ts';
import { protocolFeatures } from '../messages.ts';
import type { AgentMessage, CancelRequest, RegistrationError, ServerMessage } from '../messages.ts';

export type { AgentOptions, AgentState } from './state.ts';

/** First wait before a reconnect; it doubles (ms). */
const backoffFirst = 500;
const backoffMost = 4000;

/** The reference agent as a role. */
export type AgentRole = Role<AgentState, ServerMessage, AgentMessage, never>;

/** What the reference agent is when nobody says otherwise. */
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
      const pen = new StepOutputs(state.peer, now, options);
      react(state, pen, input, options);
      return { state, outputs: pen.outputs };
    },
  };
}

function react(
  state: AgentState,
  pen: StepOutputs,
  input: RoleInput<ServerMessage, never>,
  options: AgentOptions,
): void {
  if (input.type === 'started') return dial(state, pen, options);
  if (input.type === 'timer') return timer(state, pen, input.id, options);
  if (!('peer' in input) || input.peer !== state.peer || state.phase === 'stopped') return;
  switch (input.type) {
    case 'opened':
      return pen.send({ register: { agent_id: state.agentId, ...options.register } });
    case 'message':
      return message(state, pen, input.message);
    case 'left':
      return lost(state, pen, input.status);
    case 'full':
      state.full = true;
      return;
    case 'drained':
      state.full = false;
      for (const request of state.requests.values()) resume(pen, request);
      return;
    case 'headers':
    case 'half_close':
    case 'undecodable':
      return;
    default:
      input satisfies never;
  }
}

function dial(state: AgentState, pen: StepOutputs, options: AgentOptions): void {
  state.phase = 'registering';
  state.peer = `agent-${state.streams}`;
  const { keepalive } = options;
  pen.outputs.push({
    type: 'dial',
    peer: state.peer,
    metadata: options.metadata(state.streams++),
    ...(keepalive === undefined ? {} : { keepalive }),
  });
}

function timer(state: AgentState, pen: StepOutputs, id: string, options: AgentOptions): void {
  if (id === 'reconnect') return dial(state, pen, options);
  const request = state.requests.get(id.slice(id.indexOf(':') + 1));
  if (request !== undefined) turn(state, pen, request);
}

function message(state: AgentState, pen: StepOutputs, m: ServerMessage): void {
  if (m.welcome !== undefined) {
    state.phase = 'ready';
    state.failures = 0;
    state.agentId = m.welcome.agent_id ?? state.agentId;
  } else if (m.registration_error !== undefined) refused(state, pen, m.registration_error);
  else if (m.send_message !== undefined) take(state, pen, m.send_message);
  else if (m.inject_context !== undefined) inject(state, pen, m.inject_context);
  else if (m.cancel_request !== undefined) cancel(state, pen, m.cancel_request);
  else if (m.tool_approval !== undefined) decide(state, pen, m.tool_approval);
  else if (m.pack_tool_result !== undefined) packAnswered(state, pen, m.pack_tool_result);
  else if (m.shutdown !== undefined) shutdown(state, pen, m.shutdown.reason ?? '');
}

function refused(state: AgentState, pen: StepOutputs, error: RegistrationError): void {
  const suggested = error.suggested_id ?? '';
  state.agentId = suggested === '' ? `${state.agentId}-1` : suggested;
  state.phase = 'refused';
  pen.outputs.push({ type: 'half_close', peer: state.peer });
}

function cancel(state: AgentState, pen: StepOutputs, m: CancelRequest): void {
  const request = state.requests.get(m.request_id ?? '');
  if (request === undefined) return;
  dropTool(pen, request);
  end(state, pen, request, { cancelled: { reason: m.reason ?? '' } });
}

function shutdown(state: AgentState, pen: StepOutputs, reason: string): void {
  const open = [...state.requests.values()];
  state.requests.clear();
  for (const request of open) {
    dropTool(pen, request);
    end(state, pen, request, { error: `shutting down: ${reason}` });
  }
  state.phase = 'stopped';
  pen.outputs.push({ type: 'half_close', peer: state.peer });
  pen.outputs.push({ type: 'tell', what: 'stopped', detail: reason });
}

/** The stream is gone, however: its requests are over, and a new one is opened after a while. */
function lost(state: AgentState, pen: StepOutputs, status: Status | undefined): void {
  for (const id of state.requests.keys()) for (const t of ['turn', 'wait']) pen.stopTimer(`${t}:${id}`);
  state.requests.clear();
  state.acks.clear();
  state.kept = [];
  state.full = false;
  state.phase = 'waiting';
  const wait = Math.min(backoffMost, backoffFirst * 2 ** state.failures++);
  pen.startTimer('reconnect', wait);
  const detail = status === undefined ? 'connection lost' : `status ${status.code}: ${status.message}`;
  const told: RoleOutput<AgentMessage> = {
    type: 'tell',
    what: 'reconnecting',
    detail: `${detail}; in ${wait} ms`,
  };
  pen.outputs.push(told);
}
