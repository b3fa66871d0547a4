/** The reference codec beyond the law of suites. */
import { describe, expect, it } from 'vitest';
import { simulate } from '../../../src/kit/suite/index.ts';
import { toonCodecSuite } from './suite.ts';

const scenarios = toonCodecSuite.scenarios?.() ?? [];

describe('the reference', () => {
  it('shows that it compresses', () => {
    const scenario = scenarios.find(({ name }) => name === 'hello');
    if (scenario === undefined) throw new Error('no scenario hello');
    const target = toonCodecSuite.reference();
    const { view, played } = simulate({ suite: toonCodecSuite, scenario, target, seed: '1' });
    expect(played.outcome).toBe('done');
    expect(view.memory.compresses).toBe(true);
    expect(view.hello?.answer).toMatchObject({ codes: true });
  });
});
