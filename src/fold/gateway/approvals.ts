/** Approvals: each request for approval gets one decision, by an operator or by a timeout (G32, G33). */
import type { ToolApprovalResponse } from '../messages.ts';
import { gatewayLimits } from './options.ts';
import { agentOn } from './state.ts';
import type { ActiveRequest, AgentLink } from './state.ts';
import type { Outputs } from './step-outputs.ts';

/** An agent requests approval of a tool. A decision has only the tool's id, so repeated requests before it are one. */
export function awaitApproval(out: Outputs, agent: AgentLink, request: ActiveRequest, tool_id: string): void {
  const { state } = out;
  if (agent.approvals.has(tool_id)) return;
  if (agent.approvals.size >= gatewayLimits.approvals) {
    out.tell('approval refused', `${request.agent_id} has ${agent.approvals.size} undecided tools`);
    return out.toAgent(agent, { tool_approval: { id: tool_id, approved: false, approve_all: false } });
  }
  const key = String(++state.serial);
  state.approvals.set(key, { agent: agent.peer, request_id: request.id, tool_id });
  agent.approvals.set(tool_id, key);
  request.approvals.add(key);
  out.startTimer(`approval:${key}`, out.settings.timeouts.approval);
}

type Decision = Required<ToolApprovalResponse>;

/** Sends a decision to the agent that waits for it. @returns false when no tool with this id waits */
export function sendDecision(out: Outputs, agent: AgentLink, decision: Decision): boolean {
  const key = agent.approvals.get(decision.id);
  if (key === undefined) return false;
  dropApproval(out, key);
  out.toAgent(agent, { tool_approval: decision });
  return true;
}

/** No decision came in time: the tool is denied. */
export function onApprovalTimeout(out: Outputs, key: string): void {
  const approval = out.state.approvals.get(key);
  const agent = agentOn(out.state, approval?.agent);
  if (approval === undefined || agent === undefined) return;
  out.tell('approval timed out', `tool ${approval.tool_id} of request ${approval.request_id} is denied`);
  sendDecision(out, agent, { id: approval.tool_id, approved: false, approve_all: false });
}

/** The request has ended: its tools wait for no decision any more. */
export function dropApprovals(out: Outputs, request: ActiveRequest): void {
  for (const key of request.approvals) dropApproval(out, key);
}

function dropApproval(out: Outputs, key: string): void {
  const { approvals, requests } = out.state;
  const approval = approvals.get(key);
  if (approval === undefined) return;
  approvals.delete(key);
  out.stopTimer(`approval:${key}`);
  agentOn(out.state, approval.agent)?.approvals.delete(approval.tool_id);
  requests.get(approval.request_id)?.approvals.delete(key);
}
