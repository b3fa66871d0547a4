/** The topics of events in a gateway's trace, by which rules listen. */
import { entryOf } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { MessageResponse_eventNames } from '../../../src/fold/index.ts';
import type { MessageResponse } from '../../../src/fold/index.ts';

const responseTopics: { readonly [name: string]: string } = Object.fromEntries(
  MessageResponse_eventNames.map((name) => [name, `response.${name}`]),
);

/** The messages of packs, by their only member. */
const packTopics: { readonly [name: string]: string } = {
  manifest: 'pack.manifest',
  tool_response: 'pack.tool_response',
  execute_tool: 'pack.execute_tool',
  empty: 'pack.empty',
};

function responseTopic(response: MessageResponse): string {
  for (const key in response) {
    const topic = responseTopics[key];
    if (topic !== undefined) return topic;
  }
  return 'response.none';
}

function operatorTopic(event: TraceEvent): string {
  if (event.kind !== 'message') return `op.${event.kind}`;
  for (const name in event.data) return event.from === 'target' ? `op.reply.${name}` : `op.${name}`;
  return 'op.empty';
}

/**
 * The one topic of an event: the payload of an agent or the gateway (`register`, `response.text`, `welcome`), `pack.` with
 * a pack's payload, `op.` with an operator's call, `op.reply.` with an answer to an operator. An event that is not a
 * message has its kind as topic; on an operator's stream, after `op.`.
 */
export function topicOf(event: TraceEvent): string {
  if (event.wire === 'operator') return operatorTopic(event);
  if (event.kind !== 'message') return event.kind;
  const { response } = event.data;
  if (response !== undefined && event.from !== 'target') return responseTopic(response as MessageResponse);
  for (const name in event.data) return entryOf(packTopics, name) ?? name;
  return event.from === 'target' ? 'server.empty' : 'agent.empty';
}

/** The topics of a gateway's messages to agents. */
export const serverTopics: readonly string[] = [
  'welcome',
  'send_message',
  'shutdown',
  'tool_approval',
  'registration_error',
  'inject_context',
  'cancel_request',
  'pack_tool_result',
  'server',
];
