/** Each provider's words for why a response ended, and what they mean here (TOK-40 to TOK-42). */
import { stopReasons } from '../../kit/base/index.ts';
import type { StopReason } from '../../kit/base/index.ts';
import type { TokenWarning } from './events.ts';

/** A stop reason, and a warning when the word was not known. */
export interface ReadStopReason {
  readonly stopReason: StopReason;
  readonly warning?: TokenWarning;
}

type Words = ReadonlyMap<string, StopReason>;

const own: Words = new Map(stopReasons.map((reason) => [reason, reason]));

/** The closed set, with its published spellings and Anthropic's own for the window (TOK-40). */
const words: Words = new Map<string, StopReason>([
  ...own,
  ['max_output_tokens', 'max_tokens'],
  ['model_context_window_exceeded', 'context_window'],
  ['context_window_exceeded', 'context_window'],
]);

const anthropicWords: Words = new Map<string, StopReason>([
  ['end_turn', 'end_turn'],
  ['max_tokens', 'max_tokens'],
  ['max_output_tokens', 'max_tokens'],
  ['stop_sequence', 'stop_sequence'],
  ['tool_use', 'tool_use'],
  ['pause_turn', 'pause_turn'],
  ['refusal', 'refusal'],
  ['model_context_window_exceeded', 'context_window'],
  ['context_window_exceeded', 'context_window'],
]);

/** `load` and `unload` answer a request without a prompt: nothing was said, and nothing is wrong. */
const ollamaWords: Words = new Map<string, StopReason>([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['load', 'end_turn'],
  ['unload', 'end_turn'],
]);

const lmstudioWords: Words = new Map<string, StopReason>([
  ['userStopped', 'cancelled'],
  ['modelUnloaded', 'error'],
  ['failed', 'error'],
  ['eosFound', 'end_turn'],
  ['stopStringFound', 'stop_sequence'],
  ['toolCalls', 'tool_use'],
  ['maxPredictedTokensReached', 'max_tokens'],
  ['contextLengthReached', 'context_window'],
]);

function read(known: Words, word: string | undefined): ReadStopReason {
  const stopReason = word === undefined ? undefined : known.get(word);
  if (stopReason !== undefined) return { stopReason };
  const warning: TokenWarning = { code: 'unknown-stop-reason', ...(word === undefined ? {} : { word }) };
  return { stopReason: 'unknown', warning };
}

/**
 * A word of the closed set or a published spelling of one (TOK-40).
 *
 * @example
 * readStopReason('max_output_tokens'); // { stopReason: 'max_tokens' }
 * readStopReason('tired').stopReason; // 'unknown'
 */
export const readStopReason = (word: string | undefined): ReadStopReason => read(words, word);

/** Anthropic's `stop_reason` (TOK-40). */
export const anthropicStopReason = (word: string | undefined): ReadStopReason => read(anthropicWords, word);

/**
 * Ollama's `done_reason` (TOK-41). It has no word for tools: a `stop` with calls is `tool_use`.
 *
 * @param hasCalls whether the response has tool calls
 */
export function ollamaStopReason(word: string | undefined, hasCalls = false): ReadStopReason {
  const known = read(ollamaWords, word);
  return known.stopReason === 'end_turn' && hasCalls ? { stopReason: 'tool_use' } : known;
}

/** LM Studio's `stats.stopReason` (TOK-42). */
export const lmstudioStopReason = (word: string | undefined): ReadStopReason => read(lmstudioWords, word);
