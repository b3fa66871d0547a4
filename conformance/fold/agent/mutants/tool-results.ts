/** Agents that violate FOLD-A29 to A31 when they show how a tool ended. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { ToolState } from '../../../../src/fold/index.ts';
import { editResponses, mutant } from './mutant.ts';
import type { AgentFault } from './mutant.ts';

/** Inverts is_error in the result of a tool with this final state. */
const resultAgainst = (state: ToolState) => (): AgentFault => {
  const there = new Set<string>();
  return editResponses((r) => {
    const { request_id = '', tool_state, tool_result } = r;
    if (tool_state?.state === state) there.add(tool_state.id ?? '');
    if (tool_result === undefined || !there.has(tool_result.id ?? '')) return [r];
    return [{ request_id, tool_result: { ...tool_result, is_error: tool_result.is_error !== true } }];
  });
};

const ends: ReadonlySet<ToolState | undefined> = new Set<ToolState>([
  'TOOL_STATE_COMPLETED',
  'TOOL_STATE_FAILED',
  'TOOL_STATE_TIMEOUT',
]);

/** Mutants of the results of tools. */
export const toolResultMutants: readonly Mutant[] = [
  mutant(
    'FOLD-A29',
    'completed-with-error',
    'The result of a tool that COMPLETED has is_error.',
    resultAgainst('TOOL_STATE_COMPLETED'),
  ),
  mutant(
    'FOLD-A29',
    'failed-without-error',
    'The result of a tool that FAILED has no is_error.',
    resultAgainst('TOOL_STATE_FAILED'),
  ),
  mutant(
    'FOLD-A29',
    'timeout-without-error',
    'The result of a tool in TIMEOUT has no is_error.',
    resultAgainst('TOOL_STATE_TIMEOUT'),
  ),
  mutant('FOLD-A30', 'never-final', 'It sends the result of a tool and no final state.', () =>
    editResponses((r) => (ends.has(r.tool_state?.state) ? [] : [r])),
  ),
  mutant('FOLD-A31', 'never-a-result', 'It shows how a tool ended by its state only.', () =>
    editResponses((r) => (r.tool_result === undefined || r.tool_result.output === 'denied' ? [r] : [])),
  ),
];
