/** The finish reasons of Chat Completions, and what each of the neutral reasons is in them. */
import type { StopReason } from '../../../kit/base/index.ts';
import type { GenerationEnd } from '../../messages.ts';

/** What a neutral reason is on the wire. A paused turn and a refusal have no word, a full context that of the limit. */
const words: { readonly [R in StopReason]: string } = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  refusal: 'stop',
  tool_use: 'tool_calls',
  max_tokens: 'length',
  context_window: 'length',
  content_filter: 'content_filter',
  // Words of vLLM; the API has none.
  cancelled: 'abort',
  error: 'error',
  unknown: 'unknown',
};

/** What a finish reason says; `function_call` is what `tool_calls` once was. */
const reasons: ReadonlyMap<string, StopReason> = new Map([
  ['stop', 'end_turn'],
  ['length', 'max_tokens'],
  ['tool_calls', 'tool_use'],
  ['function_call', 'tool_use'],
  ['content_filter', 'content_filter'],
  ['abort', 'cancelled'],
  ['error', 'error'],
]);

/** What a finish reason says; a word that the API does not have is `unknown`. */
export const reasonOf = (word: string): StopReason => reasons.get(word) ?? 'unknown';

/** The finish reasons that are sent, one after the other; a signal that is missing is none. */
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
