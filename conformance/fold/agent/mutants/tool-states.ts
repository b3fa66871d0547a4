/** Agents that violate FOLD-A26 to A28 when they show the state of a tool. */
import type { ToolState } from '../../../../src/fold/index.ts';
import { onResponse } from './mutant.ts';
import type { AgentFault, AgentFaults } from './mutant.ts';

/** Sends a further state of the same tool after a state. */
const afterState = (after: ToolState, then: ToolState) => (): AgentFault =>
  onResponse((r) => {
    const { request_id = '', tool_state } = r;
    if (tool_state?.state !== after) return;
    return [r, { request_id, tool_state: { id: tool_state.id ?? '', state: then } }];
  });

/** Sends AWAITING_APPROVAL again once a tool runs. */
const awaitsAgain = (): AgentFault => {
  const asked = new Set<string>();
  return onResponse((r) => {
    const { request_id = '', tool_state, tool_approval_request } = r;
    if (tool_approval_request !== undefined) asked.add(tool_approval_request.id ?? '');
    const id = tool_state?.id ?? '';
    if (tool_state?.state !== 'TOOL_STATE_RUNNING' || !asked.has(id)) return;
    return [r, { request_id, tool_state: { id, state: 'TOOL_STATE_AWAITING_APPROVAL' } }];
  });
};

export const toolStateFaults: AgentFaults = {
  'back-to-pending': afterState('TOOL_STATE_RUNNING', 'TOOL_STATE_PENDING'),
  'back-to-awaiting': awaitsAgain,
  'runs-after-completed': afterState('TOOL_STATE_COMPLETED', 'TOOL_STATE_RUNNING'),
  'two-final-states': afterState('TOOL_STATE_FAILED', 'TOOL_STATE_TIMEOUT'),
  'two-results': () => onResponse((r) => (r.tool_result === undefined ? [r] : [r, r])),
  'unspecified-state': afterState('TOOL_STATE_PENDING', 'TOOL_STATE_UNSPECIFIED'),
};
