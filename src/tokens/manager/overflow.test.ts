/** What is taken away from a conversation that does not fit, and in which order. */
import { describe, expect, it } from 'vitest';
import type { ProviderMessage } from '../../kit/base/index.ts';
import { estimateTokens } from './estimate.ts';
import { shrink, shrinkTo } from './overflow.ts';
import { eventsOf } from './thread.ts';
import { turnsOf } from './turns.ts';

const talk = (n: number, size = 2000): readonly ProviderMessage[] => [
  { role: 'user', content: `question ${n}` },
  { role: 'assistant', content: 'word '.repeat(size / 5) },
];
const turns = (count: number, size?: number): readonly ProviderMessage[] =>
  Array.from({ length: count }, (_, i) => talk(i + 1, size)).flat();
const hasSummary = (messages: readonly ProviderMessage[] | undefined): boolean =>
  eventsOf(messages ?? []).some(({ type }) => type === 'SUMMARY');

describe('a conversation that overflowed', () => {
  it('is summarized before its last turn', () => {
    const smaller = shrink(turns(6));
    expect(hasSummary(smaller)).toBe(true);
    expect(turnsOf(smaller ?? []).turns.at(-1)).toEqual(talk(6));
  });

  it('is truncated when the summarizer fails (TOK-46), or a summary would be no shorter', () => {
    const summarize = (): never => {
      throw new Error('no model');
    };
    for (const smaller of [shrink(turns(6), { summarize }), shrink(turns(4, 20))]) {
      expect(smaller).toBeDefined();
      expect(hasSummary(smaller)).toBe(false);
    }
  });

  it('loses half of its long texts when it has one turn alone', () => {
    const smaller = shrink([{ role: 'user', content: 'x'.repeat(4000) }]);
    expect(smaller).toEqual([{ role: 'user', content: `${'x'.repeat(1999)}…` }]);
  });

  it('keeps its system message whole', () => {
    const system: ProviderMessage = { role: 'system', content: 'rule '.repeat(1000) };
    expect(shrink([system, { role: 'user', content: 'x'.repeat(4000) }])?.[0]).toEqual(system);
  });

  it('is given up when nothing can be taken away', () => {
    expect(shrink([{ role: 'user', content: 'Hi' }])).toBeUndefined();
    expect(shrink([])).toBeUndefined();
  });
});

describe('a conversation that must be within a limit', () => {
  it('is, or is given up; its last turn stays as it was', () => {
    const history = turns(6);
    const limit = estimateTokens(talk(6)) + 1000;
    const smaller = shrinkTo(history, limit) ?? [];
    expect(estimateTokens(smaller)).toBeLessThanOrEqual(limit);
    expect(smaller.slice(-2)).toEqual(talk(6));
    expect(shrinkTo(history, estimateTokens(talk(6)) - 1)).toBeUndefined();
  });
});
