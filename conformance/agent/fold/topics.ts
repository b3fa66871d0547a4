/** The topics of events over both wires, and the judging of the rows of agents. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import type { Judging } from '../../../src/kit/judge/index.ts';
import type { BothView } from './records.ts';
import { startView, stepView } from './view.ts';

/**
 * The one topic of an event: `told.request` or `told.answered` for a provider's note; `process` for a mark about the
 * processes of tools; for a message of the gateway or the
 * agent, the name of its payload, and `response.` with the name of its event; else its wire and kind, such as `llm.reset`.
 */
export function topicOf({ kind, wire, data }: TraceEvent): string {
  if (kind === 'mark') return markTopic(data);
  if (kind !== 'message' || wire !== 'fold') return `${wire}.${kind}`;
  const { response } = data as { readonly response?: Record<string, unknown> };
  if (response !== undefined) {
    const event = Object.keys(response).find((key) => key !== 'request_id');
    return `response.${event ?? 'none'}`;
  }
  for (const name in data) return name;
  return 'empty';
}

function markTopic({ told, process }: TraceEvent['data']): string {
  if (typeof told === 'string') return `told.${told}`;
  return process === undefined ? 'mark' : 'process';
}

/** The topics with which the agent may let go of an exchange. */
export const letGoTopics: readonly string[] = ['llm.end', 'llm.reset', 'llm.message'];

/** The topics with which a request ends. */
export const endTopics: readonly string[] = ['response.done', 'response.error', 'response.cancelled'];

/** The topics and the view, for a judge. */
export const bothJudging: Omit<Judging<BothView>, 'rules'> = {
  topicOf,
  view: { start: startView, step: stepView },
  forgot: ({ forgotten }) => (forgotten ? 'more requests were seen than the kit remembers' : undefined),
};
