/**
 * SEP, the Streaming Execution Protocol: a language model writes tags into its output; thoughts and responses stream to
 * the user, and actions run as their tags close. `SepParser` reads an output in pieces of any size. `executorMachine`
 * runs its actions, as a pure function. `StreamingProtocolParser` is both over a stream, under the names of the
 * protocol's document. `manifestOf` reads the context feeds of an agent's manifest, and `FeedStore` knows which of them is
 * to be fetched when, and what the model sees of them.
 *
 * @example
 * import { parseSep, playRun } from 'wireproof/sep';
 *
 * const output = '<action type="tool" mode="sync" id="a">{"name":"add","output_key":"sum"}</action><response>$sum</response>';
 * console.log(parseSep(output).map(({ type }) => type)); // ['action', 'response', 'response_end']
 * const run = playRun({ iterations: [[output]], providers: { add: [{ after: 2, output: 8 }] } });
 * console.log(run.variables); // { a: 8, sum: 8 }
 *
 * @example
 * import { FeedStore, internalValue, manifestOf } from 'wireproof/sep';
 *
 * // As a YAML parser gives it.
 * const document = { context_feeds: [{ id: 'now', type: 'on_demand', source: { type: 'internal', action: 'system_clock' } }] };
 * const read = manifestOf(document, { env: {} });
 * if (!read.ok) throw new Error(`${read.error.path}: ${read.error.message}`);
 * const { feeds, grants } = read.value.manifest;
 * const store = new FeedStore({ feeds });
 * const random = { next: () => 0, below: () => 0 };
 * for (const { id } of store.due(0)) {
 *   const fetch = store.begin(id, 0);
 *   if (fetch === undefined) continue;
 *   const outcome = internalValue(fetch.source, { now: 1718454896000, random, env: {}, envNames: grants.envNames, facts: {} });
 *   store.settle(fetch, outcome, 0);
 * }
 * store.injection(); // '<context_feed id="now">\n2024-06-15T12:34:56Z\n</context_feed>'
 */
export { executorMachine } from './executor/machine.ts';
export type { ExecutorMachine } from './executor/machine.ts';
export { Runner } from './executor/runner.ts';
export type { RunnerOptions, TimedEvent } from './executor/runner.ts';
export { scriptedProviders } from './executor/providers.ts';
export type {
  EmitPart,
  Provider,
  ProviderAnswer,
  ProviderCall,
  Providers,
  ScriptedOutcome,
  ScriptedOutcomes,
  ScriptedPart,
} from './executor/providers.ts';
export { playRun } from './executor/scripted-run.ts';
export type { RunScript, ScriptedRun } from './executor/scripted-run.ts';
export {
  feedTimeout,
  maxIterations,
  mostParts,
  mostRetries,
  mostSubstituted,
  mostValue,
  rollbackTimeout,
} from './executor/limits.ts';
export type { ExecutorLimits } from './executor/limits.ts';
export type { ExecutorCommand, ExecutorEvent, ExecutorInput, FinishReason } from './executor/io.ts';
export type { ExecutorOptions, ExecutorState } from './executor/state.ts';
export { extensionNames, switchesOf } from './parser/extensions.ts';
export type { ExtensionName, ExtensionSwitches } from './parser/extensions.ts';
export { mostCompared } from './executor/blocks/compare.ts';
export {
  mostBlockLevels,
  mostConditionCharacters,
  mostConditionLevels,
  mostExpanded,
  mostRoundCharacters,
  mostRoundParts,
  mostRounds,
  mostTemplates,
  mostThoughtDepth,
  mostWaiting,
  mostWaitingCharacters,
} from './parser/limits.ts';
export type { BlockLimits } from './parser/limits.ts';
export type { TemplateOptions, Templates } from './parser/templates.ts';
export { internalSources, internalValue } from './feeds/builtin.ts';
export type { InternalWorld } from './feeds/builtin.ts';
export type { FeedEntry, FeedFetch, FeedValue } from './feeds/entry.ts';
export { sourceTypes } from './feeds/feed.ts';
export type { FeedOutcome, FeedSource, FeedSpec, SourceType } from './feeds/feed.ts';
export { actInternally } from './feeds/internal.ts';
export type { InternalCall, InternalContext, InternalOutcome, VariableChange } from './feeds/internal.ts';
export {
  estimatedTokens,
  leastInterval,
  mostFeeds,
  mostFeedValue,
  mostInjected,
  mostManifest,
} from './feeds/limits.ts';
export type { FeedLimits, TokenCounter } from './feeds/limits.ts';
export { mostTransformSteps, transformed } from './feeds/transform.ts';
export type { TransformArguments, TransformStep } from './feeds/transform.ts';
export { FeedStore } from './feeds/store.ts';
export type { FeedSettlement, FeedStoreOptions } from './feeds/store.ts';
export type { Environment } from './manifest/expand.ts';
export type { Grants } from './feeds/grants.ts';
export { internalActionNames } from './feeds/internal-actions.ts';
export type { InternalActionName, InternalActionPolicy } from './feeds/internal-actions.ts';
export { manifestOf } from './manifest/manifest.ts';
export type { Manifest, ManifestOptions, ReadManifest } from './manifest/manifest.ts';
export { noSource, scriptedSources } from './executor/sources.ts';
export type { FetchAnswer, FetchMoment, LiveSources, ScriptedValues, Sources } from './executor/sources.ts';
export { actionModes, actionTypes, blockNames, errorReactions } from './parser/events.ts';
export type {
  ActionMode,
  ActionTemplate,
  ActionType,
  AdviceCode,
  BlockName,
  DiagnosticCode,
  ErrorReaction,
  SepAction,
  SepDiagnostic,
  SepEvent,
  SepRollback,
} from './parser/events.ts';
export { mostBody, parseSep, SepParser } from './parser/parser.ts';
export { promptOf, sepPrompt } from './prompt.ts';
export type { PromptFeed, PromptOptions, PromptTool } from './prompt.ts';
export type { SepParserOptions } from './parser/parser.ts';
export type { StreamEvent } from './streaming/events.ts';
export { mostUnread } from './streaming/run.ts';
export type { OutputStream } from './streaming/run.ts';
export { executorOf, StreamingProtocolParser } from './streaming/streaming-protocol-parser.ts';
export type {
  ActionExecutor,
  StreamingProtocolParserOptions,
} from './streaming/streaming-protocol-parser.ts';
export { sepTestee, sepTesteeWith } from './testee.ts';
export type { ManifestRunner } from './testee.ts';
