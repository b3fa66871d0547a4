/** Policies for a context that is nearly full (the plan's "Fallback Strategies"). */
import type { ToolCall } from '../../kit/base/index.ts';
import type { BudgetAdvice } from './budget.ts';

/** A model to switch to. */
export interface ModelChoice {
  readonly name: string;
  /** Its context window, in tokens. */
  readonly window: number;
}

/** The situation of a conversation, for a policy. */
export interface FallbackSituation {
  readonly model: ModelChoice;
  /** The tokens of the next request, counted or estimated. */
  readonly needed: number;
  /** The tokens that are left for a request. */
  readonly available: number;
  readonly advice: BudgetAdvice;
  /** Calls of the model that have not run. */
  readonly pendingCalls: readonly ToolCall[];
}

/** The decision of a policy. */
export type FallbackDecision =
  | { readonly do: 'switch_model'; readonly model: ModelChoice }
  /** Run the calls in `now`; tell the model to make the calls in `later` again. */
  | { readonly do: 'defer_tools'; readonly now: readonly ToolCall[]; readonly later: readonly ToolCall[] }
  /** Let the user choose between these. */
  | { readonly do: 'ask_user'; readonly choices: readonly FallbackChoice[] };

/** A choice of the user. */
export type FallbackChoice = 'compact' | 'switch_model' | 'stop';

/** A policy: a pure function of the situation. It returns undefined when it does not apply. */
export type FallbackPolicy = (situation: FallbackSituation) => FallbackDecision | undefined;

const isTight = ({ needed, available, advice }: FallbackSituation): boolean =>
  advice.prune || needed > available;

/**
 * Switches to the smallest larger model whose window holds the request, with the same reserve as now.
 *
 * @example
 * const large = { name: 'large', window: 1_000_000 };
 * const situation = {
 *   model: { name: 'small', window: 8000 },
 *   needed: 9000,
 *   available: 7000,
 *   advice: { summarize: false, prune: false, maxRequestSize: 7000 },
 *   pendingCalls: [],
 * };
 * switchModel([large])(situation); // { do: 'switch_model', model: { name: 'large', window: 1_000_000 } }
 */
export const switchModel =
  (models: readonly ModelChoice[]): FallbackPolicy =>
  (situation) => {
    const { model, needed, available } = situation;
    const reserve = Math.max(0, model.window - available);
    const fits = models.filter(({ window }) => window > model.window && needed <= window - reserve);
    const [smallest] = fits.toSorted((a, b) => a.window - b.window);
    return isTight(situation) && smallest !== undefined ? { do: 'switch_model', model: smallest } : undefined;
  };

/**
 * Near the limit, runs a few calls of a response and defers the others, because each result takes tokens.
 *
 * @param atOnce the number of calls that run; at least 1, because the model would repeat a response without results
 */
export const deferTools =
  (atOnce = 1): FallbackPolicy =>
  (situation) => {
    const { pendingCalls } = situation;
    const count = Math.max(1, atOnce);
    if (!isTight(situation) || pendingCalls.length <= count) return undefined;
    return { do: 'defer_tools', now: pendingCalls.slice(0, count), later: pendingCalls.slice(count) };
  };

/** Asks the user what to do about a context that is nearly full. */
export const askUser =
  (choices: readonly FallbackChoice[] = ['compact', 'stop']): FallbackPolicy =>
  (situation) =>
    isTight(situation) ? { do: 'ask_user', choices } : undefined;

/** The decision of the first policy that applies. */
export const firstOf =
  (...policies: readonly FallbackPolicy[]): FallbackPolicy =>
  (situation) => {
    for (const policy of policies) {
      const decision = policy(situation);
      if (decision !== undefined) return decision;
    }
    return undefined;
  };
