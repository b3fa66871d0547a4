/**
 * Requests: from an operator's send to one terminal. Events go to who asked and to who listens to all; what is
 * about no running request of the agent's own is ignored (G19–G24, G41).
 */
import { ask, dropApprovals } from './approvals.ts';
import { replyOf } from './events.ts';
import { hangUp } from './flow.ts';
import { code, gatewayLimits } from './options.ts';
import { agentOn, keepLast } from './state.ts';
import type { ActiveRequest, AgentLink, GatewayState, OperatorLink, StepOutputs, SendCall } from './state.ts';
import { countsOf, tokenCounts } from './ledger.ts';
import type { MessageResponse, TokenUsage } from '../messages.ts';
import { terminalEvents, eventOf } from '../messages.ts';
import type { OperatorReply } from '../operator.ts';

/** The agent that a send is for: the named one, else the thread's, else the first that is there. */
function agentFor({ state }: StepOutputs, call: SendCall): AgentLink | { code: number; message: string } {
  const id = call.agent_id === '' ? (state.threads.get(call.thread_id) ?? '') : call.agent_id;
  if (id === '')
    return (
      agentOn(state, firstOf(state.agents)) ?? { code: code.unavailable, message: 'no agent is connected' }
    );
  const agent = agentOn(state, state.agents.get(id));
  if (agent !== undefined) return agent;
  // A thread's agent was there once.
  return call.agent_id === '' || state.known.has(id)
    ? { code: code.unavailable, message: `agent ${id} is offline` }
    : { code: code.unknown, message: `unknown agent ${id}` };
}

const firstOf = (agents: GatewayState['agents']): string | undefined => {
  for (const peer of agents.values()) return peer;
  return undefined;
};

/** Gives an agent work, and its events to the operator; or refuses. */
export function begin(pen: StepOutputs, link: OperatorLink, call: SendCall): void {
  const { state } = pen;
  if (state.phase !== 'running') return hangUp(pen, link, code.unavailable, 'the gateway is stopping');
  const agent = agentFor(pen, call);
  if ('code' in agent) return hangUp(pen, link, agent.code, agent.message);
  if (agent.full || agent.requests.size >= gatewayLimits.requests)
    return hangUp(pen, link, code.exhausted, 'the agent can take no more for now; try again');
  const id = pen.fresh();
  const thread_id = call.thread_id === '' ? pen.fresh() : call.thread_id;
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
  remember(state, thread_id, agent_id);
  const { content, sender, attachments } = call;
  const files = attachments.length === 0 ? {} : { attachments };
  pen.toAgent(agent, { send_message: { request_id: id, thread_id, sender, content, ...files } });
  emit(pen, request, { started: { thread_id, request_id: id, agent_id } });
}

/** The agent of a thread is the one that was last given work in it. */
function remember({ threads }: GatewayState, thread: string, agent: string): void {
  threads.delete(thread);
  if (thread.length > gatewayLimits.name || agent.length > gatewayLimits.name) return;
  threads.set(thread, agent);
  keepLast(threads, gatewayLimits.threads);
}

/** Says one event of a request to whom it concerns. */
function emit(pen: StepOutputs, request: ActiveRequest, reply: OperatorReply): void {
  if (request.operator !== '') pen.send(request.operator, reply);
  const { watchers } = pen.state;
  if (watchers.size === 0) return;
  const { id: request_id, thread_id, agent_id } = request;
  const [name = '', data]: unknown[] = Object.entries(reply)[0] ?? [];
  const event = { request_id, thread_id, agent_id, name: String(name), data };
  for (const watcher of watchers) pen.send(watcher, { event });
}

/** An agent answers. */
export function respond(pen: StepOutputs, agent: AgentLink, response: MessageResponse): void {
  const request = pen.state.requests.get(response.request_id ?? '');
  // Unknown, finished, or another agent's: all the same to this one.
  if (request === undefined || request.agent !== agent.peer)
    return pen.tell(
      'ignored',
      `a response for request ${response.request_id ?? ''}, which does not run there`,
    );
  const reply = replyOf(response);
  if (reply === undefined) return pen.tell('ignored', `a response without a known event for ${request.id}`);
  if (response.text !== undefined) return emit(pen, request, reply);
  const event = eventOf(response);
  if (event !== undefined && terminalEvents.has(event)) return finish(pen, request, reply);
  if (response.usage !== undefined) record(pen, request, response.usage);
  emit(pen, request, reply);
  if (response.tool_approval_request !== undefined)
    ask(pen, agent, request, response.tool_approval_request.id ?? '');
}

/** Writes usage down. A negative count is the agent's fault (A39), and lowers no sum. */
function record(pen: StepOutputs, request: ActiveRequest, usage: TokenUsage): void {
  const counts = countsOf(usage);
  for (const name of tokenCounts) counts[name] = Math.max(0, counts[name]);
  const { id: request_id, agent_id, thread_id } = request;
  const entry = { at: pen.unix, request_id, agent_id, thread_id, usage: counts };
  pen.effect(`append:${request_id}`, { ledger: 'append', entry });
}

/** Ends a request, by the agent's terminal or by one of the gateway's own. */
export function finish(pen: StepOutputs, request: ActiveRequest, terminal: OperatorReply): void {
  const { state } = pen;
  emit(pen, request, terminal);
  if (request.cancelling) pen.stopTimer(`cancel:${request.id}`);
  dropApprovals(pen, request);
  const operator = state.links.get(request.operator);
  if (operator?.kind === 'operator') hangUp(pen, operator, code.ok);
  state.requests.delete(request.id);
  agentOn(state, request.agent)?.requests.delete(request.id);
  state.finished.add(request.id);
  keepLast(state.finished, gatewayLimits.finished);
}

/** Ends all requests of an agent, or of all, in error. */
export function failAll(pen: StepOutputs, ids: Iterable<string>, error: string): void {
  for (const id of ids) {
    const request = pen.state.requests.get(id);
    if (request !== undefined) finish(pen, request, { error: { error } });
  }
}

/** Asks the agent to stop; one that never learnt to is not asked, and the request is over here and now (G15). */
export function cancel(pen: StepOutputs, request: ActiveRequest, reason: string | undefined): void {
  const agent = agentOn(pen.state, request.agent);
  if (request.cancelling || agent === undefined) return;
  if (!agent.features.has('cancellation'))
    return finish(pen, request, { canceled: { reason: reason ?? '' } });
  request.cancelling = true;
  const why = reason === undefined ? {} : { reason };
  pen.toAgent(agent, { cancel_request: { request_id: request.id, ...why } });
  pen.startTimer(`cancel:${request.id}`, pen.settings.timeouts.cancel);
}
