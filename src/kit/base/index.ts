/**
 * The words that every room shares: results, violations, codecs, machines, roles, trace events and reports. Pure types
 * and a few constructors, without imports.
 */
import './async-disposal.ts';

export { ok, refuse } from './result.ts';
export type { Result } from './result.ts';
export type { Violation } from './violation.ts';
export { WireproofError } from './error.ts';
export type { WireproofErrorCode } from './error.ts';
export { exactJsonOf, exactObjectOf, exactText, hasLongDigits, integerOf, isNumber } from './exact-json.ts';
export { entryOf, isArray, isObject, jsonOf, jsonOrText, mostJsonLevels, nestsDeeper } from './json.ts';
export type { Json, JsonObject } from './json.ts';
export { didYouMean, nearest } from './nearest.ts';
export { directive, directiveReader, saysUnsupported, unsupportedText } from './directive.ts';
export type { DirectiveGrammar, DirectiveReader } from './directive.ts';
export { LinkOutputs, brief } from './link-outputs.ts';
export type { LinkPeerPlace } from './link-peer-place.ts';
export { memoryOf, MemoryLimit } from './memory.ts';
export { bracketCommand, quietJson, unseen } from './quiet-json.ts';
export { addressText, hostPortOf } from './host-port.ts';
export type { HostPort } from './host-port.ts';
export { LineBuffer } from './line-buffer.ts';
export { misfitOf } from './misfit.ts';
export { clip, inWords, pathOf, pointerOf, schemaRefusal } from './schema.ts';
export type { SchemaFault, SchemaRefusal, Validator } from './schema.ts';
export { SseParser } from './sse.ts';
export type { SseEvent } from './sse.ts';
export type { Codec, Decoded } from './codec.ts';
export type { ComparedSide, Comparison } from './comparison.ts';
export type { Grid, GridAxes, GridAxis, GridCell, GridPlace, SuiteAxes } from './grid.ts';
export { stopReasons } from './provider.ts';
export type {
  CallKind,
  OpenCall,
  ProviderMessage,
  ProviderResponse,
  StopReason,
  ToolCall,
  ToolOutcome,
  Usage,
} from './provider.ts';
export type { Machine } from './machine.ts';
export { RequestRefusal, badInputAnswer, dispatcher } from './operations.ts';
export type { Operation, TesteeTable } from './operations.ts';
export { eventKinds } from './trace.ts';
export type { EventKind, TraceEvent, TraceHeader } from './trace.ts';
export { verdicts } from './run.ts';
export type {
  CellFindings,
  ClaimedFeatures,
  ExpectedFacts,
  JudgedRow,
  RowFindings,
  ShardFacts,
  ShownViolation,
  ScenarioFacts,
  SkippedFacts,
  VerdictFacts,
} from './shard.ts';
export type {
  FirstFailure,
  OverallVerdict,
  Report,
  RequirementOutcome,
  ScenarioOutcome,
  Verdict,
} from './run.ts';
export type { Evidence, Level, SelectedPart, Source } from './requirement.ts';
export { unsentTopic } from './role.ts';
export type { Metadata, PeerCommand, Role, RoleInput, RoleOutput, Status } from './role.ts';
export type { AwaitStep, EventPattern, Scenario, ScenarioStep, UnknownField } from './scenario.ts';
