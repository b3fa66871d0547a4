/** The stop reasons of each provider, and their meaning here (TOK-40 to TOK-42). */
import { stopReasons } from '../../kit/base/index.ts';
import type { StopReason } from '../../kit/base/index.ts';
import type { TokenWarning } from './events.ts';

/** A stop reason, and a warning when the word is unknown. */
export interface ReadStopReason {
  readonly stopReason: StopReason;
  readonly warning?: TokenWarning;
}

type Words = ReadonlyMap<string, StopReason>;

const wordsOf = (words: { readonly [word: string]: StopReason }): Words => new Map(Object.entries(words));

/** Published spellings, and Anthropic's own word for the window (TOK-40). */
const spellings = wordsOf({
  max_output_tokens: 'max_tokens',
  model_context_window_exceeded: 'context_window',
  context_window_exceeded: 'context_window',
});

const unchanged = (reasons: readonly StopReason[]): Words =>
  new Map(reasons.map((reason) => [reason, reason]));
const allWords: Words = new Map([...unchanged(stopReasons), ...spellings]);
const anthropicWords: Words = new Map([
  ...unchanged(['end_turn', 'max_tokens', 'stop_sequence', 'tool_use', 'pause_turn', 'refusal']),
  ...spellings,
]);

/** `load` and `unload` answer a request without a prompt: the answer is empty, but correct. */
const ollamaWords = wordsOf({ stop: 'end_turn', length: 'max_tokens', load: 'end_turn', unload: 'end_turn' });

const lmstudioWords = wordsOf({
  userStopped: 'cancelled',
  modelUnloaded: 'error',
  failed: 'error',
  eosFound: 'end_turn',
  stopStringFound: 'stop_sequence',
  toolCalls: 'tool_use',
  maxPredictedTokensReached: 'max_tokens',
  contextLengthReached: 'context_window',
});

function read(words: Words, word: string | undefined): ReadStopReason {
  const stopReason = word === undefined ? undefined : words.get(word);
  if (stopReason !== undefined) return { stopReason };
  const warning: TokenWarning = { code: 'unknown-stop-reason', ...(word === undefined ? {} : { word }) };
  return { stopReason: 'unknown', warning };
}

/**
 * Reads a word of the closed set, or a published spelling of one (TOK-40).
 *
 * @example
 * readStopReason('max_output_tokens'); // { stopReason: 'max_tokens' }
 * readStopReason('tired').stopReason; // 'unknown'
 */
export const readStopReason = (word: string | undefined): ReadStopReason => read(allWords, word);

/** Reads Anthropic's `stop_reason` (TOK-40). */
export const anthropicStopReason = (word: string | undefined): ReadStopReason => read(anthropicWords, word);

/**
 * Reads Ollama's `done_reason` (TOK-41). Ollama has no word for tools: a `stop` with calls is `tool_use`.
 *
 * @param hasCalls whether the response has tool calls
 */
export function ollamaStopReason(word: string | undefined, hasCalls = false): ReadStopReason {
  const known = read(ollamaWords, word);
  return known.stopReason === 'end_turn' && hasCalls ? { stopReason: 'tool_use' } : known;
}

/** Reads LM Studio's `stats.stopReason` (TOK-42). */
export const lmstudioStopReason = (word: string | undefined): ReadStopReason => read(lmstudioWords, word);
