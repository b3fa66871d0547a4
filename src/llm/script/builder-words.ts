/** What the builder of scripts takes beside names and texts: the options of a text, counts, errors. */
import type { Citation } from '../messages.ts';
import type { Fill } from './script.ts';

/** The options of a text. */
export interface TextWords {
  /** Repeats the fill's own text after it. */
  readonly fill?: Fill;
  /** The sources of the text: Anthropic, OpenAI Chat and OpenAI Responses. */
  readonly citations?: readonly Citation[];
  /** Sends made-up log probabilities of each piece, with 0 to 20 alternatives: OpenAI and Ollama. */
  readonly logprobs?: number;
}

/** Counts to send instead of the real ones. */
export interface UsageWords {
  readonly input?: number;
  readonly output?: number;
  readonly cacheRead?: number;
  readonly cacheWrite?: number;
  readonly thinking?: number;
}

/** An error as scripts write it. As the first step of a turn it needs a `status`. */
export interface ErrorWords {
  readonly type: string;
  readonly message: string;
  readonly status?: number;
  /** A time in words, such as `2s`. */
  readonly retryAfter?: string;
  readonly shouldRetry?: boolean;
}
