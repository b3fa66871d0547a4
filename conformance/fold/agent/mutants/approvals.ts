/** Agents that violate FOLD-A32 to A37 when they handle decisions. */
import { allFaults, member, onInput, onOutput, onReceive } from '../../../../src/kit/suite/index.ts';
import type { Replacement } from '../../../../src/kit/suite/index.ts';
import { directive, parseDirective } from '../../../../src/fold/index.ts';
import type { AgentState, MessageResponse, Step, ToolApprovalResponse } from '../../../../src/fold/index.ts';
import { hangUp, onRequest, onResponse } from './mutant.ts';
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
    onReceive(member('tool_approval', (decision, context) => [edit(decision, context)]));

const ungated = (step: Step): Step => ('tool' in step ? { tool: { ...step.tool, approval: false } } : step);

const neverAsks = (): AgentFault =>
  onRequest((message) => {
    const steps = parseDirective(message.content ?? '');
    if (!steps.ok || steps.value === undefined) return;
    return [{ ...message, content: directive(steps.value.map(ungated)) }];
  });

const approve = (context: FaultContext, id: string): void =>
  context.tell({ tool_approval: { id, approved: true } });

/** Runs a tool with a short approval timeout right after it asked. Other tools wait. */
const runsBefore = (): AgentFault =>
  onResponse((r, context) => {
    const { tool } = context.state.requests.get(r.request_id ?? '') ?? {};
    const hasty = r.tool_approval_request !== undefined && tool?.step.approval_timeout_ms !== undefined;
    if (hasty) approve(context, tool.id);
  });

/** From a decision on, requests do not ask again. */
const asksNoMore =
  (
    from: (decision: ToolApprovalResponse) => boolean,
    covers: (request: string, decidedFor: ReadonlySet<string>) => boolean,
  ) =>
  (): AgentFault => {
    const decidedFor = new Set<string>();
    return allFaults(
      onReceive(
        member('tool_approval', (decision, context) => {
          const request = askedBy(context, decision);
          if (request !== undefined && from(decision)) decidedFor.add(request.id);
        }),
      ),
      onResponse((r, context) => {
        const { request_id = '', tool_approval_request: asked, tool_state } = r;
        if (!covers(request_id, decidedFor)) return;
        if (asked !== undefined) approve(context, asked.id ?? '');
        return asked !== undefined || tool_state?.state === 'TOOL_STATE_AWAITING_APPROVAL' ? [] : undefined;
      }),
    );
  };

/** Knows the tools that were denied. */
const afterDenial = (
  edit: (response: MessageResponse, denied: ReadonlySet<string>) => Replacement<MessageResponse>,
): AgentFault => {
  const denied = new Set<string>();
  return allFaults(
    onReceive(
      member('tool_approval', ({ id = '', approved = false }) => {
        if (!approved) denied.add(id);
      }),
    ),
    onResponse((r) => edit(r, denied)),
  );
};

/** Sends the result of a denied tool without is_error. */
const deniedWithResult = (): AgentFault =>
  afterDenial(({ request_id = '', tool_result }, denied) => {
    const { id = '' } = tool_result ?? {};
    return tool_result !== undefined && denied.has(id)
      ? [{ request_id, tool_result: { id, output: 'done' } }]
      : undefined;
  });

/** Sends no further response after it showed a tool as denied. */
const deniedAndStuck = (): AgentFault => {
  const decided = new Set<string>();
  const stuck = new Set<string>();
  return allFaults(
    onReceive(member('tool_approval', ({ id = '' }) => void decided.add(id))),
    onResponse(({ request_id = '', tool_state }) => {
      if (stuck.has(request_id)) return [];
      if (tool_state?.state === 'TOOL_STATE_DENIED' && decided.has(tool_state.id ?? ''))
        stuck.add(request_id);
      return;
    }),
  );
};

/** Asks again for a denied tool, and runs it without a second decision. */
const deniedAsksAndRuns = (): AgentFault => {
  const again = new Set<string>();
  return afterDenial(({ request_id = '', tool_state, tool_result }, denied) => {
    const id = tool_state?.id ?? tool_result?.id ?? '';
    if (tool_result !== undefined && again.has(id))
      return [{ request_id, tool_result: { id, output: 'done' } }];
    if (tool_state?.state !== 'TOOL_STATE_DENIED' || !denied.has(id)) return;
    again.add(id);
    return [
      { request_id, tool_approval_request: { id, name: 'gated', input_json: '{}' } },
      { request_id, tool_state: { id, state: 'TOOL_STATE_COMPLETED' } },
    ];
  });
};

const deniedAsFailed = (): AgentFault =>
  onResponse(({ request_id = '', tool_state }) =>
    tool_state?.state === 'TOOL_STATE_DENIED'
      ? [{ request_id, tool_state: { ...tool_state, state: 'TOOL_STATE_FAILED' } }]
      : undefined,
  );

const hangsUpOnStray = (): AgentFault =>
  onReceive(
    member('tool_approval', (decision, context) => {
      if (askedBy(context, decision) !== undefined) return;
      hangUp(context);
      return [];
    }),
  );

/** Edits the timer of an approval. */
const approvalTimer =
  (edit: (output: Output & { type: 'start_timer' }) => readonly Output[]) => (): AgentFault =>
    onOutput('start_timer', (output, context) =>
      asking(context).some(({ id }) => output.id === `wait:${id}`) ? edit(output) : undefined,
    );

/** Approves a tool when its approval times out. */
const silenceIsConsent = (): AgentFault =>
  onInput('timer', (timer, context) => {
    const request = asking(context).find(({ id }) => timer.id === `wait:${id}`);
    if (request === undefined) return;
    approve(context, request.tool?.id ?? '');
    return [];
  });

export const approvalFaults: AgentFaults = {
  'never-asks': neverAsks,
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
  'denied-shown-as-failed': deniedAsFailed,
  'asks-after-approve-all': decided(({ id = '', approved = false }) => ({ id, approved })),
  'hangs-up-on-stray-decision': hangsUpOnStray,
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
