/** The account of a conversation, with the numbers of the requirements. */
import { describe, expect, it } from 'vitest';
import type { TokenEvent } from './events.ts';
import { TokenBudgetManager } from './token-budget-manager.ts';

const config = { maxTokens: 10_000, reserveTokens: 1000, warningThreshold: 0.8 };
const spent = (inputTokens: number, more: Partial<typeof config> = {}): TokenBudgetManager => {
  const manager = new TokenBudgetManager({ ...config, ...more });
  manager.recordUsage({ inputTokens, outputTokens: 0 });
  return manager;
};

describe('a budget', () => {
  it('has max - reserve - used available, and never less than nothing (TOK-15)', () => {
    expect(spent(0).available).toBe(9000);
    expect(spent(8999).available).toBe(1);
    expect(spent(20_000).available).toBe(0);
  });

  it('fits what is not above it (TOK-16)', () => {
    expect([8999, 9000, 9001].map((tokens) => spent(0).canFit(tokens))).toEqual([true, true, false]);
  });

  it('sums totals, and lets a response without usage pass (TOK-17)', () => {
    const manager = spent(100);
    manager.recordUsage({ promptTokens: 10, completionTokens: 5, totalTokens: 20 });
    manager.recordUsage(undefined);
    expect(manager.used).toBe(120);
  });

  it('has a ratio of used to max, and of 1 where max is 0 (TOK-18)', () => {
    expect(spent(2500).ratio).toBe(0.25);
    expect([0, 3].map((used) => spent(used, { maxTokens: 0 }).ratio)).toEqual([1, 1]);
    expect(spent(0, { maxTokens: 0 }).advice).toEqual({ summarize: true, prune: true, maxRequestSize: 0 });
  });

  it('is near its limit from the threshold on (TOK-19)', () => {
    expect([7999, 8000].map((used) => spent(used).isNearLimit)).toEqual([false, true]);
  });

  it('has defaults: the window, min(2000, 5 %), 0.8 (TOK-20)', () => {
    expect(new TokenBudgetManager({}, { window: 8000 }).config).toEqual({
      maxTokens: 8000,
      reserveTokens: 400,
      warningThreshold: 0.8,
    });
    expect(new TokenBudgetManager().config).toEqual({
      maxTokens: 200_000,
      reserveTokens: 2000,
      warningThreshold: 0.8,
    });
  });

  it('takes the 500 that the plan suggests to reserve', () => {
    expect(new TokenBudgetManager({ maxTokens: 8000, reserveTokens: 500 }).available).toBe(7500);
  });
});

describe('the advice of a budget', () => {
  it('is none below the threshold (TOK-21)', () => {
    expect(spent(7999).advice).toEqual({ summarize: false, prune: false, maxRequestSize: 1001 });
  });

  it('is to summarize above 0.7 and to prune above 0.8, which 0.8 is not (TOK-22)', () => {
    expect(spent(8000).advice).toEqual({ summarize: true, prune: false, maxRequestSize: 1000 });
    expect(spent(8001).advice).toEqual({ summarize: true, prune: true, maxRequestSize: 999 });
  });

  it('follows the ratio, when the threshold is low (TOK-22)', () => {
    const low = { warningThreshold: 0.5, reserveTokens: 0 };
    expect(spent(7000, low).advice).toEqual({ summarize: false, prune: false, maxRequestSize: 1000 });
    expect(spent(7001, low).advice).toEqual({ summarize: true, prune: false, maxRequestSize: 1000 });
  });

  it('rounds a tenth of max down (TOK-22)', () => {
    const odd = { maxTokens: 1019, reserveTokens: 0, warningThreshold: 0.5 };
    expect(spent(600, odd).advice.maxRequestSize).toBe(101);
  });
});

describe('the warnings of a budget (TOK-23)', () => {
  it('are none when it is not near', () => {
    expect(spent(7999).warnings).toEqual([]);
    expect(spent(0, { maxTokens: 40, reserveTokens: 0 }).warnings).toEqual([]);
  });

  it('are near-limit with the rounded percentage', () => {
    expect(spent(8049).warnings).toEqual([{ code: 'near-limit', percent: 80 }]);
    expect(spent(8051).warnings).toEqual([{ code: 'near-limit', percent: 81 }]);
  });

  it('are scarce instead with fewer than 50 available', () => {
    expect(spent(8950).warnings).toEqual([{ code: 'near-limit', percent: 90 }]);
    expect(spent(8951).warnings).toEqual([{ code: 'scarce' }]);
  });

  it('are told, and usage with them', () => {
    const events: TokenEvent[] = [];
    const manager = new TokenBudgetManager(config, { onEvent: (event) => events.push(event) });
    manager.recordUsage({ inputTokens: 8000, outputTokens: 500 });
    expect(events).toEqual([
      { type: 'usage', used: 8500, available: 500, ratio: 0.85 },
      { type: 'warning', code: 'near-limit', percent: 85 },
    ]);
  });
});

describe('an account', () => {
  it('is zero after a reset, and keeps its configuration (TOK-26)', () => {
    const manager = spent(8500);
    manager.reset();
    expect([manager.used, manager.available, manager.isNearLimit]).toEqual([0, 9000, false]);
  });

  it('takes single fields of a configuration, and keeps the others and what was used (TOK-26)', () => {
    const manager = spent(500);
    manager.updateConfig({ maxTokens: 2000 });
    expect(manager.config).toEqual({ maxTokens: 2000, reserveTokens: 1000, warningThreshold: 0.8 });
    expect(manager.available).toBe(500);
  });

  it("answers the plan's questions of a context", async () => {
    const manager = new TokenBudgetManager(config);
    expect(await manager.calculateContextSize([{ role: 'user', content: 'Hello' }])).toBe(12);
    expect(manager.getAvailableBudget(5000, 1500)).toBe(2500);
    expect([4000, 4001].map((size) => manager.shouldPruneContext(size, 5000))).toEqual([false, true]);
  });
});
