/** Lawful gateways that are unusual when they serve calls of pack tools. */
import { member } from '../../../../src/kit/suite/index.ts';
import type { PackToolResult } from '../../../../src/fold/index.ts';
import { fromAgents, fromPacks, toAgents } from '../mutants/faults.ts';
import type { GatewayFault } from '../mutants/faults.ts';
import { late } from './lawful.ts';
import type { GatewayFaults } from '../mutants/mutant.ts';

/** Edits the results of pack calls. */
const results = (edit: (result: PackToolResult) => PackToolResult) => (): GatewayFault =>
  toAgents(member('pack_tool_result', (result) => [edit(result)]));

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
    fromAgents(
      member('execute_pack_tool', (call) => [{ ...call, input_json: spaced(call.input_json ?? '') }]),
    ),
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
    fromPacks(
      member('tool_response', ({ request_id = '' }, { state }) =>
        state.late.has(request_id) ? [] : undefined,
      ),
    ),
  'results-after-1-s': late('pack_tool_result', 1000),
};
