/** FOLD-G21 to G27 and G46: ends of requests, events that do not end a request, and agents that are not connected. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import { deadline, exercised, momentOf, rule, violated } from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule, WaitOutcome, Wait } from '../../../../src/kit/judge/index.ts';
import { callIn, isLive, liveAgent } from '../calls.ts';
import { canceledIn, faceTerminals } from '../feed.ts';
import type { ForwardedRequest, OperatorCall, GatewayView, StreamView } from '../model.ts';
import { isCalled, membersOf } from '../model.ts';
import { setUpFault } from '../operator-end.ts';
import { packOutSince } from '../packs.ts';
import { isSaidByTarget } from '../events.ts';
import { serverMessage } from '../view.ts';
import {
  endsStream,
  endText,
  hasOtherCause,
  isHindered,
  ofRequester,
  reachesNobody,
  replyText,
  streamGoesOn,
} from '../waiting.ts';

/** The row that a reply after the end of its request violates. */
function rowAfter(call: OperatorCall): string {
  const { request } = call.asked ?? {};
  const own = (request?.terminal?.seq ?? Infinity) > (call.terminal?.seq ?? 0);
  if (own)
    return request?.cancel === undefined && call.asked?.stopAsked === undefined ? 'FOLD-G21' : 'FOLD-G41';
  return request?.terminal?.event === 'cancelled' ? 'FOLD-G37' : 'FOLD-G21';
}

/** A rule that a requester receives no event after the end. */
const nothingAfter = (requirement: string): Rule<GatewayView> =>
  rule({
    requirement,
    listens: ['op'],
    start: () => null,
    step(_, event, view: GatewayView): Findings {
      const { call } = view;
      if (!isSaidByTarget(event) || call?.verb !== 'send') return undefined;
      if (call.terminal === undefined || call.asked?.ambiguous !== false) return undefined;
      if (view.heard?.is === 'stray' || rowAfter(call) !== requirement) return undefined;
      return violated(
        event,
        `expected nothing after ${call.terminal.name}, which ended the request; came ${replyText(event)}`,
        [call.terminal.seq],
      );
    },
  });

/** FOLD-G24: an operator must not receive an unknown event as content. */
const notAsContent = rule({
  requirement: 'FOLD-G24',
  listens: ['op'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const asked = view.call?.asked;
    if (!isSaidByTarget(event) || asked?.odd === undefined) return undefined;
    if (asked.ambiguous || asked.call?.terminal !== undefined || view.heard?.is !== 'unknown')
      return undefined;
    return violated(
      event,
      `expected an event that the schema does not know not to be shown as content; came ${replyText(event)}`,
      [asked.odd.seq],
    );
  },
});

interface Loss extends Wait {
  readonly asked: ForwardedRequest;
}

/** The streams of agents that an event loses, unless the target ended them. A fault of the kit loses them at its mark. */
function losses(event: TraceEvent, view: GatewayView): readonly StreamView[] {
  const { kind } = event;
  if (view.stop !== undefined) return [];
  if (kind === 'mark') return cutStreams(event, view);
  if (kind !== 'end' && kind !== 'reset' && kind !== 'half_close') return [];
  const { agentStream: stream } = view;
  return stream !== undefined && isLive(stream) && event.from !== 'target' ? [stream] : [];
}

/** The live streams of agents that a mark of the kit cuts: the streams of a peer, a connection or a name. */
function cutStreams({ data, stream: id, conn }: TraceEvent, view: GatewayView): readonly StreamView[] {
  const { fault, on } = data;
  if (fault !== 'cut' && fault !== 'reset') return [];
  return [...view.streams.values()].filter((stream) => {
    if (!isLive(stream) || (id === '' && conn === '' && typeof on !== 'string')) return false;
    if (id !== '') return stream.id === id;
    return conn === '' ? stream.openedBy === on : stream.conn === conn;
  });
}

/** The waits for the ends of a lost agent's requests. */
function lostRequests(stream: StreamView, event: TraceEvent): readonly Loss[] {
  const waiting: Loss[] = [];
  for (const { id } of stream.session.active.values()) {
    const asked = stream.requests.get(id);
    const { call } = asked ?? {};
    if (asked === undefined || call === undefined || asked.ambiguous) continue;
    if (call.terminal !== undefined || call.stream.ended !== undefined || call.stream.disturbed) continue;
    const expected = `request ${id} to end in error for its requester, for its agent was lost`;
    waiting.push({ ...momentOf(event), key: `${stream.id} ${id}`, expected, asked });
  }
  return waiting;
}

const lostEndsInError = deadline<Loss, GatewayView>({
  requirement: 'FOLD-G25',
  begins(event, view) {
    return losses(event, view).flatMap((stream) => lostRequests(stream, event));
  },
  settles({ asked }, event, view): WaitOutcome {
    const { call, request } = asked;
    if (call === undefined || call.stream.disturbed || view.stop !== undefined) return 'dropped';
    if (request.terminal !== undefined || event.stream !== call.stream.id) return undefined;
    if (event.from !== 'target') return endsStream(event, call.stream.id) ? 'dropped' : undefined;
    if (setUpFault(event) !== undefined) return 'dropped';
    if (event.data['error'] !== undefined) return 'exercised';
    if (event.kind === 'end') return event.data['code'] === 0 ? { came: endText(event) } : 'exercised';
    if (canceledIn(event) !== undefined)
      return asked.stopAsked === undefined && request.cancel === undefined
        ? { came: replyText(event) }
        : 'dropped';
    return event.data['done'] === undefined ? undefined : { came: replyText(event) };
  },
  within: (view) => view.timeouts.step,
  overdue: ({ asked }) => (asked.request.terminal === undefined ? 'violated' : 'dropped'),
});

interface Offline extends Wait {
  readonly call: string;
  readonly content: string;
  readonly agent: string | undefined;
}

/** Whether a stream of an agent may be connected; without an id, a stream of any agent. */
function mayBeThere(view: GatewayView, id: string | undefined, now: number): boolean {
  for (const stream of view.streams.values()) {
    const { kind, session, ended } = stream;
    if (kind !== 'agent' || session.register === undefined) continue;
    // The gateway may still know an agent with an assigned id by the id that it asked for.
    // FOLD-G09 judges the id of a second register.
    const own = id === undefined || isCalled(stream, id) || stream.secondRegister?.agentId === id;
    // The target knows the streams that it ended itself.
    const gone = ended !== undefined && (ended.by === 'target' || now - ended.at > view.timeouts.late);
    if (own && !gone) return true;
  }
  return false;
}

/** Whether an event is an operator's `send` to an agent that is not connected. */
export function isOfflineSend(event: TraceEvent, view: GatewayView): boolean {
  const text = callIn(event, 'send');
  const agent = text?.agent_id === '' ? undefined : text?.agent_id;
  return text !== undefined && view.stop === undefined && !mayBeThere(view, agent, event.at);
}

const offlineFails = deadline<Offline, GatewayView>({
  requirement: 'FOLD-G26',
  begins(event, view) {
    const text = callIn(event, 'send');
    if (text === undefined || !isOfflineSend(event, view)) return undefined;
    const agent = text.agent_id === '' ? undefined : text.agent_id;
    const expected = `a send to ${agent ?? 'an agent'}, which is not connected, to fail`;
    return {
      ...momentOf(event),
      key: event.stream,
      expected,
      call: event.stream,
      content: text.content ?? '',
      agent,
    };
  },
  settles({ call, content, agent }, event, view): WaitOutcome {
    const own = view.streams.get(call);
    if (own?.disturbed !== false || view.stop !== undefined) return 'dropped';
    if (event.kind === 'message' && event.from !== 'target' && event.data['register'] !== undefined)
      return mayBeThereNow(event, agent) ? 'dropped' : undefined;
    if (event.from === 'target' && content !== '' && serverMessage(event).send_message?.content === content)
      return {
        came: `a SendMessage to ${view.agentStream?.session.welcome?.agentId ?? 'another'}`,
      };
    if (event.stream !== call) return undefined;
    if (event.from !== 'target') return ofRequester(event, call);
    if (setUpFault(event) !== undefined) return 'dropped';
    if (event.data['error'] !== undefined) return 'exercised';
    if (event.data['done'] !== undefined || canceledIn(event) !== undefined)
      return { came: replyText(event) };
    if (event.kind !== 'end') return undefined;
    return event.data['code'] === 0 ? { came: endText(event) } : 'exercised';
  },
  within: (view) => view.timeouts.prompt,
});

/** Whether the named agent registers at an event. */
const mayBeThereNow = (event: TraceEvent, agent: string | undefined): boolean =>
  agent === undefined || membersOf(event.data['register'])['agent_id'] === agent;

const sessionIsNoEnd = rule({
  requirement: 'FOLD-G46',
  listens: ['op'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { call } = view;
    const asked = call?.asked;
    if (event.from !== 'target' || asked?.sessionEvent === undefined || call?.terminal !== undefined)
      return undefined;
    const isEnd = event.kind === 'message' && Object.keys(event.data).some((name) => faceTerminals.has(name));
    if ((!isEnd && event.kind !== 'end') || asked.ambiguous) return undefined;
    const heard = isEnd ? view.heard : undefined;
    if (heard?.is === 'due') return exercised(event);
    if (asked.request.terminal !== undefined || hasOtherCause(view, asked) || heard?.is === 'stray')
      return undefined;
    if (!asked.sessionLast) return undefined;
    return violated(
      event,
      `expected a session event to end no request; came ${replyText(event)}, and the agent has sent no end`,
      [asked.sessionEvent.seq],
    );
  },
});

interface Push extends Wait {
  readonly call: string;
  readonly content: string;
  readonly target: StreamView;
  readonly busy: ForwardedRequest;
}

const multiplexes = deadline<Push, GatewayView>({
  requirement: 'FOLD-G27',
  begins(event, view) {
    const text = callIn(event, 'send');
    const target = liveAgent(view, text?.agent_id ?? '');
    if (text === undefined || target === undefined || view.stop !== undefined) return undefined;
    const busy = [...target.session.active.keys()]
      .flatMap((id) => target.requests.get(id) ?? [])
      .find(({ call, ambiguous }) => !ambiguous && call?.terminal === undefined);
    // A request may wait for another request of its thread.
    const thread = text.thread_id ?? '';
    if (busy === undefined || (thread !== '' && thread === (busy.call?.thread ?? busy.request.thread)))
      return undefined;
    const expected = `a SendMessage to ${text.agent_id ?? ''} while it works on ${busy.request.id}`;
    return {
      ...momentOf(event),
      key: event.stream,
      expected,
      call: event.stream,
      content: text.content ?? '',
      target,
      busy,
    };
  },
  settles({ call, content, target, busy }, event, view): WaitOutcome {
    if (isHindered(view, call, target)) return 'dropped';
    if (
      event.stream === target.id &&
      serverMessage(event).send_message?.content === content &&
      event.from === 'target'
    )
      return busy.request.terminal === undefined ? 'exercised' : 'dropped';
    if (event.stream !== call) return undefined;
    if (event.from !== 'target') return ofRequester(event, call);
    if (event.kind !== 'end' && event.data['error'] === undefined) return undefined;
    // A cancel stopped its thread before the agent had the request.
    if (view.streams.get(call)?.call?.stopAsked !== undefined) return 'dropped';
    return refusals.has(Number(event.data['code'])) ? 'dropped' : { came: replyText(event) };
  },
  within: (view) => view.timeouts.step,
  overdue: ({ target, busy, at }) =>
    busy.request.terminal === undefined && isLive(target) && !packOutSince(target, at)
      ? 'violated'
      : 'dropped',
});

/** Statuses that refuse a send for its own fault or for a limit, not for a busy agent. */
const refusals: ReadonlySet<number> = new Set([3, 5, 7, 8, 12, 14, 16]);

export const terminalRules: readonly Rule<GatewayView>[] = [
  ...['FOLD-G21', 'FOLD-G22', 'FOLD-G23', 'FOLD-G24', 'FOLD-G46'].flatMap((id) => [
    streamGoesOn(id),
    reachesNobody(id),
  ]),
  ...['FOLD-G21', 'FOLD-G37', 'FOLD-G41'].map(nothingAfter),
  notAsContent,
  lostEndsInError,
  offlineFails,
  sessionIsNoEnd,
  multiplexes,
];
