/** The topics of events, by which rules listen. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { Judging } from '../../../src/kit/judge/index.ts';
import { MessageResponse_eventNames } from '../../../src/fold/index.ts';
import type { MessageResponse } from '../../../src/fold/index.ts';
import type { FoldView } from './view.ts';
import { agentMessage, fromTarget, look, startView, stepView } from './view.ts';

/**
 * The one topic of an event: the name of the payload (`register`, `welcome`), `response.` with the name of the response's
 * event, or the kind of an event that is not a message.
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

/** A trace file may have a text for the response: its characters are no members. */
function responseTopic(response: MessageResponse | string): string {
  if (typeof response === 'string') return 'response.none';
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
 * Extra topics for rare conditions, so that their rules are not called for every event. `unready`: between the opening of
 * the stream and Welcome. `stray`: a response to an unknown or ended request. `steered`: a response to a request with a
 * cancel or a tool decision. `large`: an event with a size.
 */
export function extraTopicsOf(event: TraceEvent, view: FoldView): string {
  const isMessage = event.kind === 'message';
  if (!fromTarget(event) || (!isMessage && event.kind !== 'undecodable')) return '';
  const { stream, namedRequest: request } = view;
  const ready = stream?.session.register !== undefined && stream.session.phase !== 'registered';
  const open = request !== undefined && request.terminal === undefined;
  if (ready && open && !request.steered && event.size === undefined) return '';
  const topics = [];
  if (!ready) topics.push('unready');
  if (isMessage && !open && agentMessage(event).response !== undefined) topics.push('stray');
  if (open && request.steered) topics.push('steered');
  if (event.size !== undefined) topics.push('large');
  return topics.join(' ');
}

/** The topics of the events that end a request. */
export const terminals: readonly string[] = ['response.done', 'response.error', 'response.cancelled'];

/** The topics and the view of Fold agents, for a judge. */
export const agentJudging: Omit<Judging<FoldView>, 'rules'> = {
  topicOf,
  extraTopicsOf,
  view: { start: startView, look, step: stepView },
};
