/** Rules about what a gateway must bear: the stream goes on, nothing of it reaches an operator, no request ends for it. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { deadline, momentOf, rule, violated } from '../../../src/kit/judge/index.ts';
import type { Rule, WaitOutcome, Wait } from '../../../src/kit/judge/index.ts';
import { isLive } from './calls.ts';
import { matchingStray } from './feed.ts';
import { membersOf } from './model.ts';
import type { ForwardedRequest, GatewayView } from './model.ts';
import { endsByTarget, mayEnd } from './view.ts';

/** A wait on one stream. */
export interface StreamWait extends Wait {
  readonly stream: string;
}

/** Whether an event ends a stream, from either side. */
export const endsStream = (event: TraceEvent, stream: string): boolean =>
  event.stream === stream && (event.kind === 'end' || event.kind === 'reset');

/** How an end or a reset reads in a message. */
export function endText(event: TraceEvent): string {
  if (event.kind === 'reset') return 'a break of the stream without a status';
  const { code, message } = event.data;
  return `the end of the stream with code ${Number(code)}${message ? ` (${JSON.stringify(message).slice(0, 80)})` : ''}`;
}

/**
 * The half of "is ignored" that shows on the agent's own stream: a rule that an agent's stream goes on for `late`
 * after what it did.
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

/** Whether the target ended the stream of a wait, and nothing else can be the reason. */
export function streamEndOf(wait: StreamWait, event: TraceEvent, view: GatewayView): WaitOutcome {
  if (!endsStream(event, wait.stream)) return undefined;
  const stream = view.streams.get(wait.stream);
  if (stream === undefined || !endsByTarget(event) || mayEnd(view, stream)) return 'dropped';
  return stream.provoked?.seq === wait.seq ? { came: endText(event) } : 'dropped';
}

/** Whether something other than what the agent did may be why the gateway ended a request on its own. */
export function hasOtherCause(view: GatewayView, asked: ForwardedRequest): boolean {
  const { stream, request } = asked;
  if (view.stop !== undefined || !isLive(stream) || stream.session.shutdown !== undefined) return true;
  return request.cancel !== undefined || asked.stopAsked !== undefined || asked.ambiguous;
}

/**
 * The other half: a rule that nothing of it reaches an operator, and that no request is ended for it.
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
      const own = heard?.is === 'own' && (event.data['error'] !== undefined || asked.odd !== undefined);
      const ended = event.kind === 'end' || own;
      const { provoked } = asked.stream;
      if (!ended || provoked?.row !== requirement || asked.request.terminal !== undefined) return undefined;
      if (event.at - provoked.at > view.timeouts.late) return undefined;
      return violated(
        event,
        `expected request ${asked.request.id} to go on after ${provoked.what}; the gateway ended it`,
        [provoked.seq],
      );
    },
  });

/** A stray that a watcher of all events was shown. */
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
        return undefined; // as well its own
    }
  return stray;
}

/** A reply in words. */
export const replyText = (event: TraceEvent): string =>
  event.kind === 'end' ? endText(event) : JSON.stringify(event.data).slice(0, 120);
