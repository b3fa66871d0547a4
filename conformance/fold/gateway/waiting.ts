/** Rules about provocations, which a gateway must ignore: it keeps the stream and the requests, and tells no operator. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { deadline, momentOf, rule, undelayed, violated } from '../../../src/kit/judge/index.ts';
import type { Rule, WaitOutcome, Wait } from '../../../src/kit/judge/index.ts';
import { isLive } from './calls.ts';
import { faceTerminals, matchingStray } from './feed.ts';
import { membersOf } from './model.ts';
import type { ForwardedRequest, GatewayView, StreamView } from './model.ts';
import { isEnd } from './events.ts';
import { endsByTarget, mayEnd } from './view.ts';

export interface StreamWait extends Wait {
  readonly stream: string;
}

/** Whether a call can no longer reach its agent as it should: one of their streams is disturbed, or the kit stops the target. */
export const isHindered = (view: GatewayView, call: string, target: StreamView): boolean =>
  !isLive(target) || view.stop !== undefined || view.streams.get(call)?.disturbed !== false;

/** The outcome of an event on a requester's stream that is not of the target. */
export const ofRequester = (event: TraceEvent, call: string): WaitOutcome =>
  endsStream(event, call) ? 'dropped' : undefined;

/** Whether an event of either side ends a stream. */
export const endsStream = (event: TraceEvent, stream: string): boolean =>
  event.stream === stream && isEnd(event);

/** An end or a reset in words. */
export function endText(event: TraceEvent): string {
  if (event.kind === 'reset') return 'a break of the stream without a status';
  const { code, message } = event.data;
  return `the end of the stream with code ${Number(code)}${message ? ` (${JSON.stringify(message).slice(0, 80)})` : ''}`;
}

/**
 * The first part of "is ignored", on the agent's own stream: a rule that the stream continues for `late` after a
 * provocation.
 */
export const streamGoesOn = (requirement: string): Rule<GatewayView> =>
  deadline<StreamWait, GatewayView>({
    requirement,
    begins(event, view) {
      const { provocation } = view;
      if (provocation?.row !== requirement) return undefined;
      const { stream } = event;
      const expected = `the stream to go on after ${provocation.what}`;
      return { ...momentOf(event), key: stream, stream, expected };
    },
    settles: (wait, event, view) => streamEndOf(wait, event, view),
    within: (view) => view.timeouts.late,
    overdue: () => 'exercised',
  });

/** The outcome of a wait at the end of its stream: violated when only the provocation can be the reason. */
export function streamEndOf(wait: StreamWait, event: TraceEvent, view: GatewayView): WaitOutcome {
  if (!endsStream(event, wait.stream)) return undefined;
  const stream = view.streams.get(wait.stream);
  if (stream === undefined || !endsByTarget(event) || mayEnd(view, stream)) return 'dropped';
  return stream.provoked?.seq === wait.seq ? { came: endText(event) } : 'dropped';
}

/** Whether the gateway may have ended a request for a reason other than the provocation. */
export function hasOtherCause(view: GatewayView, asked: ForwardedRequest): boolean {
  const { stream, request } = asked;
  if (view.stop !== undefined || !isLive(stream) || stream.session.shutdown !== undefined) return true;
  return request.cancel !== undefined || asked.stopAsked !== undefined || asked.ambiguous;
}

/**
 * The second part of "is ignored", on operators' streams: a rule that a provocation does not reach an operator, and does
 * not end a request. The gateway ends it for the provocation, if that was the last message of the agent, and not long ago.
 */
export const reachesNobody = (requirement: string): Rule<GatewayView> =>
  rule({
    requirement,
    listens: ['op'],
    start: () => null,
    step(_, event, view: GatewayView) {
      const { call } = view;
      if (call === undefined || event.from !== 'target') return undefined;
      const heard = call.verb === 'send' ? view.heard : strayInEvents(view, event);
      if (heard?.is === 'stray' && heard.row === requirement)
        return violated(event, `expected it to reach no operator; came ${replyText(event)}`, [heard.seq]);
      const { asked } = call;
      if (asked === undefined || call.terminal !== undefined || hasOtherCause(view, asked)) return undefined;
      // FOLD-G19 judges a done or a canceled of the gateway's own, unless the agent sent an event without a known name.
      const isItsEnd =
        event.data['error'] !== undefined || (asked.odd !== undefined && terminalNameIn(event) !== undefined);
      const ended = event.kind === 'end' || (heard?.is === 'own' && isItsEnd);
      const { provoked, last } = asked.stream;
      if (!ended || provoked?.row !== requirement || asked.request.terminal !== undefined) return undefined;
      const { late, step } = view.timeouts;
      // A message after the provocation may be another cause. A busy machine makes no other cause less likely.
      const soon = undelayed(last.seq > provoked.seq ? late : step, view);
      if (event.at - provoked.at > soon) return undefined;
      return violated(
        event,
        `expected request ${asked.request.id} to go on after ${provoked.what}; the gateway ended it`,
        [provoked.seq],
      );
    },
  });

/** The name of the event that ends a request, in an operator's reply. */
const terminalNameIn = ({ data }: TraceEvent): string | undefined =>
  Object.keys(data).find((name) => faceTerminals.has(name));

/** The stray event that an operator's stream of all events shows. */
function strayInEvents(view: GatewayView, event: TraceEvent): ReturnType<typeof matchingStray> {
  const { name, data, request_id: id } = membersOf(event.data['event']);
  if (typeof name !== 'string') return undefined;
  const named = typeof id === 'string' && id !== '' ? id : undefined;
  const stray = matchingStray(view, undefined, name, data, named);
  const text = membersOf(data)['text'];
  for (const stream of stray === undefined ? [] : view.streams.values())
    for (const { request } of stream.requests.values()) {
      if (named !== undefined && request.id !== named) continue;
      if (typeof text === 'string' ? request.text?.includes(text) === true : request.terminal !== undefined)
        return undefined; // it may be an event of the request itself
    }
  return stray;
}

/** A reply in words. */
export const replyText = (event: TraceEvent): string =>
  event.kind === 'end' ? endText(event) : JSON.stringify(event.data).slice(0, 120);
