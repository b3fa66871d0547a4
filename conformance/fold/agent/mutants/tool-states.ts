/** Agents that violate FOLD-A26 to A28 when they show the state of a tool. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { ToolState } from '../../../../src/fold/index.ts';
import { editResponses, mutant } from './mutant.ts';
import type { AgentFault } from './mutant.ts';

/** Sends a further state of the same tool after a state. */
const afterState = (after: ToolState, then: ToolState) => (): AgentFault =>
  editResponses((r) => {
    const { request_id = '', tool_state } = r;
    if (tool_state?.state !== after) return [r];
    return [r, { request_id, tool_state: { id: tool_state.id ?? '', state: then } }];
  });

/** Sends AWAITING_APPROVAL again once a tool runs. */
const awaitsAgain = (): AgentFault => {
  const asked = new Set<string>();
  return editResponses((r) => {
    const { request_id = '', tool_state, tool_approval_request } = r;
    if (tool_approval_request !== undefined) asked.add(tool_approval_request.id ?? '');
    const id = tool_state?.id ?? '';
    if (tool_state?.state !== 'TOOL_STATE_RUNNING' || !asked.has(id)) return [r];
    return [r, { request_id, tool_state: { id, state: 'TOOL_STATE_AWAITING_APPROVAL' } }];
  });
};

/** Mutants of the states of tools. */
export const toolStateMutants: readonly Mutant[] = [
  mutant(
    'FOLD-A26',
    'back-to-pending',
    'It shows a tool as PENDING after RUNNING.',
    afterState('TOOL_STATE_RUNNING', 'TOOL_STATE_PENDING'),
  ),
  mutant('FOLD-A26', 'back-to-awaiting', 'It shows a tool as AWAITING_APPROVAL after RUNNING.', awaitsAgain),
  mutant(
    'FOLD-A27',
    'runs-after-completed',
    'It shows a tool as RUNNING after COMPLETED.',
    afterState('TOOL_STATE_COMPLETED', 'TOOL_STATE_RUNNING'),
  ),
  mutant(
    'FOLD-A27',
    'two-final-states',
    'It shows a tool as TIMEOUT after FAILED.',
    afterState('TOOL_STATE_FAILED', 'TOOL_STATE_TIMEOUT'),
  ),
  mutant('FOLD-A27', 'two-results', 'It sends every tool_result twice.', () =>
    editResponses((r) => (r.tool_result === undefined ? [r] : [r, r])),
  ),
  mutant(
    'FOLD-A28',
    'unspecified-state',
    'It sends a tool_state without a state after PENDING.',
    afterState('TOOL_STATE_PENDING', 'TOOL_STATE_UNSPECIFIED'),
  ),
];
