/** The limits of a run. What a model writes, and what a provider answers, comes from outside: none of it is unbounded. */

/** Limits of an executor, each with a default. */
export interface ExecutorLimits {
  /** The most iterations of a run. Default: {@link maxIterations}. */
  readonly maxIterations?: number;
  /** The most further attempts of an action, whatever its `retry` says. Default: {@link mostRetries}. */
  readonly mostRetries?: number;
  /**
   * The most characters of an output, of the parameters of an action with the values of their references, and of the values
   * in one response. Default: {@link mostValue}.
   */
  readonly mostValue?: number;
  /** The most characters that references put into the texts of a run. Default: {@link mostSubstituted}. */
  readonly mostSubstituted?: number;
  /** The longest time of a fetch of a feed (s). Default: {@link feedTimeout}. */
  readonly feedTimeout?: number;
  /** The longest time of a rollback that has no `timeout` (s). Default: {@link rollbackTimeout}. */
  readonly rollbackTimeout?: number;
  /** The most parts of an attempt; together they have at most `mostValue` characters. Default: {@link mostParts}. */
  readonly mostParts?: number;
}

/** The most iterations of a run, by default. */
export const maxIterations = 10;

/** The most further attempts of an action, by default. */
export const mostRetries = 100;

/** The most characters of a value, by default. */
export const mostValue: number = 16 * 1024 * 1024;

/** The most characters that references put into the texts of a run, by default. */
export const mostSubstituted: number = 64 * 1024 * 1024;

/** The longest time of a fetch of a feed, by default (s). */
export const feedTimeout = 30;

/** The longest time of a rollback, by default (s). */
export const rollbackTimeout = 30;

/** The most parts of an attempt, by default. */
export const mostParts = 10_000;

/** The limits with their defaults. */
export const limitsOf = (limits: ExecutorLimits): Required<ExecutorLimits> => ({
  maxIterations: limits.maxIterations ?? maxIterations,
  mostRetries: limits.mostRetries ?? mostRetries,
  mostValue: limits.mostValue ?? mostValue,
  mostSubstituted: limits.mostSubstituted ?? mostSubstituted,
  feedTimeout: limits.feedTimeout ?? feedTimeout,
  rollbackTimeout: limits.rollbackTimeout ?? rollbackTimeout,
  mostParts: limits.mostParts ?? mostParts,
});
