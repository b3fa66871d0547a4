/** The limits of blocks, conditions, loops and templates. What a model writes is multiplied here: each product has an end. */

/** Limits of the blocks of a run, each with a default. */
export interface BlockLimits {
  /** The most rounds of a loop. Default: {@link mostRounds}. */
  readonly mostRounds?: number;
  /** The most actions of the loops of a run. Default: {@link mostExpanded}. */
  readonly mostExpanded?: number;
  /** The most parts (tags and texts) of all rounds of a run. Default: {@link mostRoundParts}. */
  readonly mostRoundParts?: number;
  /** The most characters of all rounds of a run. Default: {@link mostRoundCharacters}. */
  readonly mostRoundCharacters?: number;
  /** The most parts (tags and texts) of an output that wait for a block. Default: {@link mostWaiting}. */
  readonly mostWaiting?: number;
  /** The most characters of an output that wait for a block. Default: {@link mostWaitingCharacters}. */
  readonly mostWaitingCharacters?: number;
}

/** The most rounds of a loop, by default. */
export const mostRounds = 100;

/** The most actions of the loops of a run, by default. */
export const mostExpanded = 10_000;

/** The most parts of all rounds of a run, by default. */
export const mostRoundParts = 100_000;

/** The most characters of all rounds of a run, by default. */
export const mostRoundCharacters: number = 64 * 1024 * 1024;

/** The most parts of an output that wait for a block, by default. */
export const mostWaiting = 100_000;

/** The most characters of an output that wait for a block, by default. */
export const mostWaitingCharacters: number = 16 * 1024 * 1024;

/** The most templates of a run, by default. */
export const mostTemplates = 256;

/** The most blocks inside of each other. */
export const mostBlockLevels = 8;

/** The largest depth of a thought. */
export const mostThoughtDepth = 32;

/** The most characters of a condition. */
export const mostConditionCharacters = 1000;

/** The most levels of a condition, and of a list in JSON. */
export const mostConditionLevels = 32;

/** The limits of blocks with their defaults. */
export const blockLimitsOf = (limits: BlockLimits): Required<BlockLimits> => ({
  mostRounds: limits.mostRounds ?? mostRounds,
  mostExpanded: limits.mostExpanded ?? mostExpanded,
  mostRoundParts: limits.mostRoundParts ?? mostRoundParts,
  mostRoundCharacters: limits.mostRoundCharacters ?? mostRoundCharacters,
  mostWaiting: limits.mostWaiting ?? mostWaiting,
  mostWaitingCharacters: limits.mostWaitingCharacters ?? mostWaitingCharacters,
});
