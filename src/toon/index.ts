/**
 * TOON (Task Orchestration Over Node): binary frames with JSON in them, between an orchestrator and its subagents.
 * Not Token-Oriented Object Notation. `TOONEncoder`, `TOONDecoder` and `MessageType` are those of the TOON Protocol
 * Specification; the roles play an orchestrator or a subagent as pure functions that any host can run.
 * spec/toon/README.md is the protocol in a page.
 *
 * @example
 * import { MessageType, TOONDecoder, TOONEncoder } from 'wireproof/toon';
 *
 * const bytes = new TOONEncoder().encode(MessageType.STATUS, { status: 'working', progress: 0.5 }, 3);
 * const decoded = new TOONDecoder().decode(bytes);
 * if (decoded.ok) console.log(decoded.payload); // { status: 'working', progress: 0.5 }
 */
export { toonCodec, toonCodecWith } from './codec.ts';
export { TOONDecoder } from './decoder.ts';
export type { DecodedTOON, TOONDecoded, TOONDecoderOptions } from './decoder.ts';
export { directive, parseDirective, stepNames } from './directive.ts';
export type { ContextStep, Step, ToolStep } from './directive.ts';
export { TOONEncoder } from './encoder.ts';
export type { TOONEncodeOptions, TOONEncoderOptions } from './encoder.ts';
export { HEADER_SIZE, MAX_PAYLOAD, MAX_SEQUENCE_ID, TOON_VERSION } from './header.ts';
export type { TOONHeader } from './header.ts';
export { observe, observeEnd, observeUndecodable, sessionFaults, toonMachine } from './machine.ts';
export type { ToonInput } from './machine.ts';
export { MessageType, messageNames, senders } from './messages.ts';
export type {
  ErrorNotice,
  Instruction,
  MessageName,
  OnWire,
  OrchestratorMessage,
  Payloads,
  Side,
  Stamp,
  StatusUpdate,
  SubagentMessage,
  ToolCall,
  ToolResult,
  ToonMessage,
} from './messages.ts';
export { orchestrator } from './orchestrator.ts';
export type { OrchestratorOptions, OrchestratorRole } from './orchestrator.ts';
export {
  COMPRESSION_MAGIC,
  COMPRESSION_THRESHOLD,
  RLE_ESCAPE,
  isCompressed,
  runLengthDecode,
  runLengthEncode,
} from './rle.ts';
export { scriptedOrchestrator } from './scripted-orchestrator.ts';
export type { ScriptedOrchestratorOptions } from './scripted-orchestrator.ts';
export type { Draft, ScriptedCommand, ScriptedPeerRole } from './scripted-peer.ts';
export { scriptedSubagent } from './scripted-subagent.ts';
export type { ScriptedSubagentOptions } from './scripted-subagent.ts';
export { nextSequenceId, serialCompare, track } from './serial.ts';
export type { SequenceKind, SequenceState, Tracked } from './serial.ts';
export { TOONStreamDecoder, toonFraming, toonFramingWith } from './stream.ts';
export type { StreamItem, TOONFramer } from './stream.ts';
export { subagent } from './subagent.ts';
export type { SubagentOptions, SubagentRole } from './subagent.ts';
export { toonTestee } from './testee.ts';
