/** Agents that violate FOLD-A40 to A43 at an injection. */
import { allFaults, member, onReceive, onSend } from '../../../../src/kit/suite/index.ts';
import type { MessageEdit, Replacement } from '../../../../src/kit/suite/index.ts';
import type { AgentMessage, InjectContext, InjectionPriority } from '../../../../src/fold/index.ts';
import { asLatin1, cutInPairs, escapedTwice, withoutControls } from '../../texts.ts';
import { onResponse } from './mutant.ts';
import type { AgentFault, FaultContext, AgentFaults } from './mutant.ts';

type Ack = NonNullable<AgentMessage['injection_ack']>;

/** Edits acks. `n` counts the acks of the stream, from 1. */
const acks = (edit: (ack: Ack, n: number, context: FaultContext) => Replacement<Ack>) => (): AgentFault => {
  let n = 0;
  return onSend(member('injection_ack', (ack, context) => edit(ack, ++n, context)));
};

function lateAck(injection_ack: Ack, n: number, context: FaultContext): Replacement<Ack> {
  if (n === 1) return;
  context.later(6000, (then) => then.send({ injection_ack }));
  return [];
}

/** A fault in the injections other than a release. */
export const onContext = (edit: MessageEdit<InjectContext, FaultContext>): AgentFault =>
  onReceive(
    member('inject_context', (injection, context: FaultContext, peer) =>
      injection.content === 'release' ? undefined : edit(injection, context, peer),
    ),
  );

/** Sends only the first ack of each injection_id. */
const acksOnce = (): AgentFault => {
  const seen = new Set<string>();
  return acks((ack) => {
    const known = seen.has(ack.injection_id ?? '');
    seen.add(ack.injection_id ?? '');
    return known ? [] : [ack];
  })();
};

const unspecified = 'INJECTION_PRIORITY_UNSPECIFIED';

/** Treats injections of one priority like another. */
const takes = (one: InjectionPriority, as: InjectionPriority) => (): AgentFault =>
  onContext((injection) =>
    (injection.priority ?? unspecified) === one ? [{ ...injection, priority: as }] : undefined,
  );

/** Changes the content of injections. */
const changes = (change: (text: string) => string) => (): AgentFault =>
  onContext((injection) => [{ ...injection, content: change(injection.content ?? '') }]);

/** Acknowledges some injections, and drops them. */
const drops = (which: (injection: InjectContext, context: FaultContext) => boolean) => (): AgentFault =>
  onContext((injection, context) => {
    if (!which(injection, context)) return;
    context.send({ injection_ack: { injection_id: injection.injection_id ?? '', accepted: true } });
    return [];
  });

/** Sends the text of NORMAL injections one text too late. */
const normalTooLate = (): AgentFault => {
  const normal = new Set<string>();
  const held = new Map<string, string[]>();
  return allFaults(
    onReceive(
      member('inject_context', ({ priority, content = '' }) => {
        if (priority === 'INJECTION_PRIORITY_NORMAL') normal.add(content);
      }),
    ),
    onResponse((r) => {
      const { request_id = '', text } = r;
      const waiting = held.get(request_id);
      if (text !== undefined && normal.delete(text)) {
        held.set(request_id, [...(waiting ?? []), text]);
        return [];
      }
      const late = (waiting ?? []).map((said) => ({ request_id, text: said }));
      if (waiting === undefined || (text === undefined && r.done === undefined)) return;
      held.set(request_id, []);
      return text === undefined ? [...late, { request_id, done: {} }] : [r, ...late];
    }),
  );
};

/** Applies an injection again when its id is repeated. */
const appliesTwice = (): AgentFault => {
  const seen = new Set<string>();
  const again = '#2';
  return allFaults(
    onReceive(
      member('inject_context', (injection) => {
        const { injection_id: id = '' } = injection;
        const known = seen.has(id);
        seen.add(id);
        return known ? [{ ...injection, injection_id: id + again }] : undefined;
      }),
    ),
    acks((ack) => [{ ...ack, injection_id: (ack.injection_id ?? '').replace(again, '') }])(),
  );
};

/** Treats an injection without an active request as a message. */
const answersInjections = (): AgentFault =>
  onContext(({ injection_id: request_id = '' }, context) => {
    if (context.state.requests.size > 0) return;
    context.send({ response: { request_id, text: 'I see.' } });
    context.send({ response: { request_id, done: {} } });
  });

/** Drops the done of requests with an injection. */
const losesTheInjected = (): AgentFault => {
  const injected = new Set<string>();
  return allFaults(
    onContext((_, { state }) => {
      for (const id of state.requests.keys()) injected.add(id);
    }),
    onResponse(({ request_id = '', done }) =>
      done !== undefined && injected.has(request_id) ? [] : undefined,
    ),
  );
};

export const injectionFaults: AgentFaults = {
  'acks-the-first-only': acks((ack, n) => (n === 1 ? [ack] : [])),
  'acks-late': acks(lateAck),
  'acks-twice': acks((ack) => [ack, ack]),
  'acks-another-id': acks((ack) => [{ ...ack, injection_id: `ack-${ack.injection_id ?? ''}` }]),
  'acks-the-unknown': acks((ack) => [ack, { ...ack, injection_id: 'never-came' }]),
  'acks-a-repeat-no-more': acksOnce,
  'rejects-without-reason': acks(({ injection_id = '', accepted = false }) => [{ injection_id, accepted }]),
  'immediate-as-normal': takes('INJECTION_PRIORITY_IMMEDIATE', 'INJECTION_PRIORITY_NORMAL'),
  'immediate-as-deferred': takes('INJECTION_PRIORITY_IMMEDIATE', 'INJECTION_PRIORITY_DEFERRED'),
  'normal-at-once': takes('INJECTION_PRIORITY_NORMAL', 'INJECTION_PRIORITY_IMMEDIATE'),
  'normal-as-deferred': takes('INJECTION_PRIORITY_NORMAL', 'INJECTION_PRIORITY_DEFERRED'),
  'normal-too-late': normalTooLate,
  'unspecified-as-deferred': takes(unspecified, 'INJECTION_PRIORITY_DEFERRED'),
  'deferred-at-once': takes('INJECTION_PRIORITY_DEFERRED', 'INJECTION_PRIORITY_IMMEDIATE'),
  'deferred-as-normal': takes('INJECTION_PRIORITY_DEFERRED', 'INJECTION_PRIORITY_NORMAL'),
  'injection-as-latin1': changes(asLatin1),
  'injection-cut-in-pairs': changes(cutInPairs),
  'injection-escaped-twice': changes(escapedTwice),
  'injection-without-controls': changes(withoutControls),
  'deferred-never': drops((injection) => injection.priority === 'INJECTION_PRIORITY_DEFERRED'),
  'forgets-when-idle': drops((_, context) => context.state.requests.size === 0),
  'applies-a-repeat': appliesTwice,
  'answers-injections': answersInjections,
  'loses-the-injected': losesTheInjected,
};
