/** Fold's gateways: the suite proves itself. */
import { describe, expect, it } from 'vitest';
import { selftest, simulate } from '../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import { readRequirements, readScenarios } from '../../../src/kit/spec/index.ts';
import { foldGatewaySuite } from './suite.ts';

const { requirements } = readRequirements('fold');
const scenarios = readScenarios('fold', 'fold/gateway');

/** A gateway that takes streams and says nothing. */
const silent: MakePeer = () => {
  const deaf = { headers() {}, message() {}, halfClose() {}, ended() {}, drained() {}, ping() {} };
  return { begin() {}, accept: () => deaf, command() {}, encode: () => new Uint8Array(), stop() {} };
};

describe('self-test of fold/gateway', () => {
  it(
    'finds nothing wrong: no false alarm, no survivor, nothing that fails beside',
    { timeout: 240_000 },
    () => {
      const result = selftest(foldGatewaySuite, { requirements, scenarios, seed: '1' });
      expect(result.failures).toEqual([]);
      expect(result.mutants.length).toBe(foldGatewaySuite.mutants.length);
      const rows = requirements.filter((row) => row.roles.includes('gateway') && row.level !== 'MAY');
      const killed = new Set(result.mutants.filter((mutant) => mutant.killed).map((mutant) => mutant.breaks));
      expect(rows.map((row) => row.id).filter((id) => !killed.has(id))).toEqual([]);
    },
  );

  it('finds nothing wrong with the reference in other runs', { timeout: 60_000 }, () => {
    for (const seed of ['2', '3', '4']) {
      const { failures } = selftest(foldGatewaySuite, {
        requirements,
        scenarios,
        seed,
        mutants: () => false,
      });
      expect(failures).toEqual([]);
    }
  });

  it('lets a target that says nothing pass nothing', { timeout: 60_000 }, () => {
    const exercised = new Set<string>();
    const violated = new Set<string>();
    for (const scenario of scenarios) {
      const { found } = simulate({ suite: foldGatewaySuite, scenario, target: silent, seed: '1' });
      for (const [id, { exercised: n, violations }] of found) {
        if (n > 0) exercised.add(id);
        if (violations.length > 0) violated.add(id);
      }
    }
    expect([...exercised].filter((id) => !violated.has(id))).toEqual([]);
    expect(violated).toContain('FOLD-G01');
  });
});
