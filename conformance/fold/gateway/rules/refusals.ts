/** FOLD-G05 to G09 and G52: how a gateway refuses registrations. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { deadline, momentOf, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule, WaitOutcome } from '../../../../src/kit/judge/index.ts';
import type { GatewayView } from '../model.ts';
import { agentIdOf, membersOf } from '../model.ts';
import { setUpFault } from '../operator-end.ts';
import { rivalOf, serverMessage } from '../view.ts';
import { endText, endsStream, streamGoesOn, reachesNobody } from '../waiting.ts';
import type { StreamWait } from '../waiting.ts';
import { registers } from './registration.ts';

/** A wait for the target to refuse a stream. */
export interface Refusal extends StreamWait {
  /** The right status codes; empty: all but OK and {@link unavailable}. */
  readonly codes: readonly number[];
  /** Whether a RegistrationError is right, too. */
  readonly orError: boolean;
}

/** The status that a client's own library gives for a broken connection. It is not a refusal by the target. */
const unavailable = 14;

export function refused(wait: Refusal, event: TraceEvent, view: GatewayView): WaitOutcome {
  if (event.stream !== wait.stream) return undefined;
  const { stream } = view;
  if (stream?.disturbed === true || view.stop !== undefined) return 'dropped';
  if (event.from !== 'target') return endsStream(event, wait.stream) ? 'dropped' : undefined;
  if (event.data['welcome'] !== undefined) return { came: 'a Welcome' };
  // Where only a status refuses, a RegistrationError before it does no harm.
  if (event.data['registration_error'] !== undefined) return wait.orError ? 'exercised' : undefined;
  if (event.kind === 'reset') return { came: endText(event) };
  if (event.kind !== 'end') return undefined;
  const code = Number(event.data['code']);
  const right = wait.codes.length === 0 ? code !== 0 && code !== unavailable : wait.codes.includes(code);
  return right ? 'exercised' : { came: endText(event) };
}

const handshake = (view: GatewayView): number => view.timeouts.handshake;

/** Whether the target may refuse the credentials first. */
const mayBeRefused = (view: GatewayView): boolean => view.stream?.credentials !== 'valid';

const firstIsRegister = deadline<Refusal, GatewayView>({
  requirement: 'FOLD-G05',
  begins(event, view) {
    const { agentStream: stream } = view;
    if (stream === undefined || stream.spoke !== undefined || event.from === 'target') return undefined;
    if (event.kind !== 'message' && event.kind !== 'undecodable') return undefined;
    if (event.data['register'] !== undefined || stream.ended !== undefined || stream.disturbed)
      return undefined;
    if (mayBeRefused(view)) return undefined;
    const codes = event.kind === 'undecodable' ? [] : [3];
    const expected = 'the status INVALID_ARGUMENT (3) for a first message that is not register';
    return { ...momentOf(event), key: stream.id, stream: stream.id, expected, codes, orError: false };
  },
  settles: refused,
  within: handshake,
});

const emptyId = deadline<Refusal, GatewayView>({
  requirement: 'FOLD-G06',
  begins(event, view) {
    const register = registers(event, view);
    if (register === undefined || (register.agent_id ?? '') !== '' || mayBeRefused(view)) return undefined;
    const expected = 'a refusal of a register with an empty agent_id';
    return {
      ...momentOf(event),
      key: event.stream,
      stream: event.stream,
      expected,
      codes: [],
      orError: true,
    };
  },
  settles: refused,
  within: handshake,
});

const duplicate = deadline<Refusal & { readonly first: string }, GatewayView>({
  requirement: 'FOLD-G07',
  begins(event, view) {
    const register = registers(event, view);
    const { stream } = view;
    if (register === undefined || stream === undefined || mayBeRefused(view)) return undefined;
    const first = rivalOf(view, stream, register.agent_id ?? '');
    if (first === undefined) return undefined;
    const expected = `ALREADY_EXISTS (6) or a RegistrationError, for ${register.agent_id ?? ''} is connected`;
    const { id } = stream;
    return { ...momentOf(event), key: id, stream: id, expected, codes: [6], orError: true, first: first.id };
  },
  settles(wait, event, view) {
    // After the first agent has left, both answers are right.
    const left = event.stream === wait.first && (event.from !== 'target' || endsStream(event, wait.first));
    if (left && event.kind !== 'message') return 'dropped';
    return refused(wait, event, view);
  },
  within: handshake,
});

/** The second part of FOLD-G07: the first agent of an id stays connected. */
const firstUnharmed = deadline<StreamWait, GatewayView>({
  requirement: 'FOLD-G07',
  begins(event, view) {
    const register = registers(event, view);
    const { stream } = view;
    if (register === undefined || stream === undefined || mayBeRefused(view)) return undefined;
    const first = rivalOf(view, stream, register.agent_id ?? '');
    if (first === undefined) return undefined;
    const expected = 'the first agent of that id to stay connected';
    return { ...momentOf(event), key: first.id, stream: first.id, expected };
  },
  settles(wait, event, view) {
    if (!endsStream(event, wait.stream)) return undefined;
    const first = view.streams.get(wait.stream);
    const own = event.from === 'target' && first?.provoked?.seq === wait.seq;
    const excused =
      view.stop !== undefined || first === undefined || first.disturbed || first.halfClosed !== undefined;
    return own && !excused ? { came: endText(event) } : 'dropped';
  },
  within: (view) => view.timeouts.late,
  overdue: () => 'dropped',
});

/** A rule that operators still reach a connected agent after a second registration. */
const stillFound = (
  requirement: string,
  harmed: 'rival' | 'secondRegister',
  why: string,
): Rule<GatewayView> =>
  rule({
    requirement,
    listens: ['op.end'],
    start: () => null,
    step(_, event, view: GatewayView) {
      const { call } = view;
      const { code } = event.data;
      if (event.from !== 'target' || call?.verb !== 'send' || (code !== 5 && code !== 14)) return undefined;
      if (setUpFault(event) !== undefined) return undefined;
      const { target } = call;
      const by = target?.[harmed];
      if (target === undefined || by === undefined || target.ended !== undefined) return undefined;
      if (target.disturbed || view.stop !== undefined || by.seq > call.seq) return undefined;
      return violated(event, `expected the agent to be there as before ${why}; came ${endText(event)}`, [
        by.seq,
      ]);
    },
  });

const errorEnds = deadline<StreamWait, GatewayView>({
  requirement: 'FOLD-G08',
  begins(event, view) {
    const refusal = event.kind === 'message' && event.from === 'target' ? serverMessage(event) : {};
    if (refusal.registration_error === undefined || (refusal.registration_error.reason ?? '') === '')
      return undefined;
    const { agentStream: stream } = view;
    if (stream === undefined || stream.secondRegister !== undefined) return undefined;
    const expected = 'the stream to end after RegistrationError';
    return { ...momentOf(event), key: stream.id, stream: stream.id, expected };
  },
  settles(wait, event, view) {
    if (event.stream !== wait.stream) return undefined;
    if (view.streams.get(wait.stream)?.disturbed === true) return 'dropped';
    if (event.data['welcome'] !== undefined) return { came: 'a Welcome' };
    if (!endsStream(event, wait.stream)) return undefined;
    return event.from === 'target' ? 'exercised' : 'dropped';
  },
  within: handshake,
});

const errorReason = rule({
  requirement: 'FOLD-G08',
  listens: ['registration_error'],
  start: () => null,
  step(_, event, _view: GatewayView) {
    if ((serverMessage(event).registration_error?.reason ?? '') !== '') return undefined;
    return violated(event, 'expected a reason in RegistrationError; it is empty');
  },
});

const secondRegister = rule({
  requirement: 'FOLD-G09',
  listens: ['welcome', 'registration_error', 'send_message', 'op.reply.agents'],
  start: () => null,
  step(_, event, view: GatewayView) {
    if (event.wire === 'operator') return relisted(event, view);
    const { agentStream: stream } = view;
    const second = stream?.secondRegister;
    if (stream === undefined || second === undefined) return undefined;
    const said = serverMessage(event);
    if (said.send_message === undefined)
      return violated(
        event,
        `expected a second register to change nothing; came ${Object.keys(event.data)[0] ?? ''}`,
        [second.seq],
      );
    const named = view.sends.get(said.send_message.content ?? '')?.text.agent_id;
    const own = agentIdOf(stream);
    if (named === undefined || named === own || named !== second.agentId) return undefined;
    return violated(
      event,
      `expected a second register to change nothing; the agent ${own ?? ''} now gets what is for ${named}`,
      [second.seq],
    );
  },
});

/** Whether a list of agents shows the id of a second register. */
function relisted(event: TraceEvent, view: GatewayView): ReturnType<typeof violated> | undefined {
  const { agents } = event.data;
  if (!Array.isArray(agents)) return undefined;
  const ids = new Set(agents.map((agent) => membersOf(agent)['id']));
  for (const { secondRegister: second, session, ended } of view.streams.values()) {
    if (second === undefined || ended !== undefined || second.agentId === session.welcome?.agentId) continue;
    const others = [...view.streams.values()].some(({ session: s }) => s.welcome?.agentId === second.agentId);
    if (!ids.has(second.agentId) || others) continue;
    return violated(event, `expected a second register to change nothing; ${second.agentId} is listed`, [
      second.seq,
    ]);
  }
  return undefined;
}

/** FOLD-G05 to G09. */
export const refusalRules: readonly Rule<GatewayView>[] = [
  firstIsRegister,
  emptyId,
  duplicate,
  firstUnharmed,
  stillFound('FOLD-G07', 'rival', 'another asked for its id'),
  errorEnds,
  errorReason,
  secondRegister,
  stillFound('FOLD-G09', 'secondRegister', 'its second register'),
  streamGoesOn('FOLD-G09'),
  reachesNobody('FOLD-G09'),
];
