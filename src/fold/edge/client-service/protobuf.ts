/** The methods of the published ClientService that the kit speaks, and their messages on the wire. */
import type { Codec } from '../../../kit/base/index.ts';
import { codecOf } from '../../codec.ts';
import {
  readApproveToolRequest,
  readApproveToolResponse,
  readClientSendMessageRequest,
  readClientSendMessageResponse,
  readClientStreamEvent,
  readEmpty,
  readListAgentsRequest,
  readListAgentsResponse,
  readMeResponse,
  readStreamEventsRequest,
  writeApproveToolRequest,
  writeApproveToolResponse,
  writeClientSendMessageRequest,
  writeClientSendMessageResponse,
  writeClientStreamEvent,
  writeEmpty,
  writeListAgentsRequest,
  writeListAgentsResponse,
  writeMeResponse,
  writeStreamEventsRequest,
} from '../../generated/codec.ts';
import type {
  ApproveToolRequest,
  ApproveToolResponse,
  ClientSendMessageRequest,
  ClientSendMessageResponse,
  ClientStreamEvent,
  Empty,
  ListAgentsRequest,
  ListAgentsResponse,
  MeResponse,
  StreamEventsRequest,
} from '../../messages.ts';

/** What every method's path begins with. */
export const clientServicePrefix = '/coven.ClientService/';

/** One method: its path and its two messages. */
export interface Method<In, Out> {
  readonly path: string;
  readonly request: Codec<In>;
  readonly answer: Codec<Out>;
}

const method = <In, Out>(name: string, request: Codec<In>, answer: Codec<Out>): Method<In, Out> => ({
  path: clientServicePrefix + name,
  request,
  answer,
});

/** `SendMessage`: gives a conversation's agent work. */
export const sendMessage: Method<ClientSendMessageRequest, ClientSendMessageResponse> = method(
  'SendMessage',
  codecOf('coven.ClientSendMessageRequest', writeClientSendMessageRequest, readClientSendMessageRequest),
  codecOf('coven.ClientSendMessageResponse', writeClientSendMessageResponse, readClientSendMessageResponse),
);

/** `StreamEvents`: the events of a conversation, for as long as the caller stays. */
export const streamEvents: Method<StreamEventsRequest, ClientStreamEvent> = method(
  'StreamEvents',
  codecOf('coven.StreamEventsRequest', writeStreamEventsRequest, readStreamEventsRequest),
  codecOf('coven.ClientStreamEvent', writeClientStreamEvent, readClientStreamEvent),
);

/** `ListAgents`. */
export const listAgents: Method<ListAgentsRequest, ListAgentsResponse> = method(
  'ListAgents',
  codecOf('coven.ListAgentsRequest', writeListAgentsRequest, readListAgentsRequest),
  codecOf('coven.ListAgentsResponse', writeListAgentsResponse, readListAgentsResponse),
);

/** `GetMe`: who the caller is. */
export const getMe: Method<Empty, MeResponse> = method(
  'GetMe',
  codecOf('coven.Empty', writeEmpty, readEmpty),
  codecOf('coven.MeResponse', writeMeResponse, readMeResponse),
);

/** `ApproveTool`: decides about a tool that an agent asked for. */
export const approveTool: Method<ApproveToolRequest, ApproveToolResponse> = method(
  'ApproveTool',
  codecOf('coven.ApproveToolRequest', writeApproveToolRequest, readApproveToolRequest),
  codecOf('coven.ApproveToolResponse', writeApproveToolResponse, readApproveToolResponse),
);

/** The paths a gRPC server has to route for {@link clientServiceAccept}. */
export const clientServicePaths: readonly string[] = [
  sendMessage.path,
  streamEvents.path,
  listAgents.path,
  getMe.path,
  approveTool.path,
];
