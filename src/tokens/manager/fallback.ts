/** What to do when the context is nearly full: policies to choose from (the plan's "Fallback Strategies"). */
import type { ToolCall } from '../../kit/base/index.ts';
import type { BudgetAdvice } from './budget.ts';

/** A model that can be switched to. */
export interface ModelChoice {
  readonly name: string;
  /** Its context window, in tokens. */
  readonly window: number;
}

/** Where a conversation stands when a policy is asked. */
export interface FallbackSituation {
  readonly model: ModelChoice;
  /** Tokens of the next request, as counted or estimated. */
  readonly needed: number;
  /** Tokens that a request may have. */
  readonly available: number;
  readonly advice: BudgetAdvice;
  /** Calls that the model made and that have not run. */
  readonly pendingCalls: readonly ToolCall[];
}

/** What a policy decides; undefined when it has nothing to say. */
export type FallbackDecision =
  | { readonly do: 'switch_model'; readonly model: ModelChoice }
  /** Run the first calls now; answer the others that they are to be made again later. */
  | { readonly do: 'defer_tools'; readonly now: readonly ToolCall[]; readonly later: readonly ToolCall[] }
  /** Let the user choose between these. */
  | { readonly do: 'ask_user'; readonly choices: readonly FallbackChoice[] };

/** What the user may choose. */
export type FallbackChoice = 'compact' | 'switch_model' | 'stop';

/** A policy: a pure function of the situation. */
export type FallbackPolicy = (situation: FallbackSituation) => FallbackDecision | undefined;

const isTight = ({ needed, available, advice }: FallbackSituation): boolean =>
  advice.prune || needed > available;

/**
 * Switches to the smallest larger model that has room for the request, with the same reserve as now.
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
 * Near the limit, runs a few calls of a response and puts the others off, since each result takes room.
 *
 * @param atOnce calls that run, at least 1: a response of which none ran would come again
 */
export const deferTools =
  (atOnce = 1): FallbackPolicy =>
  (situation) => {
    const { pendingCalls } = situation;
    const count = Math.max(1, atOnce);
    if (!isTight(situation) || pendingCalls.length <= count) return undefined;
    return { do: 'defer_tools', now: pendingCalls.slice(0, count), later: pendingCalls.slice(count) };
  };

/** Asks the user what is to become of a context that is nearly full. */
export const askUser =
  (choices: readonly FallbackChoice[] = ['compact', 'stop']): FallbackPolicy =>
  (situation) =>
    isTight(situation) ? { do: 'ask_user', choices } : undefined;

/** The first policy that has something to say. */
export const firstOf =
  (...policies: readonly FallbackPolicy[]): FallbackPolicy =>
  (situation) => {
    for (const policy of policies) {
      const decision = policy(situation);
      if (decision !== undefined) return decision;
    }
    return undefined;
  };
