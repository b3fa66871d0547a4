/** Agents that violate FOLD-A23 to A25 when they show the use of a tool. */
import { holdUntil } from '../../../../src/kit/suite/index.ts';
import { onResponse } from './mutant.ts';
import type { AgentFault, AgentFaults } from './mutant.ts';

/** Changes the id of tools without approval, in all their events. */
const quickToolsAs = (idFor: (request: string) => string) => (): AgentFault => {
  const given = new Map<string, string>();
  return onResponse((r) => {
    const { request_id = '', tool_use, tool_state, tool_result } = r;
    if (tool_use?.name === 'quick') given.set(tool_use.id ?? '', idFor(request_id));
    const id = given.get((tool_use ?? tool_state ?? tool_result)?.id ?? '');
    if (id === undefined) return [r];
    if (tool_use !== undefined) return [{ request_id, tool_use: { ...tool_use, id } }];
    if (tool_state !== undefined) return [{ request_id, tool_state: { ...tool_state, id } }];
    return tool_result === undefined ? [r] : [{ request_id, tool_result: { ...tool_result, id } }];
  });
};

/** Sends the first state before the tool_use. */
const stateFirst = (): AgentFault =>
  onResponse(
    holdUntil(
      ({ tool_use }) => tool_use !== undefined,
      (r, held) => [r, ...held],
    ),
  );

export const toolFaults: AgentFaults = {
  'no-tool-id': quickToolsAs(() => ''),
  'one-tool-id': quickToolsAs((request) => `tool-of-${request}`),
  'input-not-json': () =>
    onResponse(
      ({ request_id = '', tool_use }) =>
        tool_use && [{ request_id, tool_use: { ...tool_use, input_json: "{path: '/tmp'}" } }],
    ),
  'asks-without-input': () =>
    onResponse(
      ({ request_id = '', tool_approval_request: asked }) =>
        asked && [{ request_id, tool_approval_request: { ...asked, input_json: '' } }],
    ),
  'result-of-no-tool': () =>
    onResponse(
      (r) =>
        r.tool_result && [
          { request_id: r.request_id ?? '', tool_result: { id: 'no-such-tool', output: '' } },
          r,
        ],
    ),
  'state-before-use': stateFirst,
};
