/** FOLD-G17 to G20: requests to agents, and the events that come back. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import {
  deadline,
  exercised,
  forgetOldest,
  momentOf,
  rule,
  unknowable,
  violated,
} from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule, Wait } from '../../../../src/kit/judge/index.ts';
import { isLive } from '../calls.ts';
import { canceledIn, faceTerminals, lossRow } from '../feed.ts';
import type { ForwardedRequest, OperatorCall, GatewayView, OwedEvent } from '../model.ts';
import { membersOf, textOf } from '../model.ts';
import { packOutSince } from '../packs.ts';
import { isEnd, isSaidByTarget, isSaidToTarget } from '../events.ts';
import { agentMessage, serverMessage } from '../view.ts';
import { endsStream, hasOtherCause, replyText } from '../waiting.ts';

const freshIds = rule({
  requirement: 'FOLD-G17',
  listens: ['send_message'],
  start: () => null,
  step(_, event, view: GatewayView) {
    const { agentStream: stream } = view;
    if (stream === undefined) return undefined;
    const id = serverMessage(event).send_message?.request_id ?? '';
    if (id === '') return violated(event, 'expected a non-empty request_id in SendMessage; it is empty');
    const before = stream.session.requests.get(id);
    if (before !== undefined)
      return violated(event, `expected a request_id never used on this stream; ${id} was`, [before.seq]);
    if (stream.session.forgotten > 0)
      return unknowable(event, 'the first requests of the stream were evicted');
    return exercised(event);
  },
});

/** The most conversations that are kept. */
const threadsKept = 2048;

const stableThread = rule({
  requirement: 'FOLD-G18',
  listens: ['send_message', 'op.reply.started'],
  /** By the operators' name of a conversation: its thread_id for agents. */
  start: () => new Map<string, { readonly thread: string; readonly seq: number }>(),
  step(known, event, view: GatewayView): Findings {
    if (event.wire === 'operator') {
      const asked = view.call?.asked;
      const { thread_id: thread } = membersOf(event.data['started']);
      if (asked !== undefined && typeof thread === 'string' && thread !== '' && !known.has(thread))
        known.set(thread, { thread: asked.request.thread, seq: asked.seq });
      return undefined;
    }
    const sent = serverMessage(event).send_message;
    if (sent !== undefined && (sent.thread_id ?? '') === '')
      return violated(event, 'expected a non-empty thread_id in SendMessage; it is empty');
    const call = view.sends.get(sent?.content ?? '');
    // The operator's own name of the conversation, or else the name in `started`.
    const conversation = textOf(call?.text.thread_id) || (call?.thread ?? '');
    if (conversation === '' || sent === undefined) return undefined;
    const thread = sent.thread_id ?? '';
    const before = known.get(conversation);
    if (before === undefined) {
      known.set(conversation, { thread, seq: event.seq });
      forgetOldest(known, threadsKept);
      return undefined;
    }
    if (before.thread === thread) return exercised(event);
    return violated(
      event,
      `expected thread_id ${before.thread} as before in conversation ${conversation}; came ${thread}`,
      [before.seq],
    );
  },
});

/** The longest quotation of an event in a message (characters). */
const quoted = 120;

const rightOrder = rule({
  requirement: 'FOLD-G19',
  listens: ['op'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { call } = view;
    if (!isSaidByTarget(event) || call?.verb !== 'send') return undefined;
    const { heard } = view;
    const { asked } = call;
    if (heard === undefined || asked === undefined || asked.ambiguous) return undefined;
    const came = (): string => replyText(event);
    if (heard.is === 'misdirected')
      return violated(
        event,
        `expected events of request ${asked.request.id} only; came one of ${heard.owner.request.id}: ${came()}`,
        [heard.item.seq],
      );
    if (heard.is === 'reordered')
      return violated(event, `expected events in the order the agent sent them; came late: ${came()}`, [
        heard.item.seq,
      ]);
    if (heard.is === 'unknown' && asked.odd === undefined && call.terminal === undefined) {
      const next = asked.pending[0];
      const owed =
        next === undefined
          ? 'nothing'
          : `${next.name} ${JSON.stringify(next.text ?? next.data).slice(0, quoted)}`;
      return violated(
        event,
        `expected what the agent sent (next: ${owed}); came ${came()}`,
        next === undefined ? [] : [next.seq],
      );
    }
    if (heard.is === 'own' && (event.data['done'] !== undefined || canceledIn(event) !== undefined))
      return invented(event, view, call, asked);
    return isTerminal(event) && heard.is === 'due' && asked.shown > 0 ? exercised(event) : undefined;
  },
});

/** The violation of a done or a canceled that the gateway made itself. */
function invented(
  event: TraceEvent,
  view: GatewayView,
  call: OperatorCall,
  asked: ForwardedRequest,
): Findings {
  if (call.terminal !== undefined || asked.request.terminal !== undefined || asked.sessionLast)
    return undefined;
  if (asked.odd !== undefined || (canceledIn(event) !== undefined && hasOtherCause(view, asked)))
    return undefined;
  if (!isLive(asked.stream)) return undefined; // FOLD-G25 judges it
  return violated(
    event,
    `expected the end that the agent sends; came ${replyText(event)}, and it has sent none`,
    [asked.seq],
  );
}

const isTerminal = (event: TraceEvent): boolean => {
  for (const name in event.data) if (faceTerminals.has(name)) return true;
  return false;
};

/** The number of events that make a burst. */
const burstOf = 8;

/** The events that a requester has not received when its request ends at an event. */
export function lostAt(
  event: TraceEvent,
  view: GatewayView,
):
  | { readonly call: OperatorCall; readonly asked: ForwardedRequest; readonly lost: readonly OwedEvent[] }
  | undefined {
  const { call } = view;
  const asked = call?.asked;
  if (event.from !== 'target' || call === undefined || asked === undefined || call.terminal !== undefined)
    return undefined;
  if (asked.ambiguous || call.stream.disturbed || call.stream.ended !== undefined) return undefined;
  const ended = isEnd(event);
  if (!ended && !isTerminal(event)) return undefined;
  const heard = ended ? undefined : view.heard;
  if (heard?.is === 'stray') return undefined;
  if (heard?.is === 'due') return { call, asked, lost: [...asked.skipped, ...heard.passed] };
  // The gateway made this end itself. The agent's earlier events are lost.
  const { terminal } = asked.request;
  if (terminal === undefined || hasOtherCause(view, asked)) return undefined;
  const lost = [...asked.skipped, ...asked.pending].filter(
    ({ seq }) => terminal.event !== 'cancelled' || seq < terminal.seq,
  );
  return { call, asked, lost };
}

/** A rule that the events of a row reach the requester before the end of its stream. */
export const nothingLost = (
  requirement: string,
  tested: (asked: ForwardedRequest) => boolean,
): Rule<GatewayView> =>
  rule({
    requirement,
    listens: ['op'],
    start: () => null,
    step(_, event, view: GatewayView): Findings {
      const end = lostAt(event, view);
      if (end === undefined) return undefined;
      const lost = end.lost.filter((item) => lossRow(item, end.asked) === requirement);
      const count = lost.length + (end.asked.evicted.get(requirement) ?? 0);
      const [first] = lost;
      if (count === 0) return tested(end.asked) ? exercised(event) : undefined;
      const content = JSON.stringify(first?.text ?? first?.data ?? '').slice(0, quoted);
      return violated(
        event,
        `expected every event of request ${end.asked.request.id} to reach its requester; ${count} did not before its end, among them: ${first?.name ?? 'events'} ${content}`,
        lost.slice(0, 5).map(({ seq }) => seq),
      );
    },
  });

/** A rule that events reach the requester with the agent's content. */
export const nothingChanged = (requirement: string): Rule<GatewayView> =>
  rule({
    requirement,
    listens: ['op'],
    start: () => null,
    step(_, event, view: GatewayView): Findings {
      const { call } = view;
      if (!isSaidByTarget(event) || call?.asked?.ambiguous !== false) return undefined;
      const { heard } = view;
      if (heard?.is !== 'changed' || heard.row !== requirement) return undefined;
      const sent = JSON.stringify(heard.item.data).slice(0, quoted);
      return violated(event, `expected ${heard.item.name} ${sent}; came ${replyText(event)}`, [
        heard.item.seq,
      ]);
    },
  });

/** Another part of FOLD-G20: an answer that the agent gives in full_response alone is content. */
const wholeResponse = rule({
  requirement: 'FOLD-G20',
  listens: ['op.reply.done'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { call, heard } = view;
    const asked = call?.asked;
    if (heard?.is !== 'due' || asked === undefined || asked.ambiguous || asked.said) return undefined;
    const sent = textOf(membersOf(asked.pending[heard.index]?.data)['full_response']);
    if (sent === '' || textOf(membersOf(event.data['done'])['full_response']) !== '') return undefined;
    return violated(
      event,
      `expected done with the full_response ${JSON.stringify(sent.slice(0, quoted))}, for the agent sent no text; it came empty`,
      [asked.seq],
    );
  },
});

interface Terminal extends Wait {
  readonly asked: ForwardedRequest;
}

const terminalComes = deadline<Terminal, GatewayView>({
  requirement: 'FOLD-G20',
  begins(event, view) {
    if (!isSaidToTarget(event)) return undefined;
    const { done, error } = agentMessage(event).response ?? {};
    if (done === undefined && error === undefined) return undefined;
    const { asked } = view;
    if (asked?.call === undefined || asked.ambiguous || asked.request.terminal !== undefined)
      return undefined;
    if (asked.call.terminal !== undefined || asked.call.stream.ended !== undefined) return undefined;
    if (!isLive(asked.stream)) return undefined;
    const expected = `the end of request ${asked.request.id} to reach its requester`;
    return { ...momentOf(event), key: `${event.stream} ${asked.request.id}`, expected, asked };
  },
  settles({ asked: { call } }, event, view) {
    if (call === undefined || call.stream.disturbed || view.stop !== undefined) return 'dropped';
    if (event.stream !== call.stream.id) return undefined;
    if (endsStream(event, call.stream.id) || (event.from === 'target' && isTerminal(event))) return 'dropped';
    // Many events take their time: the wait goes on from each of them that reaches the requester. A keepalive is no such event.
    return isSaidByTarget(event) && view.heard?.is === 'due' ? 'again' : undefined;
  },
  within: (view) => view.timeouts.step,
  overdue: ({ asked, at }) =>
    asked.stream.disturbed || packOutSince(asked.stream, asked.request.terminal?.at ?? at)
      ? 'dropped'
      : 'violated',
});

export const requestRules: readonly Rule<GatewayView>[] = [
  freshIds,
  stableThread,
  rightOrder,
  nothingLost('FOLD-G20', ({ burst }) => burst >= burstOf),
  nothingChanged('FOLD-G20'),
  wholeResponse,
  terminalComes,
];
