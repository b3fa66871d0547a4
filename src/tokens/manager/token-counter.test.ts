/** The order in which counts are believed. */
import { describe, expect, it } from 'vitest';
import type { ProviderMessage } from '../../kit/base/index.ts';
import { countTokens } from './token-counter.ts';
import type { TokenCounter } from './token-counter.ts';

const messages: readonly ProviderMessage[] = [
  { role: 'user', content: 'Hello' },
  { role: 'assistant', content: 'Hello!' },
  { role: 'user', content: 'Well?' },
];
const counter = (tokens: number | undefined): TokenCounter => ({ countTokens: async () => tokens });
const last = { messages: 1, usage: { inputTokens: 100, outputTokens: 20 } };

describe('tokens', () => {
  it('are those that the provider counts', async () => {
    expect(await countTokens(messages, { counter: counter(33), last })).toEqual({
      tokens: 33,
      by: 'provider',
    });
  });

  it.each([undefined, Number.NaN, -1])('are not those of a provider that says %s', async (said) => {
    const { by } = await countTokens(messages, { counter: counter(said) });
    expect(by).toBe('estimate');
  });

  it('are not those of a provider that cannot be reached', async () => {
    const broken: TokenCounter = { countTokens: () => Promise.reject(new Error('unreachable')) };
    expect(await countTokens(messages, { counter: broken })).toEqual({ tokens: 36, by: 'estimate' });
  });

  it("are else Ollama's of the last response, and an estimate of what came since", async () => {
    expect(await countTokens(messages, { last })).toEqual({ tokens: 100 + 20 + 12, by: 'last-response' });
  });

  it('are else estimated: nothing was counted, or the conversation is another by now', async () => {
    expect(await countTokens(messages)).toEqual({ tokens: 36, by: 'estimate' });
    const longer = { ...last, messages: 7 };
    expect((await countTokens(messages, { last: longer })).by).toBe('estimate');
    const uncounted = { ...last, usage: { inputTokens: 0, outputTokens: 0 } };
    expect((await countTokens(messages, { last: uncounted })).by).toBe('estimate');
  });
});
