/** The providers' words, as their pages in the documentation have them, and the closed set. */
import { describe, expect, it } from 'vitest';
import { stopReasons } from '../../kit/base/index.ts';
import { anthropicStopReason, lmstudioStopReason, ollamaStopReason, readStopReason } from './stop-reasons.ts';

const unknown = (word: string): unknown => ({
  stopReason: 'unknown',
  warning: { code: 'unknown-stop-reason', word },
});

describe("Anthropic's stop reasons (TOK-40)", () => {
  it.each([
    ['end_turn', 'end_turn'],
    ['max_tokens', 'max_tokens'],
    ['stop_sequence', 'stop_sequence'],
    ['tool_use', 'tool_use'],
    ['pause_turn', 'pause_turn'],
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'context_window'],
    ['max_output_tokens', 'max_tokens'],
    ['context_window_exceeded', 'context_window'],
  ])('%s is %s', (word, stopReason) => {
    expect(anthropicStopReason(word)).toEqual({ stopReason });
  });

  it.each(['length', '', 'toString', '__proto__'])('%j is unknown, with a warning', (word) => {
    expect(anthropicStopReason(word)).toEqual(unknown(word));
  });

  it('are unknown when there is none', () => {
    expect(anthropicStopReason(undefined)).toEqual({
      stopReason: 'unknown',
      warning: { code: 'unknown-stop-reason' },
    });
  });
});

describe("Ollama's done_reason (TOK-41)", () => {
  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
  ])('%s is %s', (word, stopReason) => {
    expect(ollamaStopReason(word)).toEqual({ stopReason });
  });

  it('has no word for tools: a stop with calls is tool_use, the limit with calls the limit', () => {
    expect(ollamaStopReason('stop', true)).toEqual({ stopReason: 'tool_use' });
    expect(ollamaStopReason('length', true)).toEqual({ stopReason: 'max_tokens' });
  });
});

describe("LM Studio's stopReason (TOK-42)", () => {
  it.each([
    ['maxPredictedTokensReached', 'max_tokens'],
    ['contextLengthReached', 'context_window'],
    ['userStopped', 'cancelled'],
    ['eosFound', 'end_turn'],
    ['stopStringFound', 'stop_sequence'],
    ['toolCalls', 'tool_use'],
    ['modelUnloaded', 'error'],
    ['failed', 'error'],
  ])('%s is %s', (word, stopReason) => {
    expect(lmstudioStopReason(word)).toEqual({ stopReason });
  });
});

describe('the closed set', () => {
  it.each(stopReasons)('has %s', (word) => {
    expect(readStopReason(word)).toEqual({ stopReason: word });
  });

  it('has nothing else but other spellings', () => {
    expect(readStopReason('max_output_tokens')).toEqual({ stopReason: 'max_tokens' });
    expect(readStopReason('context_window_exceeded')).toEqual({ stopReason: 'context_window' });
    expect(readStopReason('tired')).toEqual(unknown('tired'));
  });
});
