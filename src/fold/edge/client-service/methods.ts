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

type NamedMethod<In extends MessageName, Out extends MessageName> = Method<MessageOf<In>, MessageOf<Out>>;

const method = <In extends MessageName, Out extends MessageName>(
  name: string,
  request: In,
  answer: Out,
): NamedMethod<In, Out> => ({
  path: clientServicePrefix + name,
  request: codecOf(request),
  answer: codecOf(answer),
});

/** `SendMessage`: sends a message to the agent of a conversation. */
export const sendMessage: NamedMethod<'ClientSendMessageRequest', 'ClientSendMessageResponse'> = method(
  'SendMessage',
  'ClientSendMessageRequest',
  'ClientSendMessageResponse',
);

/** `StreamEvents`: the events of a conversation, until the caller closes the stream. */
export const streamEvents: NamedMethod<'StreamEventsRequest', 'ClientStreamEvent'> = method(
  'StreamEvents',
  'StreamEventsRequest',
  'ClientStreamEvent',
);

/** `ListAgents`: the connected agents. */
export const listAgents: NamedMethod<'ListAgentsRequest', 'ListAgentsResponse'> = method(
  'ListAgents',
  'ListAgentsRequest',
  'ListAgentsResponse',
);

/** `GetMe`: the name of the caller. */
export const getMe: NamedMethod<'Empty', 'MeResponse'> = method('GetMe', 'Empty', 'MeResponse');

/** `ApproveTool`: approves or denies a tool that waits for approval. */
export const approveTool: NamedMethod<'ApproveToolRequest', 'ApproveToolResponse'> = method(
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
