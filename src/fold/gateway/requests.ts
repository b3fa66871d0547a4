/**
 * Requests: from an operator's send to one terminal. Events go to the operator that sent it and to operators that
 * receive all events. Responses to no running request of their agent are ignored (G19–G24, G41).
 */
import type { Status } from '../../kit/base/index.ts';
import { watchBudget } from './alerts.ts';
import { awaitApproval, dropApprovals } from './approvals.ts';
import { replyOf } from './events.ts';
import { endCall } from './flow.ts';
import { code, gatewayLimits } from './options.ts';
import { agentNamed, agentOn, forgetOldest } from './state.ts';
import type { ActiveRequest, AgentLink, GatewayState, OperatorLink, SendCall } from './state.ts';
import type { Outputs } from './step-outputs.ts';
import type { MessageResponse, TokenUsage } from '../messages.ts';
import { countsOf, eventOf, terminalEvents, usageCounts } from '../messages.ts';
import type { OperatorReply } from '../operator.ts';

/** The agent of a send: the named one, else the thread's, else the first that is connected. */
function agentFor({ state }: Outputs, call: SendCall): AgentLink | Status {
  const id = call.agent_id === '' ? (state.threads.get(call.thread_id) ?? '') : call.agent_id;
  const [first] = state.agents.values();
  const agent = id === '' ? agentOn(state, first) : agentNamed(state, id);
  if (agent !== undefined) return agent;
  if (id === '') return { code: code.unavailable, message: 'no agent is connected' };
  // A thread's agent was connected before.
  return call.agent_id === '' || state.known.has(id)
    ? { code: code.unavailable, message: `agent ${id} is offline` }
    : { code: code.unknown, message: `unknown agent ${id}` };
}

/** Sends a request to an agent, and its events to the operator. @returns the status that refuses it */
export function startRequest(out: Outputs, link: OperatorLink, call: SendCall): Status | undefined {
  const { state } = out;
  if (state.phase !== 'running') return { code: code.unavailable, message: 'the gateway is stopping' };
  const agent = agentFor(out, call);
  if ('code' in agent) return agent;
  if (agent.full || agent.requests.size >= gatewayLimits.requests)
    return { code: code.exhausted, message: 'the agent can take no more for now; try again' };
  const id = out.newId();
  const thread_id = call.thread_id === '' ? out.newId() : call.thread_id;
  const agent_id = agent.listing?.id ?? '';
  const request: ActiveRequest = {
    id,
    thread_id,
    agent_id,
    agent: agent.peer,
    operator: link.peer,
    cancelling: false,
    approvals: new Set(),
  };
  state.requests.set(id, request);
  agent.requests.add(id);
  link.request = id;
  rememberThread(state, thread_id, agent_id);
  const { content, sender, attachments } = call;
  const files = attachments.length === 0 ? {} : { attachments };
  out.toAgent(agent, { send_message: { request_id: id, thread_id, sender, content, ...files } });
  sendEvent(out, request, { started: { thread_id, request_id: id, agent_id } });
  return undefined;
}

/** Remembers the agent of a thread: the agent of its last request. */
function rememberThread({ threads }: GatewayState, thread: string, agent: string): void {
  threads.delete(thread);
  if (thread.length > gatewayLimits.name || agent.length > gatewayLimits.name) return;
  threads.set(thread, agent);
  forgetOldest(threads, gatewayLimits.threads);
}

/** Sends one event of a request to its operator, and to the operators that receive all events. */
function sendEvent(out: Outputs, request: ActiveRequest, reply: OperatorReply): void {
  if (request.operator !== '') out.send(request.operator, reply);
  const { watchers } = out.state;
  if (watchers.size === 0) return;
  const { id: request_id, thread_id, agent_id } = request;
  const [name = '', data]: unknown[] = Object.entries(reply)[0] ?? [];
  const event = { request_id, thread_id, agent_id, name: String(name), data };
  for (const watcher of watchers) out.send(watcher, { event });
}

/** An agent sent a response. */
export function onResponse(out: Outputs, agent: AgentLink, response: MessageResponse): void {
  const { request_id: id = '' } = response;
  const request = out.state.requests.get(id);
  // The request is unknown, finished, or another agent's.
  if (request === undefined || request.agent !== agent.peer)
    return out.tell('ignored', `a response for request ${id}, which does not run there`);
  const reply = replyOf(response);
  if (reply === undefined) return out.tell('ignored', `a response without a known event for ${id}`);
  if (response.text !== undefined) return sendEvent(out, request, reply);
  const event = eventOf(response);
  if (event !== undefined && terminalEvents.has(event)) return finishRequest(out, request, reply);
  if (response.usage !== undefined) recordUsage(out, request, response.usage);
  sendEvent(out, request, reply);
  if (response.tool_approval_request !== undefined)
    awaitApproval(out, agent, request, response.tool_approval_request.id ?? '');
}

/** Records usage. A negative count is the agent's fault (A39), and counts as 0. */
function recordUsage(out: Outputs, request: ActiveRequest, usage: TokenUsage): void {
  const counts = countsOf(usage);
  for (const name of usageCounts) counts[name] = Math.max(0, counts[name]);
  const { id: request_id, agent_id, thread_id } = request;
  const entry = { at: out.unix, request_id, agent_id, thread_id, usage: counts };
  out.effect(`append:${request_id}`, { ledger: 'append', entry });
  watchBudget(out, request);
}

/** Ends a request with the agent's terminal or one of the gateway's own. */
export function finishRequest(out: Outputs, request: ActiveRequest, terminal: OperatorReply): void {
  const { state } = out;
  sendEvent(out, request, terminal);
  if (request.cancelling) out.stopTimer(`cancel:${request.id}`);
  dropApprovals(out, request);
  const operator = state.links.get(request.operator);
  if (operator?.kind === 'operator') endCall(out, operator, code.ok);
  state.requests.delete(request.id);
  agentOn(state, request.agent)?.requests.delete(request.id);
  state.finished.add(request.id);
  forgetOldest(state.finished, gatewayLimits.finished);
}

/** Ends requests with an error. */
export function failRequests(out: Outputs, ids: Iterable<string>, error: string): void {
  for (const id of ids) {
    const request = out.state.requests.get(id);
    if (request !== undefined) finishRequest(out, request, { error: { error } });
  }
}

/** Sends a CancelRequest. The request of an agent without the feature ends at once, without one (G15). */
export function cancelRequest(out: Outputs, request: ActiveRequest, reason: string | undefined): void {
  const agent = agentOn(out.state, request.agent);
  if (request.cancelling || agent === undefined) return;
  if (!agent.features.has('cancellation'))
    return finishRequest(out, request, { canceled: { reason: reason ?? '' } });
  request.cancelling = true;
  const why = reason === undefined ? {} : { reason };
  out.toAgent(agent, { cancel_request: { request_id: request.id, ...why } });
  out.startTimer(`cancel:${request.id}`, out.settings.timeouts.cancel);
}
