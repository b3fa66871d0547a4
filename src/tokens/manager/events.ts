/** What token management tells the application: warnings, usage and breakpoints (the plan's "User Feedback"). */

/** A warning. */
export type TokenWarning =
  /** The response reached the output limit (TOK-10). */
  | { readonly code: 'exhausted' }
  /** Calls were removed from a response; their ids, in their order (TOK-10). */
  | { readonly code: 'dropped'; readonly ids: readonly string[] }
  /** The used share of the budget has reached the threshold; it is this percentage (TOK-23). */
  | { readonly code: 'near-limit'; readonly percent: number }
  /** The limit is near, and fewer than 50 tokens are left (TOK-23). */
  | { readonly code: 'scarce' }
  /** The response that streams has reached the threshold of its limit; it is this percentage, as estimated. */
  | { readonly code: 'near-output-limit'; readonly percent: number }
  /** A request does not fit the budget, and was not sent (TOK-24). */
  | { readonly code: 'budget' }
  /** The provider's stop reason is unknown (TOK-40). */
  | { readonly code: 'unknown-stop-reason'; readonly word?: string };

/** An event for the application. */
export type TokenEvent =
  | ({ readonly type: 'warning' } & TokenWarning)
  /** The tokens used so far, and the tokens left. */
  | { readonly type: 'usage'; readonly used: number; readonly available: number; readonly ratio: number }
  /** The ratio has reached the breakpoint `at`, a share of the window (TOK-32). */
  | { readonly type: 'breakpoint'; readonly at: number; readonly ratio: number };
