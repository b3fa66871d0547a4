/** Agents that violate FOLD-A44 to A49 at a CancelRequest. */
import { directive } from '../../../../src/fold/index.ts';
import type { CancelRequest, MessageResponse, ServerMessage } from '../../../../src/fold/index.ts';
import { editIncoming, editResponses, hangUp } from './mutant.ts';
import type { AgentFault, FaultContext, AgentFaults } from './mutant.ts';

/** Replaces a `cancelled`. */
const cancelled =
  (edit: (reason: string, request_id: string, context: FaultContext) => readonly MessageResponse[]) =>
  (): AgentFault =>
    editResponses((r, context) =>
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
  (edit: (cancel: CancelRequest, context: FaultContext, known: Known) => readonly ServerMessage[]) =>
  (): AgentFault => {
    const known: Known = new Map();
    return {
      ...editIncoming((m, context) => {
        if (m.send_message !== undefined) known.set(m.send_message.request_id ?? '', 'sent');
        return m.cancel_request === undefined ? [m] : edit(m.cancel_request, context, known);
      }),
      ...editResponses((r) => {
        if (r.done !== undefined) known.set(r.request_id ?? '', 'done');
        if (r.cancelled !== undefined) known.set(r.request_id ?? '', 'cancelled');
        return [r];
      }),
    };
  };

type Known = Map<string, 'sent' | 'done' | 'cancelled'>;

/** Also answers `cancelled` to a cancel of a request in this state. */
const saysCancelled = (where: 'done' | 'cancelled' | undefined): (() => AgentFault) =>
  onCancel((cancel, context, known) => {
    const { request_id = '', reason = '' } = cancel;
    if (known.get(request_id) === where) context.send({ response: { request_id, cancelled: { reason } } });
    return [{ cancel_request: cancel }];
  });

function hangsUpOnUnknown(
  cancel: CancelRequest,
  context: FaultContext,
  known: Known,
): readonly ServerMessage[] {
  if (known.has(cancel.request_id ?? '') || context.state.requests.size > 0)
    return [{ cancel_request: cancel }];
  hangUp(context);
  return [];
}

function cancelsAll(cancel: CancelRequest, { state }: FaultContext): readonly ServerMessage[] {
  if (!state.requests.has(cancel.request_id ?? '')) return [{ cancel_request: cancel }];
  return [...state.requests.keys()].map((request_id) => ({ cancel_request: { ...cancel, request_id } }));
}

function straysHit(cancel: CancelRequest, { state }: FaultContext, known: Known): readonly ServerMessage[] {
  if (known.has(cancel.request_id ?? '')) return [{ cancel_request: cancel }];
  return [...state.requests.keys()].map((request_id) => ({ cancel_request: { ...cancel, request_id } }));
}

/** Delays the end of a request. A cancel during the delay drops the end. */
const raceLosesBoth = (): AgentFault => {
  const ending = new Set<string>();
  return {
    input(input) {
      if (input.type === 'left') ending.clear();
      else if (input.type === 'message') ending.delete(input.message.cancel_request?.request_id ?? '');
      return [input];
    },
    ...editResponses((r, context) => {
      const { request_id = '' } = r;
      if (r.done === undefined) return [r];
      ending.add(request_id);
      context.later(5, (then) => {
        if (ending.delete(request_id)) then.send({ response: r });
      });
      return [];
    }),
  };
};

/** Ends all other requests in error at a CancelRequest. */
function failsOthers(cancel: CancelRequest, context: FaultContext): readonly ServerMessage[] {
  const { requests } = context.state;
  if (!requests.has(cancel.request_id ?? '')) return [{ cancel_request: cancel }];
  for (const request_id of requests.keys()) {
    if (request_id === cancel.request_id) continue;
    requests.delete(request_id);
    context.send({ response: { request_id, error: 'the session was stopped' } });
  }
  return [{ cancel_request: cancel }];
}

/** Ends messages in plain words 50 ms after a CancelRequest, without its reason. */
const losesPlainReason = (): AgentFault => {
  const plain = new Set<string>();
  return {
    ...editIncoming((m) => {
      const { request_id = '', content = '' } = m.send_message ?? {};
      if (m.send_message === undefined || content.includes('"wireproof"')) return [m];
      plain.add(request_id);
      return [
        { send_message: { ...m.send_message, content: directive([{ wait_ms: 2000 }, { say: content }]) } },
      ];
    }),
    ...editResponses((r, context) => {
      const { request_id = '' } = r;
      if (r.cancelled === undefined || !plain.has(request_id)) return [r];
      context.later(50, (then) => then.send({ response: { request_id, cancelled: {} } }));
      return [];
    }),
  };
};

/** Mutants of this theme. */
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
  'tool-left-open': () => editResponses((r) => (r.tool_state?.state === 'TOOL_STATE_CANCELLED' ? [] : [r])),
  'open-tool-as-failed': () =>
    editResponses((r) => {
      const { request_id = '', tool_state } = r;
      if (tool_state?.state !== 'TOOL_STATE_CANCELLED') return [r];
      return [{ request_id, tool_state: { ...tool_state, state: 'TOOL_STATE_FAILED' } }];
    }),
  'still-talks': cancelled(stillTalks),
  'cancels-everything': onCancel(cancelsAll),
  'plain-reason-lost': losesPlainReason,
  'fails-the-others': onCancel(failsOthers),
  'done-after-cancelled': cancelled((reason, request_id) => [
    { request_id, cancelled: { reason } },
    { request_id, done: {} },
  ]),
  'cancelled-twice': saysCancelled('cancelled'),
  'hangs-up-on-stray-cancel': onCancel(hangsUpOnUnknown),
  'stray-cancel-hits': onCancel(straysHit),
  'cancels-the-unknown': saysCancelled(undefined),
  'cancels-the-finished': saysCancelled('done'),
};
