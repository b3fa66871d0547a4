/** Counters at a provider on real sockets, as the plan's `TokenBudgetManager` uses them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dialHttp } from '../../kit/transport/index.ts';
import { realClock } from '../../kit/world/index.ts';
import { dialects, script } from '../../llm/index.ts';
import type { DialectName } from '../../llm/index.ts';
import { serveScript } from '../../llm/edge/index.ts';
import { TokenBudgetManager } from '../../tokens/index.ts';
import type { TokenCounter } from '../../tokens/index.ts';
import { providerCounter } from './provider-counter.ts';

const messages = [{ role: 'user', content: 'word'.repeat(100) }] as const;
let server: Awaited<ReturnType<typeof serveScript>>;

beforeAll(async () => {
  server = await serveScript({ script: script().text('Hi.').build() });
});
afterAll(async () => await server.close());

const counter = (
  dialect: DialectName,
  baseUrl = `http://127.0.0.1:${server.port}`,
): TokenCounter | undefined =>
  providerCounter({
    llm: { baseUrl, dialect, model: 'm' },
    dial: dialHttp({ maxReceive: 1 << 20 }),
    clock: realClock(),
  });

describe('a counter', () => {
  // The simulated provider counts four UTF-16 units as a token.
  it.each(['anthropic', 'openai-responses'] as const)(
    'at %s has the count of the provider',
    async (dialect) => {
      expect(await counter(dialect)?.countTokens(messages)).toBe(100);
    },
  );

  it('at LM Studio counts the text of the template, too', async () => {
    const tokens = await counter('lmstudio')?.countTokens(messages);
    expect(tokens).toBeGreaterThan(100);
    expect(tokens).toBeLessThan(120);
  });

  it('gives the budget of a conversation its size', async () => {
    const found = counter('anthropic');
    const manager = new TokenBudgetManager({}, { sources: found === undefined ? {} : { counter: found } });
    expect(await manager.calculateContextSize(messages)).toBe(100);
  });

  it.each(['anthropic', 'openai-responses', 'lmstudio'] as const)(
    'at no provider of %s counts nothing, and the estimate holds',
    async (dialect) => {
      const found = counter(dialect, 'http://127.0.0.1:1');
      expect(await found?.countTokens(messages)).toBeUndefined();
      const manager = new TokenBudgetManager({}, { sources: found === undefined ? {} : { counter: found } });
      expect(await manager.calculateContextSize(messages)).toBe(110);
    },
  );

  it('is had for the dialects that can count', () => {
    expect(dialects.filter((dialect) => counter(dialect) !== undefined)).toEqual([
      'anthropic',
      'openai-responses',
      'lmstudio',
      'gemini',
    ]);
  });
});
