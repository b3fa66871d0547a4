/** Storms of gateways. `wireproof selftest llm/gateway --seeds N` plays more. */
import { expect, it } from 'vitest';
import { playStorm } from '../../../../src/kit/storm/index.ts';
import type { StormFailure } from '../../../../src/kit/storm/index.ts';
import { gatewayMutants } from '../mutants/index.ts';
import { gatewayStorm } from './storm.ts';
import type { MakeGateway } from './storm.ts';

const play = (
  make: MakeGateway | undefined,
  from: number,
  count: number,
  shrinks: number,
): readonly StormFailure[] =>
  playStorm(gatewayStorm(make), { from, count, onProgress: () => {} }, { shrinks }).failures;

const count = 12;

it(`no rule blames the reference in ${count} random sessions`, { timeout: 120_000 }, () => {
  const failures = play(undefined, 1, count, 0);
  expect(failures.map(({ seed, what }) => `${seed} ${what}`)).toEqual([]);
});

// spec/llm/mutants/gateway.yaml has the row of each mutant. The session of this seed shows its fault.
it.each([
  ['limit-as-stop', 2],
  ['error-as-end', 6],
])('finds the mutant %s, and shrinks its session to at most ten steps', { timeout: 120_000 }, (id, seed) => {
  const mutant = gatewayMutants().find((one) => one.id === id);
  const failure = play(mutant?.make, seed, 1, 3).find(({ broke }) => broke === mutant?.breaks);
  expect(failure?.steps?.length).toBeLessThanOrEqual(10);
});
