/** Agents that violate FOLD-A44 to A49 at a CancelRequest. */
import { allFaults, member, onInput, onReceive } from '../../../../src/kit/suite/index.ts';
import type { Replacement } from '../../../../src/kit/suite/index.ts';
import { directive } from '../../../../src/fold/index.ts';
import type { CancelRequest, MessageResponse } from '../../../../src/fold/index.ts';
import { hangUp, onRequest, onResponse } from './mutant.ts';
import type { AgentFault, FaultContext, AgentFaults } from './mutant.ts';

/** Replaces a `cancelled`. */
const cancelled =
  (edit: (reason: string, request_id: string, context: FaultContext) => readonly MessageResponse[]) =>
  (): AgentFault =>
    onResponse((r, context) =>
      r.cancelled === undefined ? [r] : edit(r.cancelled.reason ?? '', r.request_id ?? '', context),
    );

const withReason = (edit: (reason: string) => string): (() => AgentFault) =>
  cancelled((reason, request_id) => [{ request_id, cancelled: { reason: edit(reason) } }]);

function stillTalks(reason: string, request_id: string, context: FaultContext): readonly MessageResponse[] {
  context.later(1200, (then) => then.send({ response: { request_id, thinking: 'one more thing' } }));
  context.later(1500, (then) => then.send({ response: { request_id, cancelled: { reason } } }));
  return [];
}

/** Edits the handling of a CancelRequest, with the memory of sent responses. */
const onCancel =
  (edit: (cancel: CancelRequest, context: FaultContext, known: Known) => Replacement<CancelRequest>) =>
  (): AgentFault => {
    const known: Known = new Map();
    return allFaults(
      onRequest(({ request_id = '' }) => void known.set(request_id, 'sent')),
      onReceive(member('cancel_request', (cancel, context) => edit(cancel, context, known))),
      onResponse((r) => {
        if (r.done !== undefined) known.set(r.request_id ?? '', 'done');
        if (r.cancelled !== undefined) known.set(r.request_id ?? '', 'cancelled');
      }),
    );
  };

type Known = Map<string, 'sent' | 'done' | 'cancelled'>;

/** Also answers `cancelled` to a cancel of a request in this state. */
const saysCancelled = (where: 'done' | 'cancelled' | undefined): (() => AgentFault) =>
  onCancel(({ request_id = '', reason = '' }, context, known) => {
    if (known.get(request_id) === where) context.send({ response: { request_id, cancelled: { reason } } });
  });

function hangsUpOnUnknown(
  { request_id = '' }: CancelRequest,
  context: FaultContext,
  known: Known,
): Replacement<CancelRequest> {
  if (known.has(request_id) || context.state.requests.size > 0) return;
  hangUp(context);
  return [];
}

const forAll = (cancel: CancelRequest, { state }: FaultContext): readonly CancelRequest[] =>
  [...state.requests.keys()].map((request_id) => ({ ...cancel, request_id }));

/** Delays the end of a request. A cancel during the delay drops the end. */
const raceLosesBoth = (): AgentFault => {
  const ending = new Set<string>();
  return allFaults(
    onInput('left', () => ending.clear()),
    onReceive(member('cancel_request', ({ request_id = '' }) => void ending.delete(request_id))),
    onResponse((r, context) => {
      const { request_id = '', done } = r;
      if (done === undefined) return;
      ending.add(request_id);
      context.later(5, (then) => {
        if (ending.delete(request_id)) then.send({ response: r });
      });
      return [];
    }),
  );
};

/** Ends all other requests in error at a CancelRequest. */
function failsOthers({ request_id: cancelled = '' }: CancelRequest, context: FaultContext): void {
  const { requests } = context.state;
  if (!requests.has(cancelled)) return;
  for (const request_id of requests.keys()) {
    if (request_id === cancelled) continue;
    requests.delete(request_id);
    context.send({ response: { request_id, error: 'the session was stopped' } });
  }
}

/** Ends messages in plain words 50 ms after a CancelRequest, without its reason. */
const losesPlainReason = (): AgentFault => {
  const plain = new Set<string>();
  return allFaults(
    onRequest((message) => {
      const { request_id = '', content = '' } = message;
      if (content.includes('"wireproof"')) return;
      plain.add(request_id);
      return [{ ...message, content: directive([{ wait_ms: 2000 }, { say: content }]) }];
    }),
    onResponse(({ request_id = '', cancelled }, context) => {
      if (cancelled === undefined || !plain.has(request_id)) return;
      context.later(50, (then) => then.send({ response: { request_id, cancelled: {} } }));
      return [];
    }),
  );
};

export const cancellationFaults: AgentFaults = {
  'cancelled-never-sent': cancelled(() => []),
  'cancelled-too-late': cancelled((reason, request_id, context) => {
    context.later(12_000, (then) => then.send({ response: { request_id, cancelled: { reason } } }));
    return [];
  }),
  'race-loses-both': raceLosesBoth,
  'cancelled-as-error': cancelled((_, request_id) => [{ request_id, error: 'cancelled' }]),
  'cancelled-as-done': cancelled((_, request_id) => [{ request_id, done: {} }]),
  'reason-lost': withReason(() => ''),
  'reason-made-up': withReason((reason) => (reason === '' ? 'user_requested' : reason)),
  'tool-left-open': () => onResponse((r) => (r.tool_state?.state === 'TOOL_STATE_CANCELLED' ? [] : [r])),
  'open-tool-as-failed': () =>
    onResponse(({ request_id = '', tool_state }) =>
      tool_state?.state === 'TOOL_STATE_CANCELLED'
        ? [{ request_id, tool_state: { ...tool_state, state: 'TOOL_STATE_FAILED' } }]
        : undefined,
    ),
  'still-talks': cancelled(stillTalks),
  'cancels-everything': onCancel((cancel, context) =>
    context.state.requests.has(cancel.request_id ?? '') ? forAll(cancel, context) : undefined,
  ),
  'plain-reason-lost': losesPlainReason,
  'fails-the-others': onCancel(failsOthers),
  'done-after-cancelled': cancelled((reason, request_id) => [
    { request_id, cancelled: { reason } },
    { request_id, done: {} },
  ]),
  'cancelled-twice': saysCancelled('cancelled'),
  'hangs-up-on-stray-cancel': onCancel(hangsUpOnUnknown),
  'stray-cancel-hits': onCancel((cancel, context, known) =>
    known.has(cancel.request_id ?? '') ? undefined : forAll(cancel, context),
  ),
  'cancels-the-unknown': saysCancelled(undefined),
  'cancels-the-finished': saysCancelled('done'),
};
