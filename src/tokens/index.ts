/**
 * Tokens: surviving the output limit. When a model reaches its limit in the middle of a tool call, that call must not
 * run, and the conversation must stay valid. These are the components of the "Token Management and Streaming Architecture
 * Plan", under its names, as pure TypeScript: `StopReasonHandler`, `TokenBudgetManager`, `ConversationBuilder`,
 * `ConversationPruner` and `MessageSummarizer`. `turnMachine` combines them, and any loop can drive it.
 * spec/tokens/README.md is the contract on one page.
 *
 * @example
 * import { StopReasonHandler, faultsOf, repair } from 'wireproof/tokens';
 *
 * const tools = [{ name: 'write', inputSchema: { required: ['path', 'text'] } }];
 * const handler = new StopReasonHandler({ tools });
 * const { toolCalls } = handler.handleResponse({
 *   content: 'I write the file.',
 *   toolCalls: [{ id: 'c1', name: 'write', input: { path: '/a' } }],
 *   metadata: { stopReason: 'max_tokens' },
 * });
 * console.log(toolCalls); // []
 * const history = [{ role: 'user', content: 'Go on' }, { role: 'user', content: 'please' }] as const;
 * console.log(faultsOf(history).map(({ code }) => code)); // ['repeated-role']
 * console.log(repair(history)); // [{ role: 'user', content: 'Go on\n\nplease' }]
 */
export { BREAKPOINTS, Breakpoints } from './manager/breakpoints.ts';
export type { BreakpointStep } from './manager/breakpoints.ts';
export {
  UNKNOWN_WINDOW,
  adviceOf,
  availableOf,
  budgetConfig,
  budgetWarnings,
  isNear,
  ratioOf,
} from './manager/budget.ts';
export type { BudgetAdvice, BudgetConfig } from './manager/budget.ts';
export {
  COMPACTION_COOLDOWN,
  TAIL_TURNS,
  compact,
  isCompactionDue,
  tailTokens,
  tailTurns,
} from './manager/compaction.ts';
export type { Compaction, CompactionOptions, Summarize } from './manager/compaction.ts';
export { ConversationBuilder, workingEvents } from './manager/conversation-builder.ts';
export type { ConversationBuilderOptions } from './manager/conversation-builder.ts';
export { ConversationPruner } from './manager/conversation-pruner.ts';
export type { ConversationPrunerOptions } from './manager/conversation-pruner.ts';
export {
  MESSAGE_OVERHEAD,
  UNITS_PER_TOKEN,
  estimateMessage,
  estimateText,
  estimateTokens,
} from './manager/estimate.ts';
export type { TokenEvent, TokenWarning } from './manager/events.ts';
export { askUser, deferTools, firstOf, switchModel } from './manager/fallback.ts';
export type {
  FallbackChoice,
  FallbackDecision,
  FallbackPolicy,
  FallbackSituation,
  ModelChoice,
} from './manager/fallback.ts';
export { faultsOf } from './manager/faults.ts';
export { MAX_CUTS } from './machine/response.ts';
export { SEND_MARGIN } from './machine/send.ts';
export type {
  Measured,
  TurnAction,
  TurnEnd,
  TurnInput,
  TurnOptions,
  TurnPhase,
  TurnState,
} from './machine/state.ts';
export { turnMachine } from './machine/machine.ts';
export type { TurnMachine } from './machine/machine.ts';
export { MessageSummarizer, summaryHeadings } from './manager/message-summarizer.ts';
export { OutputMeter } from './manager/output-meter.ts';
export type { OutputMeterOptions } from './manager/output-meter.ts';
export { MAX_OVERFLOWS, compacted, shrink, shrinkTo } from './manager/overflow.ts';
export type { ShrinkOptions } from './manager/overflow.ts';
export { cancelledResult, outcomeStatuses, repair } from './manager/repair.ts';
export type { OutcomeStatus, StatedMessage, StatedOutcome } from './manager/repair.ts';
export { MAX_ATTEMPTS, failureKinds, isRetryable, retryDelay } from './manager/retry.ts';
export type { Jitter, ProviderFailure } from './manager/retry.ts';
export { StopReasonHandler, limitReasons } from './manager/stop-reason-handler.ts';
export type {
  HandledResponse,
  StopReasonHandlerOptions,
  StopReasonWarning,
} from './manager/stop-reason-handler.ts';
export {
  anthropicStopReason,
  lmstudioStopReason,
  ollamaStopReason,
  readStopReason,
} from './manager/stop-reasons.ts';
export type { ReadStopReason } from './manager/stop-reasons.ts';
export { tokensTestee } from './testee.ts';
export { RESULT_LINES, shortenResult, shortenText, truncateText } from './manager/text.ts';
export { eventsOf } from './manager/thread.ts';
export type { ThreadEvent } from './manager/thread.ts';
export { TokenBudgetManager } from './manager/token-budget-manager.ts';
export type { TokenBudgetManagerOptions } from './manager/token-budget-manager.ts';
export { countTokens } from './manager/token-counter.ts';
export type { CountedResponse, TokenCount, TokenCounter, TokenSources } from './manager/token-counter.ts';
export { completenessOf } from './manager/tool-schema.ts';
export type { CompletenessTest, ToolSchema } from './manager/tool-schema.ts';
export { hasCalls, turnsOf } from './manager/turns.ts';
export type { ConversationTurn, Turns } from './manager/turns.ts';
export {
  anthropicUsage,
  lmstudioUsage,
  normalUsage,
  ollamaUsage,
  promptOf,
  totalOf,
} from './manager/usage.ts';
export type { AnyUsage } from './manager/usage.ts';
