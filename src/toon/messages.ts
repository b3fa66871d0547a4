/** The messages of TOON (Task Orchestration Over Node): the eight types, their senders and their payloads. */
import type { Json, JsonObject, PeerCommand } from '../kit/base/index.ts';

/**
 * The message types by name, as in the second byte of the header.
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

/** The names, in the order of the numbers. */
export const messageNames: readonly MessageName[] = Object.keys(MessageType) as MessageName[];

/** A task for the subagent. */
export interface Instruction {
  readonly instruction: string;
  readonly [key: string]: Json;
}

/** A request to the orchestrator to invoke a tool. */
export interface ToolCall {
  readonly toolName: string;
  readonly args: JsonObject;
  readonly [key: string]: Json;
}

/** The result of a tool: `duration` is in ms, and `requestId` repeats that of the call, if it had one. */
export interface ToolResult {
  readonly success: boolean;
  readonly [key: string]: Json;
}

/** A report on the work, with `progress` from 0 to 1. The status `completed` ends the instruction. */
export interface StatusUpdate {
  readonly status: string;
  readonly [key: string]: Json;
}

/** An error. From a subagent it ends the instruction, unless it answers a bad frame. */
export interface ErrorNotice {
  readonly message: string;
  readonly [key: string]: Json;
}

/** The payload of each type. Unknown keys are allowed in all of them. */
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

/** The fields of the header besides the type and the length. */
export interface Stamp {
  /** 0 to 4294967295; it counts per sender and connection, and 0 follows the highest. */
  readonly sequenceId: number;
  /** Unix milliseconds in decimal digits: all 64 bits, exact. */
  readonly timestamp: string;
}

/** The form of a message on the wire. */
export interface OnWire {
  /** The length of the payload on the wire (bytes); in decoded messages only. */
  readonly payloadLength?: number;
  /** The length of the expanded payload (bytes); in decoded messages with a compressed payload only. */
  readonly expandedLength?: number;
  /** In messages to encode: false means never compressed. Default true: compressed where that makes it shorter. */
  readonly compress?: boolean;
}

/** A message, in the form of traces and scenarios. */
export type ToonMessage = {
  readonly [N in MessageName]: {
    readonly type: N;
    readonly payload: Payloads[N];
  } & Stamp &
    OnWire;
}[MessageName];

/** A message of an orchestrator. */
export type OrchestratorMessage = Extract<
  ToonMessage,
  { readonly type: 'INSTRUCTION' | 'TOOL_RESULT' | 'CONTEXT_RESPONSE' | 'ERROR' | 'HEARTBEAT' }
>;

/** A message of a subagent. */
export type SubagentMessage = Extract<
  ToonMessage,
  { readonly type: 'TOOL_CALL' | 'STATUS' | 'CONTEXT_REQUEST' | 'ERROR' | 'HEARTBEAT' }
>;

/** A message of a scenario: of any type, with any payload (default `{}`). A role adds the missing fields. */
export interface Draft extends Partial<Stamp>, OnWire {
  readonly type: MessageName;
  readonly payload?: Json;
}

/** A command to a role of TOON. */
export type ScriptedCommand = PeerCommand<Draft>;

/** One of the two sides of a connection. */
export type Side = 'orchestrator' | 'subagent';

/** The sides that may send each type. Source: TOON Protocol Specification, "Message Types", column Direction. */
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
