/** The plan's fallback strategies, as policies. */
import { describe, expect, it } from 'vitest';
import { askUser, deferTools, firstOf, switchModel } from './fallback.ts';
import type { FallbackSituation } from './fallback.ts';

const calm: FallbackSituation = {
  model: { name: 'small', window: 8000 },
  needed: 1000,
  available: 7000,
  advice: { summarize: false, prune: false, maxRequestSize: 7000 },
  pendingCalls: ['a', 'b', 'c'].map((id) => ({ id, name: 'read', input: {} })),
};
const advised: FallbackSituation = { ...calm, advice: { summarize: true, prune: true, maxRequestSize: 800 } };
const tooLong: FallbackSituation = { ...calm, needed: 7001 };
const models = [
  { name: 'huge', window: 1_000_000 },
  { name: 'medium', window: 32_000 },
  { name: 'tiny', window: 2000 },
];

describe('switching the model', () => {
  it('takes the smallest larger one that has room', () => {
    expect(switchModel(models)(tooLong)).toEqual({ do: 'switch_model', model: models[1] });
    expect(switchModel(models)({ ...tooLong, needed: 31_001 })).toEqual({
      do: 'switch_model',
      model: models[0],
    });
    expect(switchModel(models)({ ...tooLong, needed: 31_000 })).toEqual({
      do: 'switch_model',
      model: models[1],
    });
  });

  it('has nothing to say while there is room, or when no model has any', () => {
    expect(switchModel(models)(calm)).toBeUndefined();
    expect(switchModel(models)({ ...tooLong, needed: 2_000_000 })).toBeUndefined();
    expect(switchModel([])(tooLong)).toBeUndefined();
  });
});

describe('deferring tool calls', () => {
  it('runs the first near the limit, and puts the others off, in their order', () => {
    const [a, b, c] = calm.pendingCalls;
    expect(deferTools()(advised)).toEqual({ do: 'defer_tools', now: [a], later: [b, c] });
    expect(deferTools(2)(tooLong)).toEqual({ do: 'defer_tools', now: [a, b], later: [c] });
    expect(deferTools(0)(advised)).toEqual({ do: 'defer_tools', now: [a], later: [b, c] });
  });

  it('has nothing to say while there is room, or when few calls are pending', () => {
    expect(deferTools()(calm)).toBeUndefined();
    expect(deferTools(3)(advised)).toBeUndefined();
  });
});

describe('asking the user', () => {
  it('offers choices near the limit, and only there', () => {
    expect(askUser()(advised)).toEqual({ do: 'ask_user', choices: ['compact', 'stop'] });
    expect(askUser(['switch_model'])(tooLong)).toEqual({ do: 'ask_user', choices: ['switch_model'] });
    expect(askUser()(calm)).toBeUndefined();
  });
});

describe('several policies', () => {
  it('are asked in their order, until one has something to say', () => {
    const policy = firstOf(switchModel([]), deferTools(), askUser());
    expect(policy(advised)?.do).toBe('defer_tools');
    expect(policy({ ...advised, pendingCalls: [] })?.do).toBe('ask_user');
    expect(policy(calm)).toBeUndefined();
    expect(firstOf()(advised)).toBeUndefined();
  });
});
