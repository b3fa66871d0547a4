/** FOLD-G58 to G60: an operator's send reaches the agent that it names, once, with its sender and its attachments. */
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import {
  deadline,
  exercised,
  momentOf,
  rule,
  unknowable,
  violated,
} from '../../../../src/kit/judge/index.ts';
import type { Findings, Rule, Wait, WaitOutcome } from '../../../../src/kit/judge/index.ts';
import type { SendMessage } from '../../../../src/fold/index.ts';
import { callIn, isLive, liveAgent } from '../calls.ts';
import { agentIdOf, isCalled, membersOf, textOf } from '../model.ts';
import type { GatewayView, OperatorCall, StreamView } from '../model.ts';
import { packOutSince } from '../packs.ts';
import { isEnd, isSaidOn } from '../events.ts';
import { serverMessage } from '../view.ts';
import { isHindered } from '../waiting.ts';

interface Send extends Wait {
  readonly call: string;
  readonly content: string;
  readonly target: StreamView;
}

/** FOLD-G27 judges sends to a busy agent. */
const arrives = deadline<Send, GatewayView>({
  requirement: 'FOLD-G58',
  begins(event, view) {
    const text = callIn(event, 'send');
    const target = liveAgent(view, text?.agent_id ?? '');
    if (text === undefined || target === undefined || view.stop !== undefined) return undefined;
    if (target.session.active.size > 0 || view.sends.has(text.content ?? '')) return undefined;
    const expected = `the message for ${text.agent_id ?? ''} to reach it with its content`;
    const { stream: call } = event;
    return { ...momentOf(event), key: call, expected, call, content: text.content ?? '', target };
  },
  settles({ call, content, target }, event, view): WaitOutcome {
    if (isHindered(view, call, target)) return 'dropped';
    // A gateway may refuse a message: then its operator knows.
    if (event.stream === call && (event.kind !== 'message' || event.from !== 'target'))
      return isEnd(event) ? 'dropped' : undefined;
    if (event.stream === call) return event.data['error'] === undefined ? undefined : 'dropped';
    if (!isSaidOn(event, target.id)) return undefined;
    return serverMessage(event).send_message?.content === content ? 'exercised' : undefined;
  },
  within: (view) => view.timeouts.step,
  overdue: ({ call, target, at }, view) =>
    !isLive(target) || packOutSince(target, at) || view.streams.get(call)?.call?.stopAsked !== undefined
      ? 'dropped'
      : 'violated',
});

/** A SendMessage and the operator's call that it answers; undefined for every other event. */
function sentFor(
  event: TraceEvent,
  view: GatewayView,
): { readonly sent: SendMessage; readonly call: OperatorCall; readonly stream: StreamView } | undefined {
  const { agentStream: stream } = view;
  const sent = serverMessage(event).send_message;
  const call = view.sends.get(sent?.content ?? '');
  if (sent === undefined || stream === undefined || call === undefined || call.repeated) return undefined;
  return { sent, call, stream };
}

/** The second part of FOLD-G58: a send reaches the named agent alone, once. */
const onceAndOnlyThere = rule({
  requirement: 'FOLD-G58',
  listens: ['send_message'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const found = sentFor(event, view);
    if (found === undefined) return undefined;
    const { sent, call, stream } = found;
    const { agent_id: named = '' } = call.text;
    // FOLD-G26 judges a send to an absent agent, and FOLD-G09 one under the id of a second register.
    const here = agentIdOf(stream);
    if (named !== '' && here !== undefined && !isCalled(stream, named) && call.target !== undefined)
      return violated(
        event,
        `expected the message for ${named} to reach no other agent; ${here} received it`,
        [call.seq],
      );
    // FOLD-G17 judges a request_id that comes again.
    const { asked } = call;
    if (asked?.stream !== stream || stream.session.requests.has(sent.request_id ?? '')) return undefined;
    return violated(event, `expected the message to reach ${here ?? named} once; it came again`, [asked.seq]);
  },
});

/** Whether a driver has a place for the sender. ClientService has none, and a command line may have none. */
const hasSender = ({ drive }: GatewayView): boolean => drive !== 'client-service' && drive !== 'command';

const sender = rule({
  requirement: 'FOLD-G59',
  listens: ['send_message'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { sent, call } = sentFor(event, view) ?? {};
    const asked = call?.text.sender ?? '';
    if (sent === undefined || call === undefined || asked === '') return undefined;
    if (sent.sender === asked) return exercised(event);
    if (!hasSender(view))
      return unknowable(
        event,
        `an operator has no place for a sender over ${view.drive}, or need not have one`,
      );
    return violated(
      event,
      `expected the sender ${JSON.stringify(asked)}; came ${JSON.stringify((sent.sender ?? '').slice(0, 80))}`,
      [call.seq],
    );
  },
});

/** Files as text, for a comparison. */
const filesOf = (value: unknown): readonly string[] =>
  (Array.isArray(value) ? value : []).map((file) =>
    ['filename', 'mime_type', 'data'].map((key) => textOf(membersOf(file)[key])).join(' '),
  );

const attachments = rule({
  requirement: 'FOLD-G60',
  listens: ['send_message'],
  start: () => null,
  step(_, event, view: GatewayView): Findings {
    const { sent, call } = sentFor(event, view) ?? {};
    const asked = filesOf(call?.text.attachments);
    if (sent === undefined || call === undefined || asked.length === 0) return undefined;
    const came = filesOf(sent.attachments);
    if (came.length === 0 && (view.drive === 'http' || view.drive === 'command'))
      return unknowable(
        event,
        `the gateway took no attachments over ${view.drive}, which need not carry them`,
      );
    if (came.length === asked.length && came.every((file, i) => file === asked[i])) return exercised(event);
    const text = came.length === 0 ? 'none' : came.map((file) => file.slice(0, 60)).join(', ');
    return violated(
      event,
      `expected the attachments of the send (${asked.map((file) => file.slice(0, 60)).join(', ')}); came ${text}`,
      [call.seq],
    );
  },
});

export const sendRules: readonly Rule<GatewayView>[] = [arrives, onceAndOnlyThere, sender, attachments];
