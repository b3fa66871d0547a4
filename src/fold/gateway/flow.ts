/**
 * Backpressure, and the end of operators' calls. An operator whose carrier is full pauses the agents of its requests;
 * after a timeout its call is closed. Nothing is queued here.
 */
import { code } from './options.ts';
import { agentOn } from './state.ts';
import type { AgentLink, Link, OperatorLink } from './state.ts';
import type { Outputs } from './step-outputs.ts';

/** A carrier is full. */
export function onFull(out: Outputs, link: Link): void {
  if (link.full) return;
  link.full = true;
  if (link.kind !== 'operator') return;
  for (const peer of feedingAgents(out, link)) pauseAgent(agentOn(out.state, peer), out, link);
  out.startTimer(`stalled:${link.peer}`, out.settings.timeouts.stalled);
}

/** A carrier has room again. */
export function onDrained(out: Outputs, link: Link): void {
  link.full = false;
  if (link.kind === 'agent') link.unread = 0;
  else if (link.kind === 'operator') resumeAgents(out, link);
}

/** An operator's carrier was full too long. */
export function onStalledTimeout(out: Outputs, peer: string): void {
  const link = out.state.links.get(peer);
  if (link?.kind !== 'operator') return;
  out.tell('operator stalled', `${peer} took nothing for ${out.settings.timeouts.stalled} ms`);
  endCall(out, link, code.exhausted, 'the events were not read in time; read faster, or ask for fewer');
}

/** Pauses a new agent for every full operator that receives all events. */
export function pauseForWatchers(out: Outputs, agent: AgentLink): void {
  for (const peer of out.state.watchers) {
    const link = out.state.links.get(peer);
    if (link?.kind === 'operator' && link.full) pauseAgent(agent, out, link);
  }
}

/** The streams of the agents whose events an operator receives: all agents, or its request's. */
function feedingAgents({ state }: Outputs, link: OperatorLink): Iterable<string> {
  if (state.watchers.has(link.peer)) return state.agents.values();
  const request = state.requests.get(link.request);
  return request === undefined ? [] : [request.agent];
}

function pauseAgent(agent: AgentLink | undefined, out: Outputs, link: OperatorLink): void {
  if (agent === undefined) return;
  if (agent.pausedBy.size === 0) out.outputs.push({ type: 'pause', peer: agent.peer });
  agent.pausedBy.add(link.peer);
  link.pausing.add(agent.peer);
}

/** Resumes the agents that only this operator paused. */
function resumeAgents(out: Outputs, link: OperatorLink): void {
  out.stopTimer(`stalled:${link.peer}`);
  for (const peer of link.pausing) {
    const agent = agentOn(out.state, peer);
    if (agent?.pausedBy.delete(link.peer) === true && agent.pausedBy.size === 0)
      out.outputs.push({ type: 'resume', peer });
  }
  link.pausing.clear();
}

/** An operator's call has ended; its request continues without it. */
export function removeOperator(out: Outputs, link: OperatorLink): void {
  const { state } = out;
  if (link.full) resumeAgents(out, link);
  const request = state.requests.get(link.request);
  if (request !== undefined) request.operator = '';
  state.links.delete(link.peer);
  state.watchers.delete(link.peer);
  if (state.questions.size === 0) return;
  for (const [id, { operator }] of state.questions) if (operator === link.peer) state.questions.delete(id);
}

/** Ends an operator's call. */
export function endCall(out: Outputs, link: OperatorLink, status: number, message: string = ''): void {
  out.close(link.peer, status, message);
  removeOperator(out, link);
}
