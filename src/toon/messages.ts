/** The messages of TOON (Task Orchestration Over Node): the eight types, who sends them, and what each carries. */
import type { Json, JsonObject } from '../kit/base/index.ts';

/**
 * Message types by name, as the header's second byte has them.
 *
 * Source: TOON Protocol Specification, "Message Types".
 *
 * @example
 * MessageType.TOOL_RESULT; // 3
 */
export const MessageType = {
  INSTRUCTION: 0x01,
  TOOL_CALL: 0x02,
  TOOL_RESULT: 0x03,
  STATUS: 0x04,
  ERROR: 0x05,
  HEARTBEAT: 0x06,
  CONTEXT_REQUEST: 0x07,
  CONTEXT_RESPONSE: 0x08,
} as const;

/** A message type as a number, 1 to 8. */
export type MessageType = (typeof MessageType)[keyof typeof MessageType];

/** A message type by name. */
export type MessageName = keyof typeof MessageType;

/** The names in the order of their numbers. */
export const messageNames: readonly MessageName[] = Object.keys(MessageType) as MessageName[];

/** A task for the subagent. */
export interface Instruction {
  readonly instruction: string;
  readonly [key: string]: Json;
}

/** Asks the orchestrator to invoke a tool. */
export interface ToolCall {
  readonly toolName: string;
  readonly args: JsonObject;
  readonly [key: string]: Json;
}

/** What a tool gave; `duration` in ms, `requestId` repeated from the call when it had one. */
export interface ToolResult {
  readonly success: boolean;
  readonly [key: string]: Json;
}

/** Progress: `progress` from 0 to 1. A status of `completed` ends the instruction. */
export interface StatusUpdate {
  readonly status: string;
  readonly [key: string]: Json;
}

/** Something went wrong; from a subagent it ends the instruction, unless it answers a bad frame. */
export interface ErrorNotice {
  readonly message: string;
  readonly [key: string]: Json;
}

/** What each type carries. Unknown keys are allowed everywhere. */
export interface Payloads {
  readonly INSTRUCTION: Instruction;
  readonly TOOL_CALL: ToolCall;
  readonly TOOL_RESULT: ToolResult;
  readonly STATUS: StatusUpdate;
  readonly ERROR: ErrorNotice;
  readonly HEARTBEAT: JsonObject;
  readonly CONTEXT_REQUEST: JsonObject;
  readonly CONTEXT_RESPONSE: JsonObject;
}

/** What a message's header says beside its type and its length. */
export interface Stamp {
  /** Counts per sender and connection; 0 to 4294967295, then 0 again. */
  readonly sequenceId: number;
  /** Unix milliseconds as decimal digits: 64 bits, exact. */
  readonly timestamp: string;
}

/** How a message was, or is to be, on the wire. */
export interface OnWire {
  /** Length of the payload on the wire (bytes); known of what was decoded. */
  readonly payloadLength?: number;
  /** Length of the payload once expanded (bytes): only of compressed ones. */
  readonly expandedLength?: number;
  /** Of what is to be encoded: never compressed when false; default true, compressed where that pays. */
  readonly compress?: boolean;
}

/** A message as traces and scenarios have it. */
export type ToonMessage = {
  readonly [N in MessageName]: {
    readonly type: N;
    readonly payload: Payloads[N];
  } & Stamp &
    OnWire;
}[MessageName];

/** What the orchestrator sends. */
export type OrchestratorMessage = Extract<
  ToonMessage,
  { readonly type: 'INSTRUCTION' | 'TOOL_RESULT' | 'CONTEXT_RESPONSE' | 'ERROR' | 'HEARTBEAT' }
>;

/** What a subagent sends. */
export type SubagentMessage = Extract<
  ToonMessage,
  { readonly type: 'TOOL_CALL' | 'STATUS' | 'CONTEXT_REQUEST' | 'ERROR' | 'HEARTBEAT' }
>;

/** One of the two ends of a connection. */
export type Side = 'orchestrator' | 'subagent';

/** Who may send each type. Source: TOON Protocol Specification, "Message Types", column Direction. */
export const senders: { readonly [N in MessageName]: readonly Side[] } = {
  INSTRUCTION: ['orchestrator'],
  TOOL_CALL: ['subagent'],
  TOOL_RESULT: ['orchestrator'],
  STATUS: ['subagent'],
  ERROR: ['orchestrator', 'subagent'],
  HEARTBEAT: ['orchestrator', 'subagent'],
  CONTEXT_REQUEST: ['subagent'],
  CONTEXT_RESPONSE: ['orchestrator'],
};
