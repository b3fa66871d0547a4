/** Lawful gateways that are unusual when they serve calls of pack tools. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { PackToolResult } from '../../../../src/fold/index.ts';
import { fromAgents, fromPacks, toAgents } from '../mutants/faults.ts';
import type { GatewayFault } from '../mutants/faults.ts';
import { documents, late, lawful } from './lawful.ts';

const { enhancements, page, schema } = documents;

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

/** The lawful gateways of this theme. */
export const lawfulPacks: readonly LawfulPeer[] = [
  lawful(
    'inputs-rewritten',
    'It writes the JSON of inputs anew.',
    `${schema}: input_json is JSON, and its spaces mean nothing`,
    () =>
      fromAgents((m) => {
        const call = m.execute_pack_tool;
        if (call === undefined) return [m];
        return [{ execute_pack_tool: { ...call, input_json: spaced(call.input_json ?? '') } }];
      }),
  ),
  lawful(
    'outputs-rewritten',
    'It writes the JSON of outputs anew.',
    `${schema}: output_json is JSON, and its spaces mean nothing`,
    results((r) => (r.output_json === undefined ? r : { ...r, output_json: spaced(r.output_json) })),
  ),
  lawful(
    'pack-errors-with-a-prefix',
    "It puts words of its own before a pack's error.",
    `${schema}: message PackToolResult; no text of error is fixed`,
    results((r) => (r.error === undefined ? r : { ...r, error: `the pack failed: ${r.error}` })),
  ),
  lawful(
    'pack-errors-in-own-words',
    'It reports every failed call in the same words.',
    `${schema}: message PackToolResult; no text of error is fixed`,
    results((r) => (r.error === undefined ? r : { ...r, error: 'the call failed' })),
  ),
  lawful(
    'late-results-dropped',
    'It drops results that come after the timeout.',
    `${enhancements}, 3. Context Injection, Usage Patterns: a late result may be injected`,
    () =>
      fromPacks((m, { state }) =>
        'tool_response' in m && state.late.has(m.tool_response.request_id ?? '') ? [] : [m],
      ),
  ),
  lawful(
    'results-after-1-s',
    'It takes 1 s to forward a result.',
    `${page}, How a gateway is judged: a result comes at most 10 s after the timeout`,
    late('pack_tool_result', 1000),
  ),
];
