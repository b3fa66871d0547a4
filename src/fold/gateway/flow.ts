/**
 * Backpressure, and how operators leave: one whose carrier is full holds back the agents that feed it, for a
 * while; then it is closed. Nothing is queued here.
 */
import { code } from './options.ts';
import { agentOn } from './state.ts';
import type { AgentLink, Link, OperatorLink, StepOutputs } from './state.ts';

/** A carrier is full. */
export function filled(pen: StepOutputs, link: Link): void {
  if (link.full) return;
  link.full = true;
  if (link.kind !== 'operator') return;
  for (const peer of feeders(pen, link)) holdBack(agentOn(pen.state, peer), pen, link);
  pen.startTimer(`stalled:${link.peer}`, pen.settings.timeouts.stalled);
}

/** There is room again. */
export function drained(pen: StepOutputs, link: Link): void {
  link.full = false;
  if (link.kind === 'agent') link.owed = 0;
  else if (link.kind === 'operator') letGo(pen, link);
}

/** An operator's carrier was full too long. */
export function stalled(pen: StepOutputs, peer: string): void {
  const link = pen.state.links.get(peer);
  if (link?.kind !== 'operator') return;
  pen.tell('operator stalled', `${peer} took nothing for ${pen.settings.timeouts.stalled} ms`);
  hangUp(pen, link, code.exhausted, 'the events were not read in time; read faster, or ask for fewer');
}

/** A new agent is held back too by those who hear every event and cannot take more. */
export function holdNew(pen: StepOutputs, agent: AgentLink): void {
  for (const peer of pen.state.watchers) {
    const link = pen.state.links.get(peer);
    if (link?.kind === 'operator' && link.full) holdBack(agent, pen, link);
  }
}

/** The streams that feed an operator: all, or its request's. */
function feeders({ state }: StepOutputs, link: OperatorLink): Iterable<string> {
  if (state.watchers.has(link.peer)) return state.agents.values();
  const request = state.requests.get(link.request);
  return request === undefined ? [] : [request.agent];
}

function holdBack(agent: AgentLink | undefined, pen: StepOutputs, link: OperatorLink): void {
  if (agent === undefined) return;
  if (agent.heldBy.size === 0) pen.outputs.push({ type: 'pause', peer: agent.peer });
  agent.heldBy.add(link.peer);
  link.holds.add(agent.peer);
}

/** An operator holds nobody back any more. */
function letGo(pen: StepOutputs, link: OperatorLink): void {
  pen.stopTimer(`stalled:${link.peer}`);
  for (const peer of link.holds) {
    const agent = agentOn(pen.state, peer);
    if (agent?.heldBy.delete(link.peer) === true && agent.heldBy.size === 0)
      pen.outputs.push({ type: 'resume', peer });
  }
  link.holds.clear();
}

/** An operator is gone; its request goes on without it. */
export function leave(pen: StepOutputs, link: OperatorLink): void {
  const { state } = pen;
  if (link.full) letGo(pen, link);
  const request = state.requests.get(link.request);
  if (request !== undefined) request.operator = '';
  state.links.delete(link.peer);
  state.watchers.delete(link.peer);
  if (state.questions.size === 0) return;
  for (const [id, { operator }] of state.questions) if (operator === link.peer) state.questions.delete(id);
}

/** Ends an operator's call. */
export function hangUp(pen: StepOutputs, link: OperatorLink, status: number, message: string = ''): void {
  pen.close(link.peer, status, message);
  leave(pen, link);
}
