/** Agents' streams: registration, messages, and their end. */
import { pauseForWatchers } from './flow.ts';
import { onInjectionAck, dropInjections } from './injections.ts';
import { code, gatewayLimits } from './options.ts';
import { dropCalls, callPackTool, toolsFor } from './packs.ts';
import { failRequests, finishRequest, onResponse } from './requests.ts';
import { forgetOldest } from './state.ts';
import type { AgentLink } from './state.ts';
import type { Outputs } from './step-outputs.ts';
import type { RegisterAgent } from '../messages.ts';
import type { GatewayIn } from '../stream-codecs.ts';

/** An agent sent a message. */
export function onAgentMessage(out: Outputs, agent: AgentLink, m: GatewayIn): void {
  if (agent.listing === undefined) return onFirstMessage(out, agent, m);
  if ('response' in m && m.response !== undefined) return onResponse(out, agent, m.response);
  if ('execute_pack_tool' in m && m.execute_pack_tool !== undefined)
    return callPackTool(out, agent, m.execute_pack_tool);
  if ('injection_ack' in m && m.injection_ack !== undefined)
    return onInjectionAck(out, agent, m.injection_ack);
  if ('heartbeat' in m) return;
  const ignored = 'register' in m ? 'a second register' : 'a message without a known payload';
  out.tell('ignored', `${ignored} of ${agent.listing.id}`);
}

/** The first message must be register, with an id that no live agent has. */
function onFirstMessage(out: Outputs, agent: AgentLink, m: GatewayIn): void {
  if (!('register' in m) || m.register === undefined)
    return out.end(agent.peer, code.invalid, 'the first message must be register');
  const id = m.register.agent_id ?? '';
  if (id === '') return out.end(agent.peer, code.invalid, 'agent_id is required');
  if (out.state.agents.has(id)) return refuseDuplicate(out, agent, id);
  welcome(out, agent, id, m.register);
}

/** Decision 10: ALREADY_EXISTS with a text that published clients look for; or RegistrationError. */
function refuseDuplicate(out: Outputs, agent: AgentLink, id: string): void {
  const reason = `agent ${id} already registered`;
  if (out.settings.duplicates === 'already_exists') return out.end(agent.peer, code.exists, reason);
  let n = 2;
  while (out.state.agents.has(`${id}-${n}`)) n++;
  out.send(agent.peer, { registration_error: { reason, suggested_id: `${id}-${n}` } });
  out.end(agent.peer, code.ok, '');
}

function welcome(out: Outputs, agent: AgentLink, agent_id: string, register: RegisterAgent): void {
  const { state, settings } = out;
  const { name = '', capabilities = [], metadata = {}, protocol_features = [] } = register;
  const { workspaces = [], working_directory: working_dir = '', backend = '' } = metadata;
  const instance_id = out.newId();
  agent.listing = { id: agent_id, instance_id, name, capabilities, workspaces, working_dir, backend };
  agent.features = new Set(protocol_features);
  agent.token = out.newId();
  state.agents.set(agent_id, agent.peer);
  state.known.delete(agent_id);
  if (agent_id.length <= gatewayLimits.name) state.known.add(agent_id);
  forgetOldest(state.known, gatewayLimits.known);
  const available_tools = toolsFor(out, capabilities);
  const { server_id, mcp_endpoint } = settings;
  const welcome = {
    server_id,
    agent_id,
    instance_id,
    principal_id: agent.principal,
    mcp_token: agent.token,
    ...(available_tools.length === 0 ? {} : { available_tools }),
    ...(mcp_endpoint === '' ? {} : { mcp_endpoint }),
  };
  out.toAgent(agent, { welcome });
  out.tell('agent ready', agent_id);
  pauseForWatchers(out, agent);
}

/** An agent's stream has ended: its requests end with an error, and its id is free (G10, G25). */
export function agentLost(out: Outputs, agent: AgentLink, reason: string): void {
  const { state } = out;
  const { listing } = agent;
  if (listing === undefined) {
    state.links.delete(agent.peer);
    return;
  }
  agent.pausedBy.clear();
  state.agents.delete(listing.id);
  failRequests(out, agent.requests, `agent ${listing.id} was lost: ${reason}`);
  dropCalls(out, agent);
  dropInjections(out, agent);
  state.links.delete(agent.peer);
  out.tell('agent lost', `${listing.id}: ${reason}`);
}

/** The agent half-closed: that ends its stream. */
export function onAgentHalfClose(out: Outputs, agent: AgentLink): void {
  if (agent.listing === undefined)
    return out.end(
      agent.peer,
      code.invalid,
      'the first message must be register; the stream ended before it',
    );
  out.close(agent.peer, code.ok, '');
  agentLost(out, agent, 'it closed its stream');
}

/** Closes an agent's stream. */
export function disconnectAgent(out: Outputs, agent: AgentLink, status: number, reason: string): void {
  out.close(agent.peer, status, reason);
  agentLost(out, agent, reason);
}

/** No terminal came after a CancelRequest: the gateway ends the request ("Timeout Behavior", section 4). */
export function onCancelTimeout(out: Outputs, id: string): void {
  const { requests, links } = out.state;
  const request = requests.get(id);
  if (request === undefined) return;
  const error = `no answer to cancel within ${out.settings.timeouts.cancel} ms`;
  out.tell('cancel timed out', `${request.agent_id}, request ${id}: ${error}`);
  finishRequest(out, request, { error: { error } });
  const agent = links.get(request.agent);
  if (agent?.kind === 'agent' && out.settings.disconnect_unresponsive)
    disconnectAgent(out, agent, code.unavailable, error);
}
