/** The parts of an answer that all dialects have: the meaning of its stop word, its counts, its calls. */

/** The meaning of a dialect's stop word. */
export type StopKind =
  /** The output limit was reached. */
  | 'limit'
  /** Tools are called. */
  | 'tool'
  /** The model had no more to say. */
  | 'end'
  /** Another reason, which may also be true at the limit. */
  | 'other'
  /** No word, or a word that the dialect does not have. */
  | 'unknown';

/** The usage of an answer. Values that are not numbers are kept as received. */
export interface Counts {
  readonly input?: unknown;
  /** Tokens of the prompt that `input` does not include, because they were read from or written to a cache: Anthropic. */
  readonly cached?: number;
  readonly output?: unknown;
  /** `total_tokens`, in OpenAI's dialects. */
  readonly total?: unknown;
  /** Tokens of thoughts that the output does not include: xAI. */
  readonly reasoning?: unknown;
}

/** A call: its arguments as JSON text, or as the free text of a custom tool. */
export interface AnswerCall {
  text: string;
  /** Whether it calls a custom tool. */
  custom: boolean;
  /** Whether the dialect said that it is complete. */
  complete: boolean;
}
