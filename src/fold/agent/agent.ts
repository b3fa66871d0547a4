/**
 * The reference agent: lives as every agent does (shell.ts), and obeys directives. A pure role; spec/fold/README.md is
 * its contract.
 */
import type { Role } from '../../kit/base/index.ts';
import { place, refusal } from './injection.ts';
import { begin, decide, onPackResult, onRequestTimer, receive, resume, stop } from './request.ts';
import { stepShell } from './shell.ts';
import type { AgentWorker } from './shell.ts';
import { newShellState } from './shell-state.ts';
import { Outputs } from './state.ts';
import type { ActiveRequest, AgentOptions, AgentState } from './state.ts';
import { protocolFeatures } from '../messages.ts';
import type { AgentMessage, ServerMessage } from '../messages.ts';

export type { AgentOptions, AgentState } from './state.ts';

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
      ...newShellState<ActiveRequest>(options.agent_id),
      tools: 0,
      packs: 0,
      kept: [],
      arrivals: 0,
      answered: 0,
    }),
    step(state, input, now) {
      const out = new Outputs(state, now, options);
      stepShell(out, directiveWorker, input);
      return { state, outputs: out.outputs };
    },
  };
}

/** Works through the directives of requests. */
const directiveWorker: AgentWorker<Outputs, ActiveRequest> = {
  receive,
  begin,
  stop,
  refusal,
  place,
  decide,
  packResult: onPackResult,
  timer(out, id) {
    const request = out.state.requests.get(id.slice(id.indexOf(':') + 1));
    if (request !== undefined) onRequestTimer(out, request);
  },
  drained(out) {
    for (const request of out.state.requests.values()) resume(out, request);
  },
  lost(out) {
    for (const id of out.state.requests.keys()) out.stopTimers(id);
    out.state.kept = [];
  },
};
