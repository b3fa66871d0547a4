/** The law of patience with a target that hangs at the start, in the middle and at the end of every scenario. */
import { describe, expect, it } from 'vitest';
import { Registry, scenariosOf } from '../src/kit/suite/index.ts';
import * as protocols from './index.ts';
import { hangPoints, impatience } from './patience.test-helper.ts';

const registry = new Registry(Object.values(protocols));

/** Scenarios of these suites take a request back before its answer is due. A target that hangs then owes nothing more. */
const withdrawing: ReadonlySet<string> = new Set(['client-cap-ends-first', 'client-turn-ends-first']);

describe.each(registry.suites)('%s', (id) => {
  it.each(hangPoints)(
    'no scenario gives up on a target that hangs at its %s',
    { timeout: 300_000 },
    async (point) => {
      const suite = await registry.loadSuite(id);
      const scenarios = scenariosOf(suite).filter(({ name }) => !withdrawing.has(name));
      expect(scenarios.flatMap((scenario) => impatience(suite, scenario, point) ?? [])).toEqual([]);
    },
  );
});
