/** A token budget, as pure functions of its configuration and of the tokens used (TOK-15 to TOK-23). */
import type { TokenWarning } from './events.ts';

/** The configuration of a budget. */
export interface BudgetConfig {
  /** All tokens of the budget. A budget of 0 is used up: its ratio is 1 (TOK-18). */
  readonly maxTokens: number;
  /** Tokens reserved for the response. */
  readonly reserveTokens: number;
  /** The limit is near from this share of `maxTokens`, 0 to 1 (TOK-19). */
  readonly warningThreshold: number;
}

/** The advice of a budget (TOK-21, TOK-22). */
export interface BudgetAdvice {
  readonly summarize: boolean;
  readonly prune: boolean;
  /** The largest request to send, in tokens. */
  readonly maxRequestSize: number;
}

/** The assumed size of an unknown context window, in tokens (TOK-31). */
export const UNKNOWN_WINDOW = 200_000;

/** With fewer tokens left than this, the warning is `scarce` (TOK-23). */
const scarceBelow = 50;

/**
 * Adds the defaults: the context window, a reserve of min(2000, 5 %) rounded down, and a threshold of 0.8 (TOK-20).
 *
 * @param window the model's context window in tokens, when known
 * @example
 * budgetConfig({ maxTokens: 10000 }); // { maxTokens: 10000, reserveTokens: 500, warningThreshold: 0.8 }
 */
export function budgetConfig(
  config: Partial<BudgetConfig> = {},
  window: number = UNKNOWN_WINDOW,
): BudgetConfig {
  const { maxTokens = window, warningThreshold = 0.8 } = config;
  const { reserveTokens = Math.min(2000, Math.floor(maxTokens * 0.05)) } = config;
  return { maxTokens, reserveTokens, warningThreshold };
}

/** The tokens that are left for a request: max(0, max − reserve − used) (TOK-15). */
export const availableOf = ({ maxTokens, reserveTokens }: BudgetConfig, used: number): number =>
  Math.max(0, maxTokens - reserveTokens - used);

/** The share of the budget that is used; a budget of 0 is used up, so its share is 1 (TOK-18). */
export const ratioOf = ({ maxTokens }: BudgetConfig, used: number): number =>
  maxTokens > 0 ? used / maxTokens : 1;

/** Whether the limit is near: the ratio is at least the threshold (TOK-19). */
export const isNear = (config: BudgetConfig, used: number): boolean =>
  ratioOf(config, used) >= config.warningThreshold;

/** The advice: nothing below the threshold (TOK-21), from there by the ratio (TOK-22). */
export function adviceOf(config: BudgetConfig, used: number): BudgetAdvice {
  const available = availableOf(config, used);
  if (!isNear(config, used)) return { summarize: false, prune: false, maxRequestSize: available };
  const ratio = ratioOf(config, used);
  const maxRequestSize = Math.min(available, Math.floor(config.maxTokens / 10));
  return { summarize: ratio > 0.7, prune: ratio > 0.8, maxRequestSize };
}

/** The warnings: `near-limit` with the rounded percentage, or `scarce` instead, or nothing (TOK-23). */
export function budgetWarnings(config: BudgetConfig, used: number): readonly TokenWarning[] {
  if (!isNear(config, used)) return [];
  if (availableOf(config, used) < scarceBelow) return [{ code: 'scarce' }];
  return [{ code: 'near-limit', percent: Math.round(ratioOf(config, used) * 100) }];
}
