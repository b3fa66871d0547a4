/** What token management tells the application: warnings, pruning, and usage (the plan's "User Feedback"). */
import type { StopReason } from '../../kit/base/index.ts';

/** What a warning can be of. */
export type TokenWarning =
  /** The output limit was hit (TOK-10). */
  | { readonly code: 'exhausted' }
  /** Calls were taken out of a response, in their order (TOK-10). */
  | { readonly code: 'dropped'; readonly ids: readonly string[] }
  /** The budget is used beyond its threshold, to this percentage (TOK-23). */
  | { readonly code: 'near-limit'; readonly percent: number }
  /** The budget is near its limit and has fewer than 50 tokens left (TOK-23). */
  | { readonly code: 'scarce' }
  /** A request does not fit, and was not sent (TOK-24). */
  | { readonly code: 'budget' }
  /** A provider's stop reason that nobody knows (TOK-40). */
  | { readonly code: 'unknown-stop-reason'; readonly word?: string };

/** An event for the application. */
export type TokenEvent =
  | ({ readonly type: 'warning' } & TokenWarning)
  /** A conversation was made smaller; tokens as estimated. */
  | {
      readonly type: 'pruned';
      readonly by: 'prune' | 'compact';
      readonly before: number;
      readonly after: number;
    }
  /** Tokens used so far, and what is left. */
  | { readonly type: 'usage'; readonly used: number; readonly available: number; readonly ratio: number }
  /** Usage rose over a breakpoint, a share of the window (TOK-32). */
  | { readonly type: 'breakpoint'; readonly at: number; readonly ratio: number }
  /** A turn ended. */
  | { readonly type: 'stopped'; readonly reason: StopReason | 'budget' | 'overflow' | 'failed' };
