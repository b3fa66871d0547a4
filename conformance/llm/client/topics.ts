/** The topics of events, by which rules listen. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { Judging } from '../../../src/kit/judge/index.ts';
import { onPipes, providerNote, startView, stepView } from './view.ts';
import type { ClientView } from './view.ts';

/** The provider's notes have their own topics. */
function markTopic(event: TraceEvent): string {
  const { told } = event.data;
  return providerNote(event) === undefined || typeof told !== 'string' ? 'mark' : `told.${told}`;
}

/**
 * The one topic of an event: `told.` with what a note of the provider tells; of a message, `request` or `response`, and on pipes
 * `ask` or `answer`; otherwise the kind of the event.
 */
function topicOf(event: TraceEvent): string {
  if (event.kind === 'mark') return markTopic(event);
  if (event.kind !== 'message') return event.kind;
  if (onPipes(event)) return event.from === 'target' ? 'answer' : 'ask';
  return event.from === 'target' ? 'request' : 'response';
}

/** The view and topics of the rules, for a judge. */
export const clientJudging: Omit<Judging<ClientView>, 'rules'> = {
  topicOf,
  view: { start: startView, step: stepView },
};
