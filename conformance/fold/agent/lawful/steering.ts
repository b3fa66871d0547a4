/** Lawful agents that take injections, cancels and Shutdown in unusual ways. */
import { allFaults, member, onSend, sendLate } from '../../../../src/kit/suite/index.ts';
import type { MessageResponse } from '../../../../src/fold/index.ts';
import { onResponse } from '../mutants/mutant.ts';
import type { AgentFault, FaultContext, AgentFaults } from '../mutants/mutant.ts';
import { onContext } from '../mutants/injection.ts';
import { closesLater, onClose } from '../mutants/lifecycle.ts';
import { responses } from './lawful.ts';

/** Rejects these injections, but no release. */
const rejects = (which: (context: FaultContext) => boolean) => (): AgentFault =>
  onContext(({ injection_id = '' }, context) => {
    if (!which(context)) return;
    context.send({ injection_ack: { injection_id, accepted: false, reason: 'context too large' } });
    return [];
  });

/** Says IMMEDIATE injections this much later (ms), or before the done of their request. */
const saysLater = (ms: number) => (): AgentFault => {
  const contents = new Set<string>();
  const held = new Map<string, MessageResponse>();
  const say = (id: string): MessageResponse[] => {
    const response = held.get(id);
    held.delete(id);
    return response === undefined ? [] : [response];
  };
  return allFaults(
    onContext(({ content = '', priority }) => {
      if (priority === 'INJECTION_PRIORITY_IMMEDIATE') contents.add(content);
    }),
    onResponse((r, context) => {
      const { text, done, request_id = '' } = r;
      if (done !== undefined) return [...say(request_id), { request_id, done: {} }];
      const runs = context.state.requests.get(request_id);
      if (text === undefined || !contents.delete(text) || runs?.wait.on !== 'hold') return;
      held.set(request_id, r);
      context.later(ms, (then) => say(request_id).forEach((response) => then.send({ response })));
      return [];
    }),
  );
};

/** Puts words around injections that it says. */
const saysWith = (before: string, after: string) => (): AgentFault => {
  const contents = new Set<string>();
  return allFaults(
    onContext(({ content = '' }) => {
      if (content !== '') contents.add(content);
    }),
    onResponse(({ request_id = '', text = '', done }) => {
      if (done !== undefined) return [{ request_id, done: {} }];
      return contents.has(text) ? [{ request_id, text: before + text + after }] : undefined;
    }),
  );
};

/** Replaces `cancelled`. */
const cancelled = (
  edit: (response: MessageResponse, context: FaultContext) => readonly MessageResponse[],
): (() => AgentFault) => responses((r, context) => (r.cancelled === undefined ? [r] : edit(r, context)));

const later =
  (ms: number) =>
  (response: MessageResponse, context: FaultContext): readonly MessageResponse[] => {
    context.later(ms, (then) => then.send({ response }));
    return [];
  };

/** Ends requests at a Shutdown with another terminal. */
const shutsDown = (terminal: (id: string) => MessageResponse): (() => AgentFault) =>
  responses((r, { state }) => [
    state.phase === 'stopped' && r.error !== undefined ? terminal(r.request_id ?? '') : r,
  ]);

/** Resets its stream after a Shutdown. */
const resets = (): AgentFault =>
  onClose((output) =>
    'peer' in output
      ? [{ type: 'close', peer: output.peer, status: { code: 1, message: 'gone' } }]
      : undefined,
  );

export const lawfulSteering: AgentFaults = {
  'acks-after-2-s': () => onSend(sendLate(2000, ({ injection_ack }) => injection_ack !== undefined)),
  'acks-with-reason': () =>
    onSend(member('injection_ack', (ack) => [{ ...ack, reason: ack.reason ?? 'queued' }])),
  'rejects-all': rejects(() => true),
  'rejects-when-idle': rejects(({ state }) => state.requests.size === 0),
  'rejects-when-busy': rejects(({ state }) => state.requests.size > 0),
  'immediate-in-half-a-second': saysLater(500),
  'immediate-in-a-moment': saysLater(150),
  'words-before-injection': saysWith('Note: ', ''),
  'words-around-injection': saysWith('\n[context: ', ']\n'),
  'thinks-at-injection': responses((r, { state }) =>
    r.text !== undefined && state.acks.size > 0
      ? [{ request_id: r.request_id ?? '', thinking: 'ah' }, r]
      : [r],
  ),
  'cancelled-after-half-a-second': cancelled(later(500)),
  'cancelled-after-8-s': cancelled(later(8000)),
  'usage-before-cancelled': cancelled((r) => [
    { request_id: r.request_id ?? '', usage: { input_tokens: 5 } },
    r,
  ]),
  'last-text-before-cancelled': cancelled((r) => [{ request_id: r.request_id ?? '', text: '… stopped' }, r]),
  'thinks-before-cancelled': cancelled((r, context) => [
    { request_id: r.request_id ?? '', thinking: 'stopping' },
    ...later(400)(r, context),
  ]),
  'shutdown-done': shutsDown((request_id) => ({ request_id, done: {} })),
  'shutdown-cancelled': shutsDown((request_id) => ({ request_id, cancelled: { reason: 'shutdown' } })),
  'closes-after-5-s': closesLater(5000),
  'closes-after-9-s': closesLater(9000),
  'resets-at-shutdown': resets,
};
