/**
 * Koda: the events of a coding-agent engine and the commands of its client, as JSON that Rust's serde reads and writes.
 * The codec accepts and refuses what the published types do, and keeps 64-bit integers exactly. The roles play an engine or
 * a client as pure functions that any host can run. spec/koda/README.md describes the protocol on one page.
 *
 * @example
 * import { decodeText, encodeText } from 'wireproof/koda';
 *
 * encodeText('command', { type: 'user_prompt', text: 'hi', images: [] }); // '{"type":"user_prompt","text":"hi","images":[]}'
 * decodeText('event', '{"used":9007199254740993,"max":-0,"type":"context_usage"}').ok; // false
 */
export { commandCodec, decodeBytes, decodeText, encodeText, eventCodec, mostBytes } from './codec.ts';
export { mostNested } from './codec/scan.ts';
export type {
  DecodeOptions,
  DecodedText,
  EncodeOptions,
  Fault,
  KodaViolation,
  RefusalCode,
} from './codec.ts';
export { directive, parseDirective, stepNames } from './directive.ts';
export type { Action, Line, Question, Step, Tool } from './directive.ts';
export { client } from './client/client.ts';
export type { ClientOptions, ClientRole } from './client/client.ts';
export { engine } from './engine/engine.ts';
export type { EngineRole } from './engine/engine.ts';
export type { EngineOptions } from './engine/state.ts';
export { eventTypes } from './messages.ts';
export type {
  ApprovalDecision,
  DiffPreview,
  EngineCommand,
  EngineEvent,
  ImageAttachment,
  Integer,
  LoopContinuation,
  MessageKind,
  Messages,
  Replacement,
  SlashCommand,
  TokenCounts,
  TurnEndReason,
} from './messages.ts';
export { isEngineCommand, isEngineEvent } from './validity.ts';
export { kodaTestee, kodaTesteeWith } from './testee.ts';
