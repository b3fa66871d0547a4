/** Usages in their namings, and of each provider. */
import { describe, expect, it } from 'vitest';
import { anthropicUsage, lmstudioUsage, normalUsage, ollamaUsage, promptOf, totalOf } from './usage.ts';

describe('the total of a usage (TOK-17)', () => {
  it.each([
    [{ inputTokens: 10, outputTokens: 5 }, 15],
    [{ promptTokens: 10, completionTokens: 5, totalTokens: 20 }, 20],
    [{ promptTokens: 10, completionTokens: 5, totalTokens: 0 }, 15],
    [{ promptTokens: 10, completionTokens: 5, totalTokens: -3 }, 15],
    [{ promptTokens: 10, completionTokens: 5 }, 15],
    [{ promptTokens: -10, completionTokens: 5 }, 5],
    [{ inputTokens: Number.NaN, outputTokens: Infinity }, 0],
    [{}, 0],
  ])('of %j is %i', (usage, total) => {
    expect(totalOf(usage)).toBe(total);
  });
});

describe('a usage', () => {
  it("goes on in the plan's names", () => {
    expect(normalUsage({ promptTokens: 3, completionTokens: 4, totalTokens: 7 })).toEqual({
      inputTokens: 3,
      outputTokens: 4,
    });
  });

  it('of Anthropic counts the cache apart, and the whole prompt is all three', () => {
    expect(
      anthropicUsage({
        input_tokens: 10,
        output_tokens: 3,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 1000,
        service_tier: 'standard',
      }),
    ).toEqual({ inputTokens: 10, outputTokens: 3, cacheReadTokens: 1000, cacheWriteTokens: 100 });
    const cached = { inputTokens: 10, outputTokens: 3, cacheReadTokens: 1000, cacheWriteTokens: 100 };
    expect(promptOf(cached)).toBe(1110);
    expect(totalOf(cached)).toBe(1113);
    expect(anthropicUsage({ input_tokens: 10, cache_read_input_tokens: null })).toEqual({
      inputTokens: 10,
      outputTokens: 0,
    });
  });

  it('of Ollama is prompt_eval_count and eval_count, of which a zero is left out (TOK-41)', () => {
    const last = { done: true, done_reason: 'stop', prompt_eval_count: 26, eval_count: 8 };
    expect(ollamaUsage(last)).toEqual({ inputTokens: 26, outputTokens: 8 });
    expect(ollamaUsage({ done: true, eval_count: 8 })).toEqual({ inputTokens: 0, outputTokens: 8 });
  });

  it('of LM Studio is that of its stats (TOK-42)', () => {
    const stats = { promptTokensCount: 5, predictedTokensCount: 7, totalTokensCount: 12 };
    expect(lmstudioUsage(stats)).toEqual({ inputTokens: 5, outputTokens: 7 });
  });

  it.each([undefined, null, {}, [], 'x', { input_tokens: '3', eval_count: '3', promptTokensCount: '3' }])(
    'is not there when no count is: %j',
    (from) => {
      expect([anthropicUsage(from), ollamaUsage(from), lmstudioUsage(from)]).toEqual([
        undefined,
        undefined,
        undefined,
      ]);
    },
  );
});
