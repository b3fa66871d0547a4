/** Counts the tokens of a conversation, and advises what to do (the plan's centralized tracking). */
import type { ProviderMessage } from '../../kit/base/index.ts';
import { adviceOf, availableOf, budgetConfig, budgetWarnings, isNear, ratioOf } from './budget.ts';
import type { BudgetAdvice, BudgetConfig } from './budget.ts';
import type { TokenEvent, TokenWarning } from './events.ts';
import { countTokens } from './token-counter.ts';
import type { TokenSources } from './token-counter.ts';
import { totalOf } from './usage.ts';
import type { AnyUsage } from './usage.ts';

/** The options of a {@link TokenBudgetManager}, besides its budget. */
export interface TokenBudgetManagerOptions {
  /** The context window of the model in tokens: the default of `maxTokens` (TOK-20). */
  readonly window?: number;
  /** The sources of token counts. */
  readonly sources?: TokenSources;
  /** Receives usage and warnings after each response. */
  readonly onEvent?: (event: TokenEvent) => void;
}

/**
 * Counts the tokens of one conversation.
 *
 * @example
 * const manager = new TokenBudgetManager({ maxTokens: 1000, reserveTokens: 100, warningThreshold: 0.8 });
 * manager.recordUsage({ inputTokens: 700, outputTokens: 110 });
 * manager.available; // 90
 * manager.canFit(90); // true
 * manager.advice; // { summarize: true, prune: true, maxRequestSize: 90 }
 * manager.warnings; // [{ code: 'near-limit', percent: 81 }]
 */
export class TokenBudgetManager {
  #config: BudgetConfig;
  #used = 0;
  readonly #sources: TokenSources;
  readonly #onEvent: ((event: TokenEvent) => void) | undefined;

  constructor(config: Partial<BudgetConfig> = {}, options: TokenBudgetManagerOptions = {}) {
    this.#config = budgetConfig(config, options.window);
    this.#sources = options.sources ?? {};
    this.#onEvent = options.onEvent;
  }

  /** The current budget. */
  get config(): BudgetConfig {
    return this.#config;
  }

  /** Tokens used since the last reset (TOK-17). */
  get used(): number {
    return this.#used;
  }

  /** The tokens that are left for a request (TOK-15). */
  get available(): number {
    return availableOf(this.#config, this.#used);
  }

  /** The share of the budget that is used, from 0; over 1 when the budget is exceeded (TOK-18). */
  get ratio(): number {
    return ratioOf(this.#config, this.#used);
  }

  /** Whether the ratio is at least the threshold (TOK-19). */
  get isNearLimit(): boolean {
    return isNear(this.#config, this.#used);
  }

  /** The advice of the budget (TOK-21, TOK-22). */
  get advice(): BudgetAdvice {
    return adviceOf(this.#config, this.#used);
  }

  /** The warnings that apply now (TOK-23). */
  get warnings(): readonly TokenWarning[] {
    return budgetWarnings(this.#config, this.#used);
  }

  /** Whether a request with this number of tokens fits (TOK-16). */
  canFit(tokens: number): boolean {
    return tokens <= this.available;
  }

  /** Adds the tokens of a response; a response without usage changes nothing (TOK-17). */
  recordUsage(usage: AnyUsage | undefined): void {
    if (usage === undefined) return;
    this.#used += totalOf(usage);
    this.#onEvent?.({ type: 'usage', used: this.#used, available: this.available, ratio: this.ratio });
    for (const warning of this.warnings) this.#onEvent?.({ type: 'warning', ...warning });
  }

  /** Sets the tokens used to 0 (TOK-26). */
  reset(): void {
    this.#used = 0;
  }

  /** Changes the given fields of the budget (TOK-26). */
  updateConfig(config: Partial<BudgetConfig>): void {
    this.#config = { ...this.#config, ...config };
  }

  /** The plan's count of a conversation: see {@link countTokens}. */
  async calculateContextSize(messages: readonly ProviderMessage[]): Promise<number> {
    return (await countTokens(messages, this.#sources)).tokens;
  }

  /** The plan's budget for a context of this size: max(0, max − reserve − context). */
  getAvailableBudget(maxTokens: number, contextSize: number): number {
    return availableOf({ ...this.#config, maxTokens }, contextSize);
  }

  /** Whether to prune a context of this size, by the advice of TOK-22. The name is the plan's. */
  shouldPruneContext(contextSize: number, maxTokens: number): boolean {
    return adviceOf({ ...this.#config, maxTokens }, contextSize).prune;
  }
}
