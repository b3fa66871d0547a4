/** FOLD-A40, A41 and A43: context injected while an agent works. */
import { exercised, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule } from '../../../../src/kit/judge/index.ts';
import type { Injection, Request, Session } from '../../../../src/fold/index.ts';
import { terminals } from '../topics.ts';
import type { FoldView } from '../view.ts';
import { agentMessage, responseOf } from '../view.ts';
import { pendingEnd, stalled } from './silence.ts';

const acked = rule({
  requirement: 'FOLD-A40',
  listens: ['injection_ack'],
  start: () => null,
  step(_, event, view: FoldView): Findings {
    const session = view.stream?.session;
    if (session?.features.has('injection') !== true) return undefined;
    const id = agentMessage(event).injection_ack?.injection_id ?? '';
    const injection = session.injections.get(id);
    if (injection === undefined) {
      return session.forgotten > 0
        ? undefined
        : violated(event, `expected the injection_id of an InjectContext of this stream; came "${id}"`);
    }
    const { sends, acks } = injection;
    if (acks.length >= sends)
      return violated(
        event,
        `expected one InjectionAck for each of ${sends} InjectContext ${id}; one more came`,
        [injection.seq],
      );
    const took = event.at - injection.at;
    if (sends > 1 || took <= view.timeouts.ack) return exercised(event);
    return violated(
      event,
      `expected InjectionAck ${id} within ${view.timeouts.ack} ms; it took ${Math.round(took)} ms`,
      [injection.seq],
    );
  },
  pending: (_, view) =>
    [...view.streams.values()]
      .filter(
        ({ session, ended, disturbed }) =>
          ended === undefined && !disturbed && session.features.has('injection'),
      )
      .flatMap(({ session }) => [...session.injections.values()])
      .filter(({ acks, sends }) => acks.length < sends)
      .map(({ seq, at, id, sends, acks }) => ({
        seq,
        at,
        within: view.timeouts.ack,
        expected: `InjectionAck ${id} within ${view.timeouts.ack} ms`,
        came: `${acks.length} of ${sends}`,
      })),
});

const rejection = rule({
  requirement: 'FOLD-A41',
  listens: ['injection_ack'],
  start: () => null,
  step(_, event, _view: FoldView) {
    const { accepted = false, reason = '', injection_id: id = '' } = agentMessage(event).injection_ack ?? {};
    if (accepted) return undefined;
    return reason === ''
      ? violated(event, `expected a reason with the rejection of injection ${id}; there is none`)
      : exercised(event);
  },
});

const startsNothing = rule({
  requirement: 'FOLD-A43',
  listens: ['stray'],
  start: () => null,
  step(_, event, view: FoldView) {
    const session = view.stream?.session;
    if (session === undefined || view.namedRequest !== undefined) return undefined;
    const id = responseOf(event).request_id ?? '';
    const injection = session.injections.get(id);
    return injection === undefined
      ? undefined
      : violated(
          event,
          `expected injection ${id} to start no request of its own; a response carries its id`,
          [injection.seq],
        );
  },
});

/** The first injection during a request. Injections named `release` only end a hold, and do not count. */
function injectedInto(request: Request, session: Session): Injection | undefined {
  if (session.injections.size === 0) return undefined;
  for (const i of session.injections.values())
    if (i.seq > request.seq && i.message.content !== 'release') return i;
  return undefined;
}

/** The second part of FOLD-A43: a request that was active at an injection still ends. */
const endsAllTheSame = rule({
  requirement: 'FOLD-A43',
  listens: terminals,
  start: () => null,
  step(_, event, view: FoldView) {
    const { request } = view;
    const session = view.stream?.session;
    if (request === undefined || session === undefined) return undefined;
    return injectedInto(request, session) === undefined ? undefined : exercised(event);
  },
  pending: (_, view, now) =>
    [...view.streams.values()].flatMap((stream) =>
      stalled(stream, view, now).flatMap((request) => {
        const injection = injectedInto(request, stream.session);
        if (injection === undefined) return [];
        const expected = `request ${request.id}, which was active when injection ${injection.id} came, still to end`;
        return [pendingEnd(request, view, expected, [injection.seq])];
      }),
    ),
});

export const injectionRules: readonly Rule<FoldView>[] = [acked, rejection, startsNothing, endsAllTheSame];
