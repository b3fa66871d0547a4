/** Agents that take a CancelRequest otherwise than FOLD-A44 to A49 say. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { CancelRequest, MessageResponse, ServerMessage } from '../../../../src/fold/index.ts';
import { answers, hears, wrong } from './mutant.ts';
import type { AgentFault, FaultContext } from './mutant.ts';

/** Sends something else for a `cancelled`. */
const cancelled =
  (edit: (reason: string, request_id: string, hand: FaultContext) => readonly MessageResponse[]) =>
  (): AgentFault =>
    answers((r, hand) =>
      r.cancelled === undefined ? [r] : edit(r.cancelled.reason ?? '', r.request_id ?? '', hand),
    );

const withReason = (edit: (reason: string) => string): (() => AgentFault) =>
  cancelled((reason, request_id) => [{ request_id, cancelled: { reason: edit(reason) } }]);

function stillTalks(reason: string, request_id: string, hand: FaultContext): readonly MessageResponse[] {
  hand.later(1200, (then) => then.send({ response: { request_id, thinking: 'one more thing' } }));
  hand.later(1500, (then) => then.send({ response: { request_id, cancelled: { reason } } }));
  return [];
}

/** What becomes of a CancelRequest, knowing what was sent for which request. */
const onCancel =
  (edit: (cancel: CancelRequest, hand: FaultContext, known: Known) => readonly ServerMessage[]) =>
  (): AgentFault => {
    const known: Known = new Map();
    return {
      ...hears((m, hand) => {
        if (m.send_message !== undefined) known.set(m.send_message.request_id ?? '', 'sent');
        return m.cancel_request === undefined ? [m] : edit(m.cancel_request, hand, known);
      }),
      ...answers((r) => {
        if (r.done !== undefined) known.set(r.request_id ?? '', 'done');
        if (r.cancelled !== undefined) known.set(r.request_id ?? '', 'cancelled');
        return [r];
      }),
    };
  };

type Known = Map<string, 'sent' | 'done' | 'cancelled'>;

/** Answers `cancelled` where the request is in this state, too. */
const saysCancelled = (where: 'done' | 'cancelled' | undefined): (() => AgentFault) =>
  onCancel((cancel, hand, known) => {
    const { request_id = '', reason = '' } = cancel;
    if (known.get(request_id) === where) hand.send({ response: { request_id, cancelled: { reason } } });
    return [{ cancel_request: cancel }];
  });

function hangsUpOnUnknown(cancel: CancelRequest, hand: FaultContext, known: Known): readonly ServerMessage[] {
  if (known.has(cancel.request_id ?? '') || hand.agent.requests.size > 0) return [{ cancel_request: cancel }];
  hand.hangUp();
  return [];
}

function cancelsAll(cancel: CancelRequest, { agent }: FaultContext): readonly ServerMessage[] {
  if (!agent.requests.has(cancel.request_id ?? '')) return [{ cancel_request: cancel }];
  return [...agent.requests.keys()].map((request_id) => ({ cancel_request: { ...cancel, request_id } }));
}

function straysHit(cancel: CancelRequest, { agent }: FaultContext, known: Known): readonly ServerMessage[] {
  if (known.has(cancel.request_id ?? '')) return [{ cancel_request: cancel }];
  return [...agent.requests.keys()].map((request_id) => ({ cancel_request: { ...cancel, request_id } }));
}

/** What a request ends with is on its way for a moment; a cancel that comes then takes it away. */
const raceLosesBoth = (): AgentFault => {
  const ending = new Set<string>();
  return {
    input(input) {
      if (input.type === 'left') ending.clear();
      else if (input.type === 'message') ending.delete(input.message.cancel_request?.request_id ?? '');
      return [input];
    },
    ...answers((r, hand) => {
      const { request_id = '' } = r;
      if (r.done === undefined) return [r];
      ending.add(request_id);
      hand.later(5, (then) => {
        if (ending.delete(request_id)) then.send({ response: r });
      });
      return [];
    }),
  };
};

/** Mutants of this theme. */
export const cancellationMutants: readonly Mutant[] = [
  wrong(
    'FOLD-A44',
    'cancelled-never-sent',
    'It stops a cancelled request and sends no terminal.',
    cancelled(() => []),
  ),
  wrong(
    'FOLD-A44',
    'cancelled-too-late',
    'It stops a cancelled request and sends cancelled 12 s later.',
    cancelled((reason, request_id, hand) => {
      hand.later(12_000, (then) => then.send({ response: { request_id, cancelled: { reason } } }));
      return [];
    }),
  ),
  wrong(
    'FOLD-A44',
    'race-loses-both',
    'It sends no terminal when a CancelRequest comes as the request ends.',
    raceLosesBoth,
  ),
  wrong(
    'FOLD-A45',
    'cancelled-as-error',
    'It ends a cancelled request in error.',
    cancelled((_, request_id) => [{ request_id, error: 'cancelled' }]),
  ),
  wrong(
    'FOLD-A45',
    'cancelled-as-done',
    'It ends a cancelled request with done.',
    cancelled((_, request_id) => [{ request_id, done: {} }]),
  ),
  wrong(
    'FOLD-A46',
    'reason-lost',
    'Its cancelled has no reason.',
    withReason(() => ''),
  ),
  wrong(
    'FOLD-A46',
    'reason-made-up',
    'Its cancelled has a reason where the CancelRequest had none.',
    withReason((reason) => (reason === '' ? 'user_requested' : reason)),
  ),
  wrong('FOLD-A47', 'tool-left-open', 'It leaves the open tool of a cancelled request as it was.', () =>
    answers((r) => (r.tool_state?.state === 'TOOL_STATE_CANCELLED' ? [] : [r])),
  ),
  wrong('FOLD-A47', 'open-tool-as-failed', 'It shows the open tool of a cancelled request as FAILED.', () =>
    answers((r) => {
      const { request_id = '', tool_state } = r;
      if (tool_state?.state !== 'TOOL_STATE_CANCELLED') return [r];
      return [{ request_id, tool_state: { ...tool_state, state: 'TOOL_STATE_FAILED' } }];
    }),
  ),
  wrong('FOLD-A47', 'still-talks', 'It goes on for 1.5 s after a CancelRequest.', cancelled(stillTalks)),
  wrong('FOLD-A48', 'cancels-everything', 'It cancels everything that runs.', onCancel(cancelsAll)),
  wrong(
    'FOLD-A48',
    'done-after-cancelled',
    'It sends done after cancelled.',
    cancelled((reason, request_id) => [
      { request_id, cancelled: { reason } },
      { request_id, done: {} },
    ]),
  ),
  wrong(
    'FOLD-A48',
    'cancelled-twice',
    'It sends cancelled again when a request is cancelled again.',
    saysCancelled('cancelled'),
  ),
  wrong(
    'FOLD-A49',
    'hangs-up-on-stray-cancel',
    'It ends the stream at a cancel of what it does not know while nothing runs.',
    onCancel(hangsUpOnUnknown),
  ),
  wrong(
    'FOLD-A49',
    'stray-cancel-hits',
    'It cancels what runs when it does not know the request.',
    onCancel(straysHit),
  ),
  wrong(
    'FOLD-A49',
    'cancels-the-unknown',
    'It sends cancelled for a request that never was.',
    saysCancelled(undefined),
  ),
  wrong(
    'FOLD-A49',
    'cancels-the-finished',
    'It sends cancelled for a request that was done.',
    saysCancelled('done'),
  ),
];
