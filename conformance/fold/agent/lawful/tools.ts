/** Lawful agents that use tools, ask for approval and call packs in unusual ways. */
import { allFaults, holdUntil, member, onReceive, onSend, rename } from '../../../../src/kit/suite/index.ts';
import type { MessageResponse, ToolState } from '../../../../src/fold/index.ts';
import { onResponse } from '../mutants/mutant.ts';
import type { AgentFault, AgentFaults } from '../mutants/mutant.ts';
import { plainly, responses } from './lawful.ts';

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
  const ids = rename(to);
  const named = <T extends { id?: string }>(about: T): T => ({ ...about, id: ids.out(about.id ?? '') });
  return allFaults(
    onResponse((r) => {
      const { tool_use, tool_state, tool_result, tool_approval_request } = r;
      if (tool_use !== undefined) return [{ ...r, tool_use: named(tool_use) }];
      if (tool_state !== undefined) return [{ ...r, tool_state: named(tool_state) }];
      if (tool_result !== undefined) return [{ ...r, tool_result: named(tool_result) }];
      return tool_approval_request && [{ ...r, tool_approval_request: named(tool_approval_request) }];
    }),
    onReceive(member('tool_approval', (decision) => [{ ...decision, id: ids.back(decision.id ?? '') }])),
  );
};

/** Sends the final state after the result. */
const resultFirst = (): AgentFault =>
  onResponse(
    holdUntil(
      (r) => isState(r, 'COMPLETED', 'FAILED', 'TIMEOUT'),
      (r, held) => [r, ...held],
      ({ tool_state, tool_result }) => tool_state?.id ?? tool_result?.id ?? '',
    ),
  );

/** Sends AWAITING_APPROVAL before the request for approval. */
const stateFirst = (): AgentFault =>
  onResponse(
    holdUntil(
      (r) => r.tool_approval_request !== undefined,
      (r, held) => [r, ...held],
    ),
  );

const state = (r: MessageResponse, name: ToolState): MessageResponse => ({
  request_id: r.request_id ?? '',
  tool_state: { id: r.tool_state?.id ?? r.tool_use?.id ?? '', state: name },
});

/** Uses its own ids for pack calls. */
const packIds = (to: (n: number) => string) => (): AgentFault => {
  let n = 0;
  const ids = rename(() => to(n++));
  return allFaults(
    onSend(member('execute_pack_tool', (call) => [{ ...call, request_id: ids.out(call.request_id ?? '') }])),
    onReceive(
      member('pack_tool_result', (result) => [{ ...result, request_id: ids.back(result.request_id ?? '') }]),
    ),
  );
};

export const lawfulTools: AgentFaults = {
  'final-states-only': without('PENDING', 'AWAITING_APPROVAL', 'RUNNING'),
  'no-pending': without('PENDING'),
  'no-running': without('RUNNING'),
  'no-awaiting': without('AWAITING_APPROVAL'),
  'running-again': responses((r) => (isState(r, 'RUNNING') ? [r, r, r] : [r])),
  'state-details': responses((r) => [
    r.tool_state === undefined ? r : { ...r, tool_state: { ...r.tool_state, detail: 'step 1 of 2' } },
  ]),
  'result-first': resultFirst,
  'state-before-asking': stateFirst,
  'denied-without-result': responses((r) => (r.tool_result?.output === 'denied' ? [] : [r])),
  'denied-in-other-words': responses((r) => {
    const { request_id = '', tool_result } = r;
    if (tool_result?.output !== 'denied') return [r];
    return [{ request_id, tool_result: { ...tool_result, output: 'not allowed' } }];
  }),
  'cancelled-with-result': responses((r) =>
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
  'asks-twice': responses((r) => (r.tool_approval_request === undefined ? [r] : [r, r])),
  'asks-again-later': responses((r, context) => {
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
  'no-tool-name-change': responses((r) => [
    r.tool_use === undefined ? r : { ...r, tool_use: { ...r.tool_use, name: 'mcp__own__tool' } },
  ]),
  'input-null': input('null'),
  'input-array': input('[1, 2]'),
  'input-pretty': input('{\n  "a": 1\n}\n'),
  'input-large': input(JSON.stringify({ text: 'x'.repeat(100_000) })),
  'input-twice': input('{"a":1,"a":2}'),
  'long-tool-ids': renames((id) => `${id}-${'x'.repeat(200)}`),
  'unicode-tool-ids': renames((id) => `werkzeug-№${id}`),
  'progress-as-thinking': responses((r) =>
    isState(r, 'RUNNING') ? [r, { request_id: r.request_id ?? '', thinking: 'half done' }] : [r],
  ),
  'output-empty': responses((r) => [
    r.tool_result === undefined ? r : { ...r, tool_result: { ...r.tool_result, output: '' } },
  ]),
  'pending-only-when-gated': without('RUNNING', 'AWAITING_APPROVAL'),
  'open-tool-detail': responses((r) => (isState(r, 'PENDING') ? [r, state(r, 'TOOL_STATE_PENDING')] : [r])),
  'tool-for-each': plainly((say) => [{ tool: { name: 'read', output: 'ok' } }, { say }]),
  'failing-tool-for-each': plainly((say) => [{ tool: { name: 'read', outcome: 'fail' } }, { say }]),
  'approval-for-each': plainly((say) => [{ tool: { name: 'write', approval: true } }, { say }]),
  'two-approvals-for-each': plainly((say) => [
    { tool: { name: 'write', approval: true } },
    { wait_ms: 15_000 },
    { tool: { name: 'write', approval: true } },
    { say },
  ]),
  'denial-is-an-error': plainly(() => [
    { tool: { name: 'write', approval: true } },
    { fail: 'I may not write' },
  ]),
  'pack-for-each': plainly((say) => [{ pack_tool: { name: 'weather' } }, { say }]),
  'pack-error-is-an-error': plainly(() => [
    { pack_tool: { name: 'weather' } },
    { fail: 'there is no weather' },
  ]),
  'pack-ids-again': packIds((n) => `call-${n}`),
  'long-pack-ids': packIds((n) => `${'c'.repeat(200)}-${n}`),
};
