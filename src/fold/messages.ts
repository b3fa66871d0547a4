/**
 * All messages of Fold, both directions. A message is its protobuf JSON mapping with the schema's field names:
 * enums by name, 64-bit integers as strings, bytes as base64, default values absent. A oneof is a union, so
 * `message.response !== undefined` narrows.
 */
import { MessageResponse_eventNames } from './generated/messages.ts';
import type { MessageResponse, MessageResponse_event, ToolState } from './generated/messages.ts';

export {
  AgentMessage_payloadNames,
  InjectionPriorityNames,
  MessageResponse_eventNames,
  ServerMessage_payloadNames,
  ToolStateNames,
} from './generated/messages.ts';
export type {
  AgentMessage,
  ApproveToolRequest,
  ApproveToolResponse,
  CancelRequest,
  ClientSendMessageRequest,
  ClientSendMessageResponse,
  ClientStreamEvent,
  Empty,
  ExecutePackTool,
  ExecuteToolRequest,
  ExecuteToolResponse,
  FileAttachment,
  InjectContext,
  InjectionPriority,
  ListAgentsRequest,
  ListAgentsResponse,
  MeResponse,
  MessageResponse,
  PackManifest,
  PackToolResult,
  RegisterAgent,
  RegistrationError,
  SendMessage,
  ServerMessage,
  StreamEventsRequest,
  TokenUsage,
  ToolApprovalResponse,
  ToolDefinition,
  ToolState,
  ToolUse,
  Welcome,
} from './generated/messages.ts';

/** The name of a member of `MessageResponse.event`. */
export type EventName = keyof MessageResponse_event;

const eventNames: ReadonlySet<string> = new Set(MessageResponse_eventNames);
const isEventName = (key: string): key is EventName => eventNames.has(key);

/** Which event a response carries; undefined when it carries none that the schema knows. */
export function eventOf(response: MessageResponse): EventName | undefined {
  for (const key in response) if (isEventName(key)) return key;
  return undefined;
}

/** The events that end a request (Fold Protocol Enhancements, section 4). */
export const terminalEvents: ReadonlySet<EventName> = new Set(['done', 'error', 'cancelled']);

/** The states a tool ends in (section 2). */
export const finalStates: ReadonlySet<ToolState> = new Set<ToolState>([
  'TOOL_STATE_COMPLETED',
  'TOOL_STATE_FAILED',
  'TOOL_STATE_DENIED',
  'TOOL_STATE_TIMEOUT',
  'TOOL_STATE_CANCELLED',
]);

/** The protocol features an agent may advertise when it registers ("Backward Compatibility"). */
export const protocolFeatures = ['token_usage', 'tool_states', 'injection', 'cancellation'] as const;
