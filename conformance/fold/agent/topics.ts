/** What an event is about, in the words that rules listen by. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { Judging } from '../../../src/kit/judge/index.ts';
import { MessageResponse_eventNames } from '../../../src/fold/index.ts';
import type { MessageResponse } from '../../../src/fold/index.ts';
import type { FoldView } from './view.ts';
import { agentMessage, fromTarget, look, startView, stepView } from './view.ts';

/**
 * The one topic of an event: a payload's name (`register`, `welcome`), `response.` with the event's name, or for
 * what is no message the event's kind.
 */
export function topicOf(event: TraceEvent): string {
  if (event.kind !== 'message') return event.kind;
  if (fromTarget(event)) {
    const { response } = agentMessage(event);
    if (response !== undefined)
      return response.text === undefined ? responseTopic(response) : 'response.text';
  }
  for (const name in event.data) return name;
  return fromTarget(event) ? 'agent.empty' : 'server.empty';
}

function responseTopic(response: MessageResponse): string {
  for (const key in response) {
    const topic = responseTopics[key];
    if (topic !== undefined) return topic;
  }
  return 'response.none';
}

const responseTopics: { readonly [name: string]: string } = Object.fromEntries(
  MessageResponse_eventNames.map((name) => [name, `response.${name}`]),
);

/**
 * What is out of the ordinary about something the target says: `unready` between the opening of its stream and
 * Welcome, `stray` for a response to a request that is unknown or has ended, `steered` for one to a request that
 * was cancelled or decided about, `large` where its length was noted.
 */
export function extraTopicsOf(event: TraceEvent, view: FoldView): string {
  const isMessage = event.kind === 'message';
  if (!fromTarget(event) || (!isMessage && event.kind !== 'undecodable')) return '';
  const { stream, named: request } = view;
  const ready = stream?.session.register !== undefined && stream.session.phase !== 'registered';
  const open = request !== undefined && request.terminal === undefined;
  if (ready && open && !request.steered && event.size === undefined) return '';
  const asides = [];
  if (!ready) asides.push('unready');
  if (isMessage && !open && agentMessage(event).response !== undefined) asides.push('stray');
  if (open && request.steered) asides.push('steered');
  if (event.size !== undefined) asides.push('large');
  return asides.join(' ');
}

/** The topics of what ends a request. */
export const terminals: readonly string[] = ['response.done', 'response.error', 'response.cancelled'];

/** All that rules look at and listen by, as a judge takes it. */
export const judgedBy: Omit<Judging<FoldView>, 'rules'> = {
  topicOf,
  extraTopicsOf,
  view: { start: startView, look, step: stepView },
};
