/** Agents that violate FOLD-A23 to A31 when they report their tools. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { MessageResponse, ToolState } from '../../../../src/fold/index.ts';
import { editResponses, mutant } from './mutant.ts';
import type { AgentFault } from './mutant.ts';

type ResponseEdit = (response: MessageResponse) => readonly MessageResponse[];

/** Changes the id of tools without approval, in all their events. */
const quickToolsAs = (idFor: (request: string) => string) => (): AgentFault => {
  const given = new Map<string, string>();
  return editResponses((r) => {
    const { request_id = '', tool_use, tool_state, tool_result } = r;
    if (tool_use?.name === 'quick') given.set(tool_use.id ?? '', idFor(request_id));
    const id = given.get((tool_use ?? tool_state ?? tool_result)?.id ?? '');
    if (id === undefined) return [r];
    if (tool_use !== undefined) return [{ request_id, tool_use: { ...tool_use, id } }];
    if (tool_state !== undefined) return [{ request_id, tool_state: { ...tool_state, id } }];
    return tool_result === undefined ? [r] : [{ request_id, tool_result: { ...tool_result, id } }];
  });
};

const inputNotJson: ResponseEdit = (r) =>
  r.tool_use === undefined ? [r] : [{ ...r, tool_use: { ...r.tool_use, input_json: "{path: '/tmp'}" } }];

const askWithoutInput: ResponseEdit = (r) =>
  r.tool_approval_request === undefined
    ? [r]
    : [{ ...r, tool_approval_request: { ...r.tool_approval_request, input_json: '' } }];

const strayResult: ResponseEdit = ({ request_id = '', ...r }) =>
  r.tool_result === undefined
    ? [{ request_id, ...r }]
    : [
        { request_id, tool_result: { id: 'no-such-tool', output: '' } },
        { request_id, ...r },
      ];

/** Sends the first state before the tool_use. */
const stateFirst = (): AgentFault => {
  let use: MessageResponse | undefined;
  return editResponses((r) => {
    if (r.tool_use !== undefined) {
      use = r;
      return [];
    }
    const held = use;
    use = undefined;
    return held === undefined ? [r] : [r, held];
  });
};

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

/** Mutants of this theme. */
export const toolMutants: readonly Mutant[] = [
  mutant(
    'FOLD-A23',
    'no-tool-id',
    'It gives its tools an empty id.',
    quickToolsAs(() => ''),
  ),
  mutant(
    'FOLD-A23',
    'one-tool-id',
    'It gives all tools of a request the same id.',
    quickToolsAs((request) => `tool-of-${request}`),
  ),
  mutant('FOLD-A24', 'input-not-json', 'Its input_json is no JSON.', () => editResponses(inputNotJson)),
  mutant('FOLD-A24', 'asks-without-input', 'It asks for approval with an empty input_json.', () =>
    editResponses(askWithoutInput),
  ),
  mutant('FOLD-A25', 'result-of-no-tool', 'It sends a tool_result for a tool that it never used.', () =>
    editResponses(strayResult),
  ),
  mutant(
    'FOLD-A25',
    'state-before-use',
    'It sends the first state of a tool before its tool_use.',
    stateFirst,
  ),
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
