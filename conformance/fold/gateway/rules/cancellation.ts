/** FOLD-G36 to G42: requests that an operator or an agent cancels. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import {
  deadline,
  exercised,
  forgetOldest,
  momentOf,
  rule,
  undelayed,
  violated,
} from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule, WaitOutcome, Wait } from '../../../../src/kit/judge/index.ts';
import { callIn, cancelledRequests, isLive } from '../calls.ts';
import { canceledIn, faceTerminals } from '../feed.ts';
import type { ForwardedRequest, OperatorCall, GatewayView } from '../model.ts';
import { membersOf, textOf } from '../model.ts';
import { packOutSince } from '../packs.ts';
import { isSaidByTarget, isSaidOn, isUnimplemented } from '../events.ts';
import { serverMessage } from '../view.ts';
import { endsStream, ofRequester, reachesNobody, replyText, streamGoesOn } from '../waiting.ts';
import { endedCall } from './features.ts';

interface Stop extends Wait {
  /** The operator's stream. */
  readonly by: string;
  readonly asked: ForwardedRequest;
}

/** The active requests of live agents that an operator's event cancels. */
function stops(event: TraceEvent, view: GatewayView): readonly ForwardedRequest[] {
  const text = callIn(event, 'cancel');
  if (text === undefined || view.stop !== undefined) return [];
  return cancelledRequests(view, text).filter(
    ({ stream, request, call, ambiguous }) =>
      isLive(stream) && !ambiguous && request.terminal === undefined && call?.terminal === undefined,
  );
}

/** Whether the driver or the gateway does not have the call. Then it does not test the row. */
const notOffered = (event: TraceEvent, by: string): boolean => event.stream === by && isUnimplemented(event);

const reachesAgent = deadline<Stop, GatewayView>({
  requirement: 'FOLD-G36',
  begins: (event, view) =>
    stops(event, view)
      .filter(
        ({ stream, request }) => stream.session.features.has('cancellation') && request.cancel === undefined,
      )
      .map((asked) => ({
        ...momentOf(event),
        key: `${asked.stream.id} ${asked.request.id}`,
        expected: `a CancelRequest for ${asked.request.id}, which the operator stopped`,
        by: event.stream,
        asked,
      })),
  settles({ by, asked }, event, view) {
    const { stream, request } = asked;
    if (notOffered(event, by) || view.stop !== undefined) return 'dropped';
    if (request.terminal !== undefined || !isLive(stream)) return 'dropped';
    if (!isSaidOn(event, stream.id)) return undefined;
    const cancel = serverMessage(event).cancel_request;
    if (cancel !== undefined && (cancel.request_id ?? '') === request.id) return 'exercised';
    if (cancel === undefined || stream.requests.has(cancel.request_id ?? '')) return undefined;
    return { came: `a CancelRequest for "${cancel.request_id ?? ''}", which is not a request` };
  },
  within: (view) => view.timeouts.step,
  overdue: ({ asked: { stream, request }, at }) =>
    request.terminal !== undefined || !isLive(stream) || packOutSince(stream, at) ? 'dropped' : 'violated',
});

/** The cancelled request whose requester's stream ends, or shows an end. */
function cancelledCall(
  event: TraceEvent,
  view: GatewayView,
): (ForwardedRequest & { readonly call: OperatorCall }) | undefined {
  const { call } = view;
  const asked = call?.asked;
  if (event.from !== 'target' || call === undefined || call.terminal !== undefined) return undefined;
  if (asked?.request.terminal?.event !== 'cancelled' || asked.ambiguous) return undefined;
  // Events on a disturbed connection may be lost.
  if (call.stream.disturbed || asked.stream.disturbed) return undefined;
  return call.stream.ended === undefined ? { ...asked, call } : undefined;
}

const isTerminal = (event: TraceEvent): boolean => {
  for (const name in event.data) if (faceTerminals.has(name)) return true;
  return false;
};

const shownAsEnd = deadline<Stop, GatewayView>({
  requirement: 'FOLD-G37',
  begins(event, view) {
    const { response } = event.data;
    const { cancelled, request_id: id } = membersOf(response);
    if (cancelled === undefined || typeof id !== 'string') return undefined;
    const asked = view.agentStream?.requests.get(id);
    const open = asked?.request.terminal === undefined && asked?.call?.terminal === undefined;
    if (asked?.call?.stream.ended !== undefined || asked?.call === undefined) return undefined;
    if (!open || asked.ambiguous || !isLive(asked.stream)) return undefined;
    const expected = `request ${id} to end for its requester, for its agent said cancelled`;
    return { ...momentOf(event), key: `${event.stream} ${id}`, expected, by: asked.call.stream.id, asked };
  },
  settles({ by }, event, view): WaitOutcome {
    const stream = view.streams.get(by);
    if (stream?.disturbed !== false || view.stop !== undefined) return 'dropped';
    if (event.stream !== by) return undefined;
    if (event.from !== 'target') return ofRequester(event, by);
    return isTerminal(event) || endsStream(event, by) ? 'exercised' : undefined;
  },
  within: (view) => view.timeouts.step,
  overdue: ({ asked }) =>
    packOutSince(asked.stream, asked.request.terminal?.at ?? 0) ? 'dropped' : 'violated',
});

/** The second part of FOLD-G38: the cancellation has the agent's reason. A gateway may add words to it. */
function withReason(event: TraceEvent, { request, stream }: ForwardedRequest, shown: string): Findings {
  const { seq = 0, detail = '' } = request.terminal ?? {};
  if (shown.includes(detail)) return exercised(event);
  // For an agent without this feature the gateway ends the request itself, and the agent's end may come too late.
  if (!stream.session.features.has('cancellation')) return undefined;
  return violated(
    event,
    `expected request ${request.id} to be reported as canceled with the agent's reason ${JSON.stringify(detail.slice(0, 80))}; came ${replyText(event)}`,
    [seq],
  );
}

const distinct = rule({
  requirement: 'FOLD-G38',
  listens: ['op'],
  start: () => null,
  step(_, event, view: GatewayView) {
    if (!isTerminal(event) && event.kind !== 'end') return undefined;
    const asked = cancelledCall(event, view);
    const { terminal, cancel } = asked?.request ?? {};
    if (asked === undefined || terminal === undefined) return undefined;
    const shown = canceledIn(event);
    if (shown !== undefined) return withReason(event, asked, textOf(membersOf(shown)['reason']));
    // The gateway may have ended the request itself at the same time.
    const raced =
      cancel !== undefined && terminal.at - cancel.at >= undelayed(view.timeouts.cancel, view) / 2;
    if (raced || view.stop !== undefined || event.kind === 'end' || view.heard?.is === 'stray')
      return undefined;
    return violated(
      event,
      `expected request ${asked.request.id} to be reported as canceled, for its agent said so; came ${replyText(event)}`,
      [terminal.seq],
    );
  },
});

const endsAnyway = deadline<Stop, GatewayView>({
  requirement: 'FOLD-G39',
  begins(event, view) {
    const anchors = anchorsOf(event, view);
    return anchors.map((asked) => ({
      ...momentOf(event),
      key: `${asked.stream.id} ${asked.request.id}`,
      expected: `request ${asked.request.id} to be ended by the gateway, for its agent does not end it`,
      by: asked.call?.stream.id ?? '',
      asked,
    }));
  },
  settles({ by, asked }, event, view) {
    if (asked.request.terminal !== undefined || view.stop !== undefined) return 'dropped';
    // A target that disconnects the agent (FOLD-G40) still owes the requester an end.
    if (!isLive(asked.stream) && asked.stream.ended?.by !== 'target') return 'dropped';
    if (view.streams.get(by)?.disturbed !== false) return 'dropped';
    if (
      isUnimplemented(event) &&
      !asked.stream.session.features.has('cancellation') &&
      view.call?.verb === 'cancel'
    )
      return 'dropped';
    if (event.stream !== by) return undefined;
    if (event.from !== 'target') return ofRequester(event, by);
    return isTerminal(event) || endsStream(event, by) ? 'exercised' : undefined;
  },
  within: (view) => view.timeouts.cancel + view.timeouts.step,
  overdue: ({ asked }) => (asked.request.terminal !== undefined ? 'dropped' : 'violated'),
});

/** The requests for which the gateway sends a CancelRequest; for agents without the feature, which an operator cancels. */
function anchorsOf(event: TraceEvent, view: GatewayView): readonly ForwardedRequest[] {
  if (event.wire === 'operator')
    return stops(event, view).filter(
      ({ stream, call }) =>
        call !== undefined && call.stream.ended === undefined && !stream.session.features.has('cancellation'),
    );
  if (!isSaidByTarget(event)) return [];
  const cancel = serverMessage(event).cancel_request;
  const stream = cancel === undefined ? undefined : view.agentStream;
  const asked = stream?.requests.get(cancel?.request_id ?? '');
  const runs = asked?.request.terminal === undefined && asked?.call?.terminal === undefined;
  if (asked?.call?.stream.ended !== undefined) return [];
  return asked?.call === undefined || !runs || asked.ambiguous || asked.request.cancel !== undefined
    ? []
    : [asked];
}

/** A MAY. It is exercised where it applies, and where the gateway uses it. */
const mayDisconnect = rule({
  requirement: 'FOLD-G40',
  listens: ['op', 'end', 'reset'],
  start: () => null,
  step(_, event, view: GatewayView) {
    if (event.wire !== 'operator')
      return event.from === 'target' && view.agentStream?.unresponsive !== undefined
        ? exercised(event)
        : undefined;
    const { call } = view;
    const asked = call?.asked;
    if (!isTerminal(event) || event.from !== 'target' || call?.terminal !== undefined) return undefined;
    const unanswered = asked?.request.cancel !== undefined && asked.request.terminal === undefined;
    return unanswered ? exercised(event) : undefined;
  },
});

/** Whether the requester had the end of a request before its first cancel. */
const overBefore = ({ call, request, stopAsked }: ForwardedRequest, seq: number): boolean =>
  call?.terminal !== undefined &&
  request.terminal !== undefined &&
  call.terminal.seq < seq &&
  (stopAsked === undefined || request.cancel !== undefined);

const notForEnded = rule({
  requirement: 'FOLD-G42',
  listens: ['cancel_request', 'op.cancel', 'op.end'],
  start: () =>
    new Map<string, { readonly seq: number; readonly by: string; readonly ids: readonly string[] }>(),
  step(state, event, view: GatewayView) {
    if (event.wire === 'operator' && event.kind === 'message') {
      const over = cancelledRequests(view, callIn(event, 'cancel') ?? {}).filter((asked) =>
        overBefore(asked, event.seq),
      );
      if (over.length > 0)
        state.set(event.stream, {
          seq: event.seq,
          by: event.stream,
          ids: over.map(({ request }) => request.id),
        });
      forgetOldest(state, 256);
      return undefined;
    }
    if (event.wire === 'operator')
      return state.has(event.stream) && endedCall(event, view, 'cancel') !== undefined
        ? exercised(event)
        : undefined;
    const id = serverMessage(event).cancel_request?.request_id ?? '';
    const stop = [...state.values()].find(({ ids }) => ids.includes(id));
    const asked = view.agentStream?.requests.get(id);
    if (stop === undefined || asked === undefined || !overBefore(asked, stop.seq)) return undefined;
    return violated(
      event,
      `expected no CancelRequest for ${id}, which had ended before the operator asked to stop it; one came`,
      [stop.seq, asked.request.terminal?.seq ?? stop.seq],
    );
  },
});

export const cancellationRules: readonly Rule<GatewayView>[] = [
  reachesAgent,
  shownAsEnd,
  streamGoesOn('FOLD-G37'),
  reachesNobody('FOLD-G37'),
  distinct,
  endsAnyway,
  mayDisconnect,
  streamGoesOn('FOLD-G41'),
  reachesNobody('FOLD-G41'),
  notForEnded,
];
