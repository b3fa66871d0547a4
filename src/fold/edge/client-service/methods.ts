/** The methods of the published ClientService: their paths and messages. */
import type { Codec } from '../../../kit/base/index.ts';
import { codecOf } from '../../codec.ts';
import type { MessageName, MessageOf } from '../../codec.ts';

/** The prefix of every method's path. */
export const clientServicePrefix = '/coven.ClientService/';

/** One method: its path and its two messages. */
export interface Method<In, Out> {
  readonly path: string;
  readonly request: Codec<In>;
  readonly answer: Codec<Out>;
}

const method = <In extends MessageName, Out extends MessageName>(
  name: string,
  request: In,
  answer: Out,
): Method<MessageOf<In>, MessageOf<Out>> => ({
  path: clientServicePrefix + name,
  request: codecOf(request),
  answer: codecOf(answer),
});

/** `SendMessage`: sends a message to the agent of a conversation. */
export const sendMessage: Method<
  MessageOf<'ClientSendMessageRequest'>,
  MessageOf<'ClientSendMessageResponse'>
> = method('SendMessage', 'ClientSendMessageRequest', 'ClientSendMessageResponse');

/** `StreamEvents`: the events of a conversation, until the caller closes the stream. */
export const streamEvents: Method<MessageOf<'StreamEventsRequest'>, MessageOf<'ClientStreamEvent'>> = method(
  'StreamEvents',
  'StreamEventsRequest',
  'ClientStreamEvent',
);

/** `ListAgents`: the connected agents. */
export const listAgents: Method<MessageOf<'ListAgentsRequest'>, MessageOf<'ListAgentsResponse'>> = method(
  'ListAgents',
  'ListAgentsRequest',
  'ListAgentsResponse',
);

/** `GetMe`: the name of the caller. */
export const getMe: Method<MessageOf<'Empty'>, MessageOf<'MeResponse'>> = method(
  'GetMe',
  'Empty',
  'MeResponse',
);

/** `ApproveTool`: approves or denies a tool that waits for approval. */
export const approveTool: Method<MessageOf<'ApproveToolRequest'>, MessageOf<'ApproveToolResponse'>> = method(
  'ApproveTool',
  'ApproveToolRequest',
  'ApproveToolResponse',
);

/** The paths that a gRPC server has to route to {@link clientServiceAccept}. */
export const clientServicePaths: readonly string[] = [
  sendMessage,
  streamEvents,
  listAgents,
  getMe,
  approveTool,
].map(({ path }) => path);
