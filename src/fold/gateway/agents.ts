/** Agents' streams: how they register, what they say, and how they are lost. */
import { holdNew } from './flow.ts';
import { acked, dropInjections } from './injections.ts';
import { code, gatewayLimits } from './options.ts';
import { dropCalls, execute, toolsFor } from './packs.ts';
import { failAll, finish, respond } from './requests.ts';
import { keepLast } from './state.ts';
import type { AgentLink, StepOutputs } from './state.ts';
import type { RegisterAgent } from '../messages.ts';
import type { GatewayIn } from '../stream-codecs.ts';

/** An agent says something. */
export function heard(pen: StepOutputs, agent: AgentLink, m: GatewayIn): void {
  if (agent.listing === undefined) return first(pen, agent, m);
  if ('response' in m && m.response !== undefined) return respond(pen, agent, m.response);
  if ('execute_pack_tool' in m && m.execute_pack_tool !== undefined)
    return execute(pen, agent, m.execute_pack_tool);
  if ('injection_ack' in m && m.injection_ack !== undefined) return acked(pen, agent, m.injection_ack);
  if ('heartbeat' in m) return;
  const what = 'register' in m ? 'a second register' : 'a message without a known payload';
  pen.tell('ignored', `${what} of ${agent.listing.id}`);
}

/** The first message must be register, with an id that nobody has. */
function first(pen: StepOutputs, agent: AgentLink, m: GatewayIn): void {
  if (!('register' in m) || m.register === undefined)
    return turnAway(pen, agent, code.invalid, 'the first message must be register');
  const id = m.register.agent_id ?? '';
  if (id === '') return turnAway(pen, agent, code.invalid, 'agent_id is required');
  if (pen.state.agents.has(id)) return taken(pen, agent, id);
  welcome(pen, agent, id, m.register);
}

/** Closes the stream of one that is not registered. */
export function turnAway(pen: StepOutputs, agent: AgentLink, status: number, message: string): void {
  pen.close(agent.peer, status, message);
  pen.state.links.delete(agent.peer);
}

/** Decision 10: ALREADY_EXISTS with a text that agents in the field match; or RegistrationError. */
function taken(pen: StepOutputs, agent: AgentLink, id: string): void {
  const reason = `agent ${id} already registered`;
  if (pen.settings.duplicates === 'already_exists') return turnAway(pen, agent, code.exists, reason);
  let n = 2;
  while (pen.state.agents.has(`${id}-${n}`)) n++;
  pen.send(agent.peer, { registration_error: { reason, suggested_id: `${id}-${n}` } });
  turnAway(pen, agent, code.ok, '');
}

function welcome(pen: StepOutputs, agent: AgentLink, agent_id: string, register: RegisterAgent): void {
  const { state, settings } = pen;
  const { name = '', capabilities = [], metadata = {}, protocol_features = [] } = register;
  const { workspaces = [], working_directory: working_dir = '', backend = '' } = metadata;
  const instance_id = pen.fresh();
  agent.listing = { id: agent_id, instance_id, name, capabilities, workspaces, working_dir, backend };
  agent.features = new Set(protocol_features);
  agent.token = pen.fresh();
  state.agents.set(agent_id, agent.peer);
  state.known.delete(agent_id);
  if (agent_id.length <= gatewayLimits.name) state.known.add(agent_id);
  keepLast(state.known, gatewayLimits.known);
  const available_tools = toolsFor(pen, capabilities);
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
  pen.toAgent(agent, { welcome });
  pen.tell('agent ready', agent_id);
  holdNew(pen, agent);
}

/** An agent is gone, however: what it was doing ends in error, and its id is free (G10, G25). */
export function lose(pen: StepOutputs, agent: AgentLink, why: string): void {
  const { state } = pen;
  const { listing } = agent;
  if (listing === undefined) {
    state.links.delete(agent.peer);
    return;
  }
  agent.heldBy.clear();
  state.agents.delete(listing.id);
  failAll(pen, agent.requests, `agent ${listing.id} was lost: ${why}`);
  dropCalls(pen, agent);
  dropInjections(pen, agent);
  state.links.delete(agent.peer);
  pen.tell('agent lost', `${listing.id}: ${why}`);
}

/** The agent will say no more: that ends its stream. */
export function saidAll(pen: StepOutputs, agent: AgentLink): void {
  if (agent.listing === undefined)
    return turnAway(
      pen,
      agent,
      code.invalid,
      'the first message must be register; the stream ended before it',
    );
  pen.close(agent.peer, code.ok, '');
  lose(pen, agent, 'it closed its stream');
}

/** Closes an agent's stream. */
export function disconnect(pen: StepOutputs, agent: AgentLink, status: number, why: string): void {
  pen.close(agent.peer, status, why);
  lose(pen, agent, why);
}

/** No terminal came after a CancelRequest: the request is over without it ("Timeout Behavior", section 4). */
export function cancelTimedOut(pen: StepOutputs, id: string): void {
  const { requests, links } = pen.state;
  const request = requests.get(id);
  if (request === undefined) return;
  const error = `no answer to cancel within ${pen.settings.timeouts.cancel} ms`;
  pen.tell('cancel timed out', `${request.agent_id}, request ${id}: ${error}`);
  finish(pen, request, { error: { error } });
  const agent = links.get(request.agent);
  if (agent?.kind === 'agent' && pen.settings.disconnect_unresponsive)
    disconnect(pen, agent, code.unavailable, error);
}
