/** Lawful agents that take injections, cancels and Shutdown in unusual ways. */
import type { LawfulPeer } from '../../../../src/kit/suite/index.ts';
import type { AgentMessage, MessageResponse } from '../../../../src/fold/index.ts';
import { editIncoming, editOutgoing, editResponses } from '../mutants/mutant.ts';
import type { AgentFault, FaultContext } from '../mutants/mutant.ts';
import { documents, lawful, responses } from './lawful.ts';

type Ack = NonNullable<AgentMessage['injection_ack']>;

const acks = (edit: (ack: Ack, context: FaultContext) => readonly Ack[]) => (): AgentFault =>
  editOutgoing((m, context) =>
    m.injection_ack === undefined
      ? [m]
      : edit(m.injection_ack, context).map((injection_ack) => ({ injection_ack })),
  );

/** Rejects these injections, but no release. */
const rejects = (which: (context: FaultContext) => boolean) => (): AgentFault =>
  editIncoming((m, context) => {
    const injection = m.inject_context;
    if (injection === undefined || injection.content === 'release' || !which(context)) return [m];
    const { injection_id = '' } = injection;
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
  return {
    ...editIncoming((m) => {
      const { content = '', priority } = m.inject_context ?? {};
      if (priority === 'INJECTION_PRIORITY_IMMEDIATE' && content !== 'release') contents.add(content);
      return [m];
    }),
    ...editResponses((r, context) => {
      const { text, done, request_id = '' } = r;
      if (done !== undefined) return [...say(request_id), { request_id, done: {} }];
      const runs = context.state.requests.get(request_id);
      if (text === undefined || !contents.delete(text) || runs?.wait.on !== 'hold') return [r];
      held.set(request_id, r);
      context.later(ms, (then) => say(request_id).forEach((response) => then.send({ response })));
      return [];
    }),
  };
};

/** Puts words around injections that it says. */
const saysWith = (before: string, after: string) => (): AgentFault => {
  const contents = new Set<string>();
  return {
    ...editIncoming((m) => {
      const { content = '' } = m.inject_context ?? {};
      if (content !== '' && content !== 'release') contents.add(content);
      return [m];
    }),
    ...editResponses((r) => {
      const { request_id = '', text = '', done } = r;
      if (done !== undefined) return [{ request_id, done: {} }];
      return [contents.has(text) ? { request_id, text: before + text + after } : r];
    }),
  };
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

/** Closes its stream this long after a Shutdown (ms). */
const closesLater = (ms: number) => (): AgentFault => ({
  output(output, context) {
    if (output.type !== 'half_close' || context.state.phase !== 'stopped') return [output];
    context.later(ms, (then) => then.put(output));
    return [];
  },
});

/** Resets its stream after a Shutdown. */
const resets = (): AgentFault => ({
  output: (output, context) =>
    output.type === 'half_close' && context.state.phase === 'stopped'
      ? [{ type: 'close', peer: output.peer, status: { code: 1, message: 'gone' } }]
      : [output],
});

const acceptance = `${documents.page}, Decisions, 9: an ack is due in 5 s`;
const prompt = `${documents.cancellation}, Timeout Behavior: the gateway waits N seconds`;
const stopping = `${documents.schema}, message Shutdown: requests end first, then the stream`;
const turn = `${documents.injection}: into the current response if possible; no document sets a time`;

/** Peers of this theme. */
export const lawfulSteering: readonly LawfulPeer[] = [
  lawful('acks-after-2-s', 'It acknowledges injections after 2 s.', {
    allowed: acceptance,
    oddity: acks((injection_ack, context) => {
      context.later(2000, (then) => then.send({ injection_ack }));
      return [];
    }),
  }),
  lawful('acks-with-reason', 'Its acks of accepted injections have a reason.', {
    allowed: `${documents.injection}; message InjectionAck: reason is optional`,
    oddity: acks((ack) => [{ ...ack, reason: ack.reason ?? 'queued' }]),
  }),
  lawful('rejects-all', 'It rejects every injection with a reason.', {
    allowed: `${documents.injection}: an agent may reject an injection`,
    oddity: rejects(() => true),
    unseen: { 'FOLD-A42': 'it accepts no injection' },
  }),
  lawful('rejects-when-idle', 'It rejects injections while nothing runs.', {
    allowed: `${documents.injection}: an agent may reject an injection`,
    oddity: rejects(({ state }) => state.requests.size === 0),
  }),
  lawful('rejects-when-busy', 'It rejects injections while a request runs.', {
    allowed: `${documents.injection}: an agent may reject an injection`,
    oddity: rejects(({ state }) => state.requests.size > 0),
  }),
  lawful('immediate-in-half-a-second', 'It says IMMEDIATE injections half a second later.', {
    allowed: turn,
    oddity: saysLater(500),
    unseen: { 'FOLD-A17': 'it never sends full_response' },
  }),
  lawful('immediate-in-a-moment', 'It says IMMEDIATE injections 150 ms later.', {
    allowed: turn,
    oddity: saysLater(150),
    unseen: { 'FOLD-A17': 'it never sends full_response' },
  }),
  lawful('words-before-injection', 'It says injections with words before.', {
    allowed: turn,
    oddity: saysWith('Note: ', ''),
    unseen: { 'FOLD-A17': 'it never sends full_response' },
  }),
  lawful('words-around-injection', 'It says injections in brackets.', {
    allowed: turn,
    oddity: saysWith('\n[context: ', ']\n'),
    unseen: { 'FOLD-A17': 'it never sends full_response' },
  }),
  lawful('thinks-at-injection', 'It thinks before it says an injection.', {
    allowed: turn,
    oddity: responses((r, { state }) =>
      r.text !== undefined && state.acks.size > 0
        ? [{ request_id: r.request_id ?? '', thinking: 'ah' }, r]
        : [r],
    ),
  }),
  lawful('cancelled-after-half-a-second', 'It sends cancelled half a second later.', {
    allowed: prompt,
    oddity: cancelled(later(500)),
  }),
  lawful('cancelled-after-8-s', 'It sends cancelled 8 s later.', {
    allowed: prompt,
    oddity: cancelled(later(8000)),
  }),
  lawful('usage-before-cancelled', 'It sends usage before cancelled.', {
    allowed: `${documents.usage}, Usage Pattern: usage after each call, also a stopped one`,
    oddity: cancelled((r) => [{ request_id: r.request_id ?? '', usage: { input_tokens: 5 } }, r]),
  }),
  lawful('last-text-before-cancelled', 'It sends a last text before cancelled.', {
    allowed: `${documents.cancellation}, Agent Behavior: stop if possible`,
    oddity: cancelled((r) => [{ request_id: r.request_id ?? '', text: '… stopped' }, r]),
  }),
  lawful('thinks-before-cancelled', 'It thinks for 400 ms before cancelled.', {
    allowed: `${documents.cancellation}, Agent Behavior: stop if possible`,
    oddity: cancelled((r, context) => [
      { request_id: r.request_id ?? '', thinking: 'stopping' },
      ...later(400)(r, context),
    ]),
  }),
  lawful('shutdown-done', 'It ends its requests with done at a Shutdown.', {
    allowed: stopping,
    oddity: shutsDown((request_id) => ({ request_id, done: {} })),
  }),
  lawful('shutdown-cancelled', 'It ends its requests with cancelled at a Shutdown.', {
    allowed: stopping,
    oddity: shutsDown((request_id) => ({ request_id, cancelled: { reason: 'shutdown' } })),
  }),
  lawful('closes-after-5-s', 'It closes its stream 5 s after a Shutdown.', {
    allowed: stopping,
    oddity: closesLater(5000),
  }),
  lawful('closes-after-9-s', 'It closes its stream 9 s after a Shutdown.', {
    allowed: stopping,
    oddity: closesLater(9000),
  }),
  lawful('resets-at-shutdown', 'It resets its stream at a Shutdown.', { allowed: stopping, oddity: resets }),
];
