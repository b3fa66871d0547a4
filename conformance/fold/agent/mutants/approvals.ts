/** Agents that violate FOLD-A32 to A37 when they handle decisions. */
import { directive, parseDirective } from '../../../../src/fold/index.ts';
import type {
  AgentState,
  MessageResponse,
  ServerMessage,
  Step,
  ToolApprovalResponse,
} from '../../../../src/fold/index.ts';
import { editIncoming, editResponses, hangUp } from './mutant.ts';
import type { AgentFault, FaultContext, Output, AgentFaults } from './mutant.ts';

type Request = AgentState['requests'] extends Map<string, infer R> ? R : never;

const asking = ({ state }: FaultContext): readonly Request[] =>
  [...state.requests.values()].filter((request) => request.wait.on === 'approval');

/** The request whose tool a decision is about. */
const askedBy = (context: FaultContext, decision: ToolApprovalResponse): Request | undefined =>
  asking(context).find((request) => request.tool?.id === (decision.id ?? ''));

/** Replaces decisions by others. */
const decided =
  (edit: (decision: ToolApprovalResponse, context: FaultContext) => ToolApprovalResponse) => (): AgentFault =>
    editIncoming((m, context) => [
      m.tool_approval === undefined ? m : { tool_approval: edit(m.tool_approval, context) },
    ]);

const ungated = (step: Step): Step => ('tool' in step ? { tool: { ...step.tool, approval: false } } : step);

function neverAsks(m: ServerMessage): readonly ServerMessage[] {
  const steps = parseDirective(m.send_message?.content ?? '');
  if (m.send_message === undefined || !steps.ok || steps.value === undefined) return [m];
  return [{ send_message: { ...m.send_message, content: directive(steps.value.map(ungated)) } }];
}

const approve = (context: FaultContext, id: string): void =>
  context.tell({ tool_approval: { id, approved: true } });

/** Runs a tool with a short approval timeout right after it asked. Other tools wait. */
const runsBefore = (): AgentFault =>
  editResponses((r, context) => {
    const { tool } = context.state.requests.get(r.request_id ?? '') ?? {};
    const hasty = r.tool_approval_request !== undefined && tool?.step.approval_timeout_ms !== undefined;
    if (hasty) approve(context, tool.id);
    return [r];
  });

/** From a decision on, requests do not ask again. */
const asksNoMore =
  (
    from: (decision: ToolApprovalResponse) => boolean,
    covers: (request: string, decidedFor: ReadonlySet<string>) => boolean,
  ) =>
  (): AgentFault => {
    const decidedFor = new Set<string>();
    return {
      ...editIncoming((m, context) => {
        const request = m.tool_approval === undefined ? undefined : askedBy(context, m.tool_approval);
        if (request !== undefined && m.tool_approval !== undefined && from(m.tool_approval))
          decidedFor.add(request.id);
        return [m];
      }),
      ...editResponses((r, context) => {
        if (!covers(r.request_id ?? '', decidedFor)) return [r];
        if (r.tool_approval_request !== undefined) approve(context, r.tool_approval_request.id ?? '');
        const asks =
          r.tool_approval_request !== undefined || r.tool_state?.state === 'TOOL_STATE_AWAITING_APPROVAL';
        return asks ? [] : [r];
      }),
    };
  };

/** Sends the result of a denied tool without is_error. */
const deniedWithResult = (): AgentFault => {
  const denied = new Set<string>();
  return {
    ...editIncoming((m) => {
      if (m.tool_approval !== undefined && m.tool_approval.approved !== true)
        denied.add(m.tool_approval.id ?? '');
      return [m];
    }),
    ...editResponses((r) => {
      const { request_id = '', tool_result } = r;
      if (tool_result === undefined || !denied.has(tool_result.id ?? '')) return [r];
      return [{ request_id, tool_result: { id: tool_result.id ?? '', output: 'done' } }];
    }),
  };
};

/** Sends no further response after it showed a tool as denied. */
const deniedAndStuck = (): AgentFault => {
  const decided = new Set<string>();
  const stuck = new Set<string>();
  return {
    ...editIncoming((m) => {
      decided.add(m.tool_approval?.id ?? '');
      return [m];
    }),
    ...editResponses((r) => {
      const { request_id = '', tool_state } = r;
      if (stuck.has(request_id)) return [];
      if (tool_state?.state === 'TOOL_STATE_DENIED' && decided.has(tool_state.id ?? ''))
        stuck.add(request_id);
      return [r];
    }),
  };
};

/** Asks again for a denied tool, and runs it without a second decision. */
const deniedAsksAndRuns = (): AgentFault => {
  const denied = new Set<string>();
  const again = new Set<string>();
  return {
    ...editIncoming((m) => {
      if (m.tool_approval?.approved === false || m.tool_approval?.approved === undefined)
        denied.add(m.tool_approval?.id ?? '');
      return [m];
    }),
    ...editResponses((r) => {
      const { request_id = '', tool_state, tool_result } = r;
      const id = tool_state?.id ?? tool_result?.id ?? '';
      if (tool_result !== undefined && again.has(id))
        return [{ request_id, tool_result: { id, output: 'done' } }];
      if (tool_state?.state !== 'TOOL_STATE_DENIED' || !denied.has(id)) return [r];
      again.add(id);
      return [
        { request_id, tool_approval_request: { id, name: 'gated', input_json: '{}' } },
        { request_id, tool_state: { id, state: 'TOOL_STATE_COMPLETED' } },
      ];
    }),
  };
};

function deniedAsFailed(r: MessageResponse): readonly MessageResponse[] {
  const { request_id = '', tool_state } = r;
  if (tool_state?.state !== 'TOOL_STATE_DENIED') return [r];
  return [{ request_id, tool_state: { ...tool_state, state: 'TOOL_STATE_FAILED' } }];
}

function hangsUpOnStray(m: ServerMessage, context: FaultContext): readonly ServerMessage[] {
  if (m.tool_approval === undefined || askedBy(context, m.tool_approval) !== undefined) return [m];
  hangUp(context);
  return [];
}

/** Edits the timer of an approval. */
const approvalTimer =
  (edit: (output: Output & { type: 'start_timer' }) => readonly Output[]) => (): AgentFault => ({
    output(output, context) {
      const ofApproval =
        output.type === 'start_timer' && asking(context).some(({ id }) => output.id === `wait:${id}`);
      return ofApproval ? edit(output) : [output];
    },
  });

/** Approves a tool when its approval times out. */
const silenceIsConsent = (): AgentFault => ({
  input(input, context) {
    const request = asking(context).find(({ id }) => input.type === 'timer' && input.id === `wait:${id}`);
    if (request === undefined) return [input];
    approve(context, request.tool?.id ?? '');
    return [];
  },
});

/** Mutants of this theme. */
export const approvalFaults: AgentFaults = {
  'never-asks': () => editIncoming(neverAsks),
  'runs-before-decision': runsBefore,
  'silence-is-consent': silenceIsConsent,
  'approve-all-without-approved': asksNoMore(
    (decision) => decision.approve_all === true && decision.approved !== true,
    (request, decidedFor) => decidedFor.has(request),
  ),
  'approve-all-outlives-request': asksNoMore(
    (decision) => decision.approve_all === true && decision.approved === true,
    (request, decidedFor) => decidedFor.size > 0 && !decidedFor.has(request),
  ),
  'denied-runs': decided((decision) =>
    decision.approved === true ? decision : { id: decision.id ?? '', approved: true },
  ),
  'denied-with-result': deniedWithResult,
  'denied-asks-and-runs': deniedAsksAndRuns,
  'denied-and-stuck': deniedAndStuck,
  'denied-shown-as-failed': () => editResponses(deniedAsFailed),
  'asks-after-approve-all': decided(({ id = '', approved = false }) => ({ id, approved })),
  'hangs-up-on-stray-decision': () => editIncoming(hangsUpOnStray),
  'any-decision-counts': decided((decision, context) => ({
    ...decision,
    id: asking(context)[0]?.tool?.id ?? '',
  })),
  'stray-decision-denies': decided((decision, context) =>
    askedBy(context, decision) === undefined ? { id: asking(context)[0]?.tool?.id ?? '' } : decision,
  ),
  'waits-forever': approvalTimer(() => []),
  'denies-too-late': approvalTimer((output) => [{ ...output, ms: output.ms + 9300 }]),
};
