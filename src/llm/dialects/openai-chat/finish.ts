/** The finish reasons of Chat Completions and the neutral stop reasons, both ways. */
import type { StopReason } from '../../../kit/base/index.ts';
import type { GenerationEnd } from '../../messages.ts';

/**
 * The finish reason of each stop reason. A paused turn and a refusal have no word. A full context has the word of the
 * limit.
 */
const words: { readonly [R in StopReason]: string } = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  refusal: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  context_window: 'length',
  content_filter: 'content_filter',
  // Words of vLLM; the API has no such words.
  cancelled: 'abort',
  error: 'error',
  unknown: 'unknown',
};

/** The stop reason of each finish reason; `function_call` is the old name of `tool_calls`. */
const reasons: ReadonlyMap<string, StopReason> = new Map([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
  ['content_filter', 'content_filter'],
  ['abort', 'cancelled'],
  // A word of Mistral.
  ['model_length', 'context_window'],
  ['error', 'error'],
]);

/** The stop reason of a finish reason; `unknown` for a word that the API does not have. */
export const reasonOf = (word: string): StopReason => reasons.get(word) ?? 'unknown';

/** The finish reasons to send, in their order; empty for a missing signal. */
export function finishReasons({ stop, signal }: GenerationEnd): readonly string[] {
  switch (signal) {
    case 'honest':
      return [words[stop]];
    case 'lying':
      return ['tool_calls'];
    case 'missing':
      return [];
    case 'contradictory':
      return [words[stop], stop === 'tool_use' ? 'stop' : 'tool_calls'];
  }
}
