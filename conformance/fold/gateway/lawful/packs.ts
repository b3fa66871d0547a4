/** Lawful gateways that are unusual when they serve calls of pack tools. */
import type { PackToolResult } from '../../../../src/fold/index.ts';
import { fromAgents, fromPacks, toAgents } from '../mutants/faults.ts';
import type { GatewayFault } from '../mutants/faults.ts';
import { late } from './lawful.ts';
import type { GatewayFaults } from '../mutants/mutant.ts';

/** Edits the results of pack calls. */
const results = (edit: (result: PackToolResult) => PackToolResult) => (): GatewayFault =>
  toAgents((m) => [m.pack_tool_result === undefined ? m : { pack_tool_result: edit(m.pack_tool_result) }]);

/** JSON with spaces. */
const spaced = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 1);
  } catch {
    return text;
  }
};

export const lawfulPacks: GatewayFaults = {
  'inputs-rewritten': () =>
    fromAgents((m) => {
      const call = m.execute_pack_tool;
      if (call === undefined) return [m];
      return [{ execute_pack_tool: { ...call, input_json: spaced(call.input_json ?? '') } }];
    }),
  'outputs-rewritten': results((r) =>
    r.output_json === undefined ? r : { ...r, output_json: spaced(r.output_json) },
  ),
  'pack-errors-with-a-prefix': results((r) =>
    r.error === undefined ? r : { ...r, error: `the pack failed: ${r.error}` },
  ),
  'pack-errors-in-own-words': results((r) =>
    r.error === undefined ? r : { ...r, error: 'the call failed' },
  ),
  'late-results-dropped': () =>
    fromPacks((m, { state }) =>
      'tool_response' in m && state.late.has(m.tool_response.request_id ?? '') ? [] : [m],
    ),
  'results-after-1-s': late('pack_tool_result', 1000),
};
