/** Agents that violate FOLD-A23 to A25 when they show the use of a tool. */
import type { MessageResponse } from '../../../../src/fold/index.ts';
import { editResponses } from './mutant.ts';
import type { AgentFault, AgentFaults } from './mutant.ts';

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

/** Mutants of the use of tools. */
export const toolFaults: AgentFaults = {
  'no-tool-id': quickToolsAs(() => ''),
  'one-tool-id': quickToolsAs((request) => `tool-of-${request}`),
  'input-not-json': () => editResponses(inputNotJson),
  'asks-without-input': () => editResponses(askWithoutInput),
  'result-of-no-tool': () => editResponses(strayResult),
  'state-before-use': stateFirst,
};
