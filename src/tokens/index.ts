/**
 * Tokens: surviving the output limit. A model that hits its limit in the middle of a tool call must neither have that
 * call run nor its conversation broken. The components of the "Token Management and Streaming Architecture Plan" stand
 * here under its names, as pure TypeScript: `StopReasonHandler`, `TokenBudgetManager`, `ConversationBuilder`,
 * `ConversationPruner`, `MessageSummarizer`; `turnMachine` puts them together, and any loop can drive it.
 * spec/tokens/README.md is the contract in a page.
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
export { BREAKPOINTS, Breakpoints } from './breakpoints.ts';
export type { BreakpointStep } from './breakpoints.ts';
export {
  UNKNOWN_WINDOW,
  adviceOf,
  availableOf,
  budgetConfig,
  budgetWarnings,
  isNear,
  ratioOf,
} from './budget.ts';
export type { BudgetAdvice, BudgetConfig } from './budget.ts';
export {
  COMPACTION_COOLDOWN,
  TAIL_TURNS,
  compact,
  isCompactionDue,
  tailTokens,
  tailTurns,
} from './compaction.ts';
export type { Compaction, CompactionOptions, Summarize } from './compaction.ts';
export { ConversationBuilder, workingEvents } from './conversation-builder.ts';
export type { ConversationBuilderOptions } from './conversation-builder.ts';
export { ConversationPruner } from './conversation-pruner.ts';
export type { ConversationPrunerOptions } from './conversation-pruner.ts';
export {
  MESSAGE_OVERHEAD,
  UNITS_PER_TOKEN,
  estimateMessage,
  estimateText,
  estimateTokens,
} from './estimate.ts';
export type { TokenEvent, TokenWarning } from './events.ts';
export { askUser, deferTools, firstOf, switchModel } from './fallback.ts';
export type {
  FallbackChoice,
  FallbackDecision,
  FallbackPolicy,
  FallbackSituation,
  ModelChoice,
} from './fallback.ts';
export { faultsOf } from './faults.ts';
export { MAX_CUTS } from './machine-response.ts';
export { SEND_MARGIN } from './machine-send.ts';
export type { TurnAction, TurnEnd, TurnInput, TurnOptions, TurnPhase, TurnState } from './machine-state.ts';
export { turnMachine } from './machine.ts';
export type { TurnMachine } from './machine.ts';
export { MessageSummarizer, summaryHeadings } from './message-summarizer.ts';
export { MAX_OVERFLOWS, compacted, shrink, shrinkTo } from './overflow.ts';
export type { ShrinkOptions } from './overflow.ts';
export { cancelledResult, outcomeStatuses, repair } from './repair.ts';
export type { OutcomeStatus, StatedMessage, StatedOutcome } from './repair.ts';
export { MAX_ATTEMPTS, failureKinds, isRetryable, retryDelay } from './retry.ts';
export type { Jitter, ProviderFailure } from './retry.ts';
export { StopReasonHandler, limitReasons } from './stop-reason-handler.ts';
export type { HandledResponse, StopReasonHandlerOptions, StopReasonWarning } from './stop-reason-handler.ts';
export { anthropicStopReason, lmstudioStopReason, ollamaStopReason, readStopReason } from './stop-reasons.ts';
export type { ReadStopReason } from './stop-reasons.ts';
export { tokensTestee } from './testee.ts';
export { RESULT_LINES, shortenResult, shortenText, truncateText } from './text.ts';
export { eventsOf } from './thread.ts';
export type { ThreadEvent } from './thread.ts';
export { TokenBudgetManager } from './token-budget-manager.ts';
export type { TokenBudgetManagerOptions } from './token-budget-manager.ts';
export { countTokens } from './token-counter.ts';
export type { CountedResponse, TokenCount, TokenCounter, TokenSources } from './token-counter.ts';
export { completenessOf } from './tool-schema.ts';
export type { CompletenessTest, ToolSchema } from './tool-schema.ts';
export { hasCalls, turnsOf } from './turns.ts';
export type { Turn, Turns } from './turns.ts';
export { anthropicUsage, lmstudioUsage, normalUsage, ollamaUsage, totalOf } from './usage.ts';
export type { AnyUsage } from './usage.ts';
