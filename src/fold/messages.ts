/**
 * All messages of Fold, in both directions. A message is its protobuf JSON mapping with the schema's field names:
 * enums by name, 64-bit integers as strings, bytes as base64, default values absent. A oneof is a union, so
 * `message.response !== undefined` narrows it.
 */
import { isObject } from '../kit/base/index.ts';
import type { Secrets } from '../kit/world/index.ts';
import { MessageResponse_eventNames } from './generated/messages.ts';
import type { MessageResponse, MessageResponse_event, TokenUsage, ToolState } from './generated/messages.ts';

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

/** The name of a response's event; undefined without an event that the schema knows. */
export function eventOf(response: MessageResponse): EventName | undefined {
  for (const key in response) if (isEventName(key)) return key;
  return undefined;
}

/** The events that end a request (Fold Protocol Enhancements, section 4). */
export const terminalEvents: ReadonlySet<EventName> = new Set(['done', 'error', 'cancelled']);

/** The final states of a tool (section 2). */
export const finalStates: ReadonlySet<ToolState> = new Set<ToolState>([
  'TOOL_STATE_COMPLETED',
  'TOOL_STATE_FAILED',
  'TOOL_STATE_DENIED',
  'TOOL_STATE_TIMEOUT',
  'TOOL_STATE_CANCELLED',
]);

/** The protocol features that an agent can advertise when it registers ("Backward Compatibility"). */
export const protocolFeatures = ['token_usage', 'tool_states', 'injection', 'cancellation'] as const;

/** The token counts of a model call, in the schema's order. */
export const usageCounts = [
  'input_tokens',
  'output_tokens',
  'cache_read_tokens',
  'cache_write_tokens',
  'thinking_tokens',
] as const;

/** Usage with every count. */
export type TokenCounts = { -readonly [K in (typeof usageCounts)[number]]: number };

/** Usage with every count; an absent count is 0, as in protobuf. */
export const countsOf = (usage: TokenUsage): TokenCounts => ({
  input_tokens: usage.input_tokens ?? 0,
  output_tokens: usage.output_tokens ?? 0,
  cache_read_tokens: usage.cache_read_tokens ?? 0,
  cache_write_tokens: usage.cache_write_tokens ?? 0,
  thinking_tokens: usage.thinking_tokens ?? 0,
});

/** The secrets on Fold's wires, which no trace shows: signatures of SSH keys, the token of a Welcome and its secrets. */
export const foldSecrets: Secrets = {
  metadata: ['x-ssh-*'],
  fields: ['mcp_token', 'secrets'],
  may: (message) => isObject(message) && message['welcome'] !== undefined,
};
