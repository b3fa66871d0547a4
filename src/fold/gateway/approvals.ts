/** Approvals: a tool that was asked about is decided once, by an operator or by time (G32, G33). */
import { gatewayLimits } from './options.ts';
import { agentOn } from './state.ts';
import type { ActiveRequest, AgentLink, StepOutputs } from './state.ts';

/** An agent asks about a tool. Asking again before the decision is the same question: a decision has only the id. */
export function ask(pen: StepOutputs, agent: AgentLink, request: ActiveRequest, tool_id: string): void {
  const { state } = pen;
  if (agent.asked.has(tool_id)) return;
  if (agent.asked.size >= gatewayLimits.approvals) {
    pen.tell('approval refused', `${request.agent_id} has ${agent.asked.size} undecided tools`);
    return pen.toAgent(agent, { tool_approval: { id: tool_id, approved: false, approve_all: false } });
  }
  const key = String(++state.serial);
  state.approvals.set(key, { agent: agent.peer, request_id: request.id, tool_id });
  agent.asked.set(tool_id, key);
  request.approvals.add(key);
  pen.startTimer(`approval:${key}`, pen.settings.timeouts.approval);
}

/** Tells the asking agent what was decided. @returns whether there was something to decide */
export function decide(
  pen: StepOutputs,
  agent: AgentLink,
  decision: { readonly id: string; readonly approved: boolean; readonly approve_all: boolean },
): boolean {
  const key = agent.asked.get(decision.id);
  if (key === undefined) return false;
  drop(pen, key);
  pen.toAgent(agent, { tool_approval: decision });
  return true;
}

/** Nobody has decided: that is a denial. */
export function undecided(pen: StepOutputs, key: string): void {
  const approval = pen.state.approvals.get(key);
  const agent = agentOn(pen.state, approval?.agent);
  if (approval === undefined || agent === undefined) return;
  pen.tell('approval timed out', `tool ${approval.tool_id} of request ${approval.request_id} is denied`);
  decide(pen, agent, { id: approval.tool_id, approved: false, approve_all: false });
}

/** The request is over: what it asked about is no question any more. */
export function dropApprovals(pen: StepOutputs, request: ActiveRequest): void {
  for (const key of request.approvals) drop(pen, key);
}

function drop(pen: StepOutputs, key: string): void {
  const { approvals, requests } = pen.state;
  const approval = approvals.get(key);
  if (approval === undefined) return;
  approvals.delete(key);
  pen.stopTimer(`approval:${key}`);
  agentOn(pen.state, approval.agent)?.asked.delete(approval.tool_id);
  requests.get(approval.request_id)?.approvals.delete(key);
}
