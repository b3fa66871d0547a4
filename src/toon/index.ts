/**
 * TOON (Task Orchestration Over Node): binary frames with JSON payloads, between an orchestrator and its subagents. It is
 * not Token-Oriented Object Notation. The TOON Protocol Specification defines `TOONEncoder`, `TOONDecoder` and
 * `MessageType`. The roles play an orchestrator or a subagent as pure functions that any host can run.
 * spec/toon/README.md describes the protocol on one page.
 *
 * @example
 * import { MessageType, TOONDecoder, TOONEncoder } from 'wireproof/toon';
 *
 * const bytes = new TOONEncoder().encode(MessageType.STATUS, { status: 'working', progress: 0.5 }, 3);
 * const decoded = new TOONDecoder().decode(bytes);
 * if (decoded.ok) console.log(decoded.payload); // { status: 'working', progress: 0.5 }
 */
export { toonCodec, toonCodecWith } from './codec.ts';
export { TOONDecoder } from './frame/decoder.ts';
export type { DecodedTOON, TOONDecoded, TOONDecoderOptions } from './frame/decoder.ts';
export { directive, parseDirective, stepNames } from './directive.ts';
export type { ContextStep, Step, ToolStep } from './directive.ts';
export { TOONEncoder } from './frame/encoder.ts';
export type { TOONEncodeOptions, TOONEncoderOptions } from './frame/encoder.ts';
export { HEADER_SIZE, MAX_PAYLOAD, MAX_SEQUENCE_ID, TOON_VERSION } from './frame/header.ts';
export type { TOONHeader } from './frame/header.ts';
export { observe, observeEnd, observeUndecodable, sessionFaults, toonMachine } from './machine/machine.ts';
export type { ToonInput } from './machine/machine.ts';
export { MessageType, messageNames, senders } from './messages.ts';
export type {
  Draft,
  ErrorNotice,
  Instruction,
  MessageName,
  OnWire,
  OrchestratorMessage,
  Payloads,
  ScriptedCommand,
  Side,
  Stamp,
  StatusUpdate,
  SubagentMessage,
  ToolCall,
  ToolResult,
  ToonMessage,
} from './messages.ts';
export { orchestrator } from './orchestrator/orchestrator.ts';
export type { OrchestratorOptions, OrchestratorRole } from './orchestrator/orchestrator.ts';
export {
  COMPRESSION_MAGIC,
  COMPRESSION_THRESHOLD,
  RLE_ESCAPE,
  isCompressed,
  runLengthDecode,
  runLengthEncode,
} from './frame/rle.ts';
export { believedSize, leadingTextSize, quotedText } from './frame/stray-text.ts';
export { scriptedOrchestrator, scriptedSubagent } from './simulated/peer.ts';
export type {
  ScriptedOrchestratorOptions,
  ScriptedPeerRole,
  ScriptedSubagentOptions,
} from './simulated/peer.ts';
export { nextSequenceId, serialCompare, track } from './machine/sequence-ids.ts';
export type { SequenceKind, SequenceState, Tracked } from './machine/sequence-ids.ts';
export { TOONStreamDecoder, toonFraming, toonFramingWith } from './frame/stream.ts';
export type { StreamItem, TOONFramer } from './frame/stream.ts';
export { subagent } from './subagent/subagent.ts';
export type { SubagentOptions, SubagentRole } from './subagent/subagent.ts';
export { toonTestee } from './testee.ts';
