/** Agents that violate FOLD-A29 to A31 when they show how a tool ended. */
import type { ToolState } from '../../../../src/fold/index.ts';
import { onResponse } from './mutant.ts';
import type { AgentFault, AgentFaults } from './mutant.ts';

/** Inverts is_error in the result of a tool with this final state. */
const resultAgainst = (state: ToolState) => (): AgentFault => {
  const there = new Set<string>();
  return onResponse((r) => {
    const { request_id = '', tool_state, tool_result } = r;
    if (tool_state?.state === state) there.add(tool_state.id ?? '');
    if (tool_result === undefined || !there.has(tool_result.id ?? '')) return;
    return [{ request_id, tool_result: { ...tool_result, is_error: tool_result.is_error !== true } }];
  });
};

const ends: ReadonlySet<ToolState | undefined> = new Set<ToolState>([
  'TOOL_STATE_COMPLETED',
  'TOOL_STATE_FAILED',
  'TOOL_STATE_TIMEOUT',
]);

export const toolResultFaults: AgentFaults = {
  'completed-with-error': resultAgainst('TOOL_STATE_COMPLETED'),
  'failed-without-error': resultAgainst('TOOL_STATE_FAILED'),
  'timeout-without-error': resultAgainst('TOOL_STATE_TIMEOUT'),
  'never-final': () => onResponse((r) => (ends.has(r.tool_state?.state) ? [] : [r])),
  'never-a-result': () =>
    onResponse((r) => (r.tool_result === undefined || r.tool_result.output === 'denied' ? [r] : [])),
};
