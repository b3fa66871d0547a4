/** Lawful agents that use tools, ask for approval and call packs in unusual ways. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { MessageResponse, ToolState } from '../../../../src/fold/index.ts';
import { bothFaults } from '../../../../src/kit/suite/index.ts';
import { editIncoming, editOutgoing, editResponses } from '../mutants/mutant.ts';
import type { AgentFault } from '../mutants/mutant.ts';
import { documents, lawful, plainly, responses } from './lawful.ts';

const skips = `${documents.states}, Backward Compatibility: tool_state updates are optional`;
const order = `${documents.page}, Decisions, 4: both orders of the final state and tool_result are accepted`;
const denial = `${documents.page}, Decisions, 3: a denied tool may have an error result, or none`;
const asking = `${documents.page}, Decisions, 2: the request for approval is required, the state is an addition`;
const anyJson = `${documents.schema}, message ToolUse: input_json is one JSON text`;
const anyTool = `${documents.page}, The directive grammar: content without wireproof can be answered in any way`;
const packs = `${documents.schema}, messages ExecutePackTool and PackToolResult`;

const isState = ({ tool_state }: MessageResponse, ...states: readonly string[]): boolean =>
  tool_state !== undefined && states.includes(String(tool_state.state).replace('TOOL_STATE_', ''));

/** Leaves states out. */
const without = (...states: readonly string[]): (() => AgentFault) =>
  responses((r) => (isState(r, ...states) ? [] : [r]));

/** Edits the input of tools, in tool_use and in the request for approval. */
const input = (input_json: string): (() => AgentFault) =>
  responses((r) => {
    if (r.tool_use !== undefined) return [{ ...r, tool_use: { ...r.tool_use, input_json } }];
    if (r.tool_approval_request === undefined) return [r];
    return [{ ...r, tool_approval_request: { ...r.tool_approval_request, input_json } }];
  });

/** Gives tools other ids. */
const renames = (to: (id: string) => string) => (): AgentFault => {
  const own = new Map<string, string>();
  const named = <T extends { id?: string }>(about: T): T => {
    const id = to(about.id ?? '');
    own.set(id, about.id ?? '');
    return { ...about, id };
  };
  return bothFaults(
    editResponses((r) => {
      const { tool_use, tool_state, tool_result, tool_approval_request } = r;
      if (tool_use !== undefined) return [{ ...r, tool_use: named(tool_use) }];
      if (tool_state !== undefined) return [{ ...r, tool_state: named(tool_state) }];
      if (tool_result !== undefined) return [{ ...r, tool_result: named(tool_result) }];
      if (tool_approval_request === undefined) return [r];
      return [{ ...r, tool_approval_request: named(tool_approval_request) }];
    }),
    editIncoming((m) => {
      const { tool_approval } = m;
      if (tool_approval === undefined) return [m];
      const { id = '' } = tool_approval;
      return [{ tool_approval: { ...tool_approval, id: own.get(id) ?? id } }];
    }),
  );
};

/** Sends the final state after the result. */
const resultFirst = (): AgentFault => {
  const held = new Map<string, MessageResponse>();
  return editResponses((r) => {
    const id = r.tool_state?.id ?? r.tool_result?.id ?? '';
    if (isState(r, 'COMPLETED', 'FAILED', 'TIMEOUT')) return [void held.set(id, r)].flatMap(() => []);
    const state = r.tool_result === undefined ? undefined : held.get(id);
    held.delete(id);
    return state === undefined ? [r] : [r, state];
  });
};

/** Sends AWAITING_APPROVAL before the request for approval. */
const stateFirst = (): AgentFault => {
  let asked: MessageResponse | undefined;
  return editResponses((r) => {
    if (r.tool_approval_request !== undefined) return [void (asked = r)].flatMap(() => []);
    const before = asked;
    asked = undefined;
    return before === undefined ? [r] : [r, before];
  });
};

const state = (r: MessageResponse, name: ToolState): MessageResponse => ({
  request_id: r.request_id ?? '',
  tool_state: { id: r.tool_state?.id ?? r.tool_use?.id ?? '', state: name },
});

/** Uses its own ids for pack calls. */
const packIds = (to: (n: number) => string) => (): AgentFault => {
  const own = new Map<string, string>();
  let n = 0;
  return bothFaults(
    editOutgoing((m) => {
      if (m.execute_pack_tool === undefined) return [m];
      const request_id = to(own.size === 0 ? 0 : ++n);
      own.set(request_id, m.execute_pack_tool.request_id ?? '');
      return [{ execute_pack_tool: { ...m.execute_pack_tool, request_id } }];
    }),
    editIncoming((m) => {
      if (m.pack_tool_result === undefined) return [m];
      const { request_id: id = '' } = m.pack_tool_result;
      const request_id = own.get(id) ?? id;
      own.delete(id);
      return [{ pack_tool_result: { ...m.pack_tool_result, request_id } }];
    }),
  );
};

/** Peers of this theme. */
export const lawfulTools: readonly LawfulPeer[] = [
  lawful('final-states-only', 'It sends only the final states of its tools.', {
    allowed: skips,
    oddity: without('PENDING', 'AWAITING_APPROVAL', 'RUNNING'),
  }),
  lawful('no-pending', 'It sends no PENDING.', { allowed: skips, oddity: without('PENDING') }),
  lawful('no-running', 'It sends no RUNNING.', { allowed: skips, oddity: without('RUNNING') }),
  lawful('no-awaiting', 'It sends no AWAITING_APPROVAL.', {
    allowed: asking,
    oddity: without('AWAITING_APPROVAL'),
  }),
  lawful('running-again', 'It sends RUNNING three times, as progress.', {
    allowed: `${documents.states}: a state that comes again does not go back`,
    oddity: responses((r) => (isState(r, 'RUNNING') ? [r, r, r] : [r])),
  }),
  lawful('state-details', 'Its states have details.', {
    allowed: `${documents.states}, message ToolStateUpdate: detail is optional`,
    oddity: responses((r) => [
      r.tool_state === undefined ? r : { ...r, tool_state: { ...r.tool_state, detail: 'step 1 of 2' } },
    ]),
  }),
  lawful('result-first', 'It sends the result of a tool before its final state.', {
    allowed: order,
    oddity: resultFirst,
  }),
  lawful('state-before-asking', 'It sends AWAITING_APPROVAL before it asks.', {
    allowed: asking,
    oddity: stateFirst,
  }),
  lawful('denied-without-result', 'It sends no result for a denied tool.', {
    allowed: denial,
    oddity: responses((r) => (r.tool_result?.output === 'denied' ? [] : [r])),
  }),
  lawful('denied-in-other-words', 'Its result of a denied tool has other words.', {
    allowed: denial,
    oddity: responses((r) => {
      const { request_id = '', tool_result } = r;
      if (tool_result?.output !== 'denied') return [r];
      return [{ request_id, tool_result: { ...tool_result, output: 'not allowed' } }];
    }),
  }),
  lawful('cancelled-with-result', 'It sends an error result for a tool that was cancelled.', {
    allowed: `${order}; ${documents.cancellation}, Agent Behavior: it cleans up its tools`,
    oddity: responses((r) =>
      isState(r, 'CANCELLED')
        ? [
            r,
            {
              request_id: r.request_id ?? '',
              tool_result: { id: r.tool_state?.id ?? '', output: 'stopped', is_error: true },
            },
          ]
        : [r],
    ),
  }),
  lawful('asks-twice', 'It asks twice for each tool.', {
    allowed: `${documents.schema}, message ToolApprovalRequest: no sentence limits how often an agent asks`,
    oddity: responses((r) => (r.tool_approval_request === undefined ? [r] : [r, r])),
  }),
  lawful('asks-again-later', 'It asks again for a tool 2 s later if there is no decision.', {
    allowed: `${documents.schema}, message ToolApprovalRequest: no sentence limits how often an agent asks`,
    oddity: responses((r, context) => {
      const { tool_approval_request: asked, request_id = '' } = r;
      if (asked === undefined) return [r];
      context.later(2000, (then) => {
        const waits = [...then.state.requests.values()].some(
          (q) => q.id === request_id && q.wait.on === 'approval',
        );
        if (waits) then.send({ response: r });
      });
      return [r];
    }),
  }),
  lawful('no-tool-name-change', 'Its tools have names of its own.', {
    allowed: `${documents.schema}, message ToolUse: name is any string`,
    oddity: responses((r) => [
      r.tool_use === undefined ? r : { ...r, tool_use: { ...r.tool_use, name: 'mcp__own__tool' } },
    ]),
  }),
  lawful('input-null', 'The input of its tools is null.', { allowed: anyJson, oddity: input('null') }),
  lawful('input-array', 'The input of its tools is an array.', { allowed: anyJson, oddity: input('[1, 2]') }),
  lawful('input-pretty', 'The input of its tools has line breaks.', {
    allowed: anyJson,
    oddity: input('{\n  "a": 1\n}\n'),
  }),
  lawful('input-large', 'The input of its tools has 100 KB.', {
    allowed: anyJson,
    oddity: input(JSON.stringify({ text: 'x'.repeat(100_000) })),
  }),
  lawful('input-twice', 'The input of its tools has a key twice.', {
    allowed: anyJson,
    oddity: input('{"a":1,"a":2}'),
  }),
  lawful('long-tool-ids', 'Its tool ids have 200 characters.', {
    allowed: `${documents.schema}, message ToolUse: id is any string`,
    oddity: renames((id) => `${id}-${'x'.repeat(200)}`),
  }),
  lawful('unicode-tool-ids', 'Its tool ids are not ASCII.', {
    allowed: `${documents.schema}, message ToolUse: id is any string`,
    oddity: renames((id) => `werkzeug-№${id}`),
  }),
  lawful('progress-as-thinking', 'It thinks while a tool runs.', {
    allowed: `${documents.schema}, message MessageResponse: events of a request can come in any order`,
    oddity: responses((r) =>
      isState(r, 'RUNNING') ? [r, { request_id: r.request_id ?? '', thinking: 'half done' }] : [r],
    ),
  }),
  lawful('output-empty', 'Its results are empty.', {
    allowed: `${documents.schema}, message ToolResult: output can be empty`,
    oddity: responses((r) => [
      r.tool_result === undefined ? r : { ...r, tool_result: { ...r.tool_result, output: '' } },
    ]),
  }),
  lawful('pending-only-when-gated', 'It sends PENDING after RUNNING was skipped, and then the final state.', {
    allowed: skips,
    oddity: without('RUNNING', 'AWAITING_APPROVAL'),
  }),
  lawful('open-tool-detail', 'It shows PENDING twice.', {
    allowed: `${documents.states}: a state that comes again does not go back`,
    oddity: responses((r) => (isState(r, 'PENDING') ? [r, state(r, 'TOOL_STATE_PENDING')] : [r])),
  }),
  lawful('tool-for-each', 'It uses a tool for each message in plain words.', {
    allowed: anyTool,
    oddity: plainly((say) => [{ tool: { name: 'read', output: 'ok' } }, { say }]),
  }),
  lawful('failing-tool-for-each', 'It uses a tool that fails for each message in plain words.', {
    allowed: anyTool,
    oddity: plainly((say) => [{ tool: { name: 'read', outcome: 'fail' } }, { say }]),
  }),
  lawful('approval-for-each', 'It waits for an approval for each message in plain words.', {
    allowed: `${documents.states}, Usage Pattern: an agent waits for the decision`,
    oddity: plainly((say) => [{ tool: { name: 'write', approval: true } }, { say }]),
  }),
  lawful('two-approvals-for-each', 'It waits for two approvals for each message in plain words.', {
    allowed: `${documents.states}, Usage Pattern: an agent waits for the decision`,
    oddity: plainly((say) => [
      { tool: { name: 'write', approval: true } },
      { wait_ms: 15_000 },
      { tool: { name: 'write', approval: true } },
      { say },
    ]),
  }),
  lawful('denial-is-an-error', 'It ends a message in plain words in error when its tool is denied.', {
    allowed: `${documents.page}, The directive grammar: content without wireproof can be answered in any way`,
    oddity: plainly(() => [{ tool: { name: 'write', approval: true } }, { fail: 'I may not write' }]),
  }),
  lawful('pack-for-each', 'It calls a pack for each message in plain words, and waits for the result.', {
    allowed: packs,
    oddity: plainly((say) => [{ pack_tool: { name: 'weather' } }, { say }]),
  }),
  lawful(
    'pack-error-is-an-error',
    'It ends a message in plain words in error when the pack has no such tool.',
    {
      allowed: packs,
      oddity: plainly(() => [{ pack_tool: { name: 'weather' } }, { fail: 'there is no weather' }]),
    },
  ),
  lawful('pack-ids-again', 'It uses the request_id of a finished pack call again.', {
    allowed: `${packs}: an id is unique among outstanding calls`,
    oddity: packIds((n) => `call-${n}`),
  }),
  lawful('long-pack-ids', 'The request_ids of its pack calls have 200 characters.', {
    allowed: packs,
    oddity: packIds((n) => `${'c'.repeat(200)}-${n}`),
  }),
];
