/** The storm against the reference agent, and against agents that are wrong in ways it must notice. */
import { describe, expect, it } from 'vitest';
import { playStorm } from '../../../../src/kit/storm/index.ts';
import type { StormOptions, StormReport } from '../../../../src/kit/storm/index.ts';
import { peerOf } from '../../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../../src/kit/suite/index.ts';
import { agent, agentCodec, serverCodec } from '../../../../src/fold/index.ts';
import type { AgentRole } from '../../../../src/fold/index.ts';
import { agentStorm } from './storm.ts';
import { foldAgentSuite } from '../suite.ts';

const run = (target: () => MakePeer, count: number, options: StormOptions = { shrinks: 0 }): StormReport =>
  playStorm(agentStorm(target), { from: 1, count, onProgress: () => {} }, options);

/** The kinds of failures. */
const broken = ({ failures }: StormReport): ReadonlySet<string> =>
  new Set(failures.map(({ broke }) => broke));

describe('the reference agent in 100 storms', () => {
  const report = run(foldAgentSuite.reference, 100, { repeatEvery: 10 });

  it('breaks no rule and no invariant', () => {
    expect(report.failures.map(({ seed, what }) => `${seed} ${what}`)).toEqual([]);
  });

  it('exercises all requirements of agents except a few', () => {
    const ids = foldAgentSuite.judging.rules.map((rule) => rule.requirement);
    const idle = ids.filter((id) => (report.exercised.get(id) ?? 0) === 0);
    // A22 is about messages of 1 MiB and more; A35 needs an approve_all and a gated tool after it.
    expect(idle.filter((id) => id !== 'FOLD-A22' && id !== 'FOLD-A35')).toEqual([]);
    expect(report.sessions).toBe(100);
    expect(report.events).toBeGreaterThan(100 * 20);
  });
});

describe('a storm notices', () => {
  /** The reference agent's role, with its step wrapped. */
  const altered = (step: (role: AgentRole) => AgentRole['step']): MakePeer => {
    const role = agent();
    return peerOf({ ...role, step: step(role) }, serverCodec, agentCodec);
  };

  it.each([
    'FOLD-A02',
    'FOLD-A03',
    'FOLD-A13',
    'FOLD-A16',
    'FOLD-A18',
    'FOLD-A24',
    'FOLD-A26',
    'FOLD-A27',
    'FOLD-A43',
  ])('an agent that breaks %s', (id) => {
    // A storm has no message in plain words.
    const mutants = foldAgentSuite
      .mutants()
      .filter((mutant) => mutant.breaks === id && mutant.id !== 'merges-answers');
    const seen = mutants.filter(({ make }) => broken(run(make, 60)).has(id));
    expect(mutants.length).toBeGreaterThan(0);
    expect(seen.map((mutant) => mutant.id)).toEqual(mutants.map((mutant) => mutant.id));
  });

  it('an agent that throws at a cancel, and shrinks it to requests and a cancel', () => {
    const fragile = (): MakePeer =>
      altered((role) => (state, input, now) => {
        const cancelled = input.type === 'message' ? input.message.cancel_request?.request_id : undefined;
        if (cancelled !== undefined && state.requests.has(cancelled)) throw new Error('ouch');
        return role.step(state, input, now);
      });
    const failure = run(fragile, 60, { shrinks: 1 }).failures.find(({ broke }) => broke === 'throws');
    expect(failure?.message).toMatch(/ouch/);
    expect(failure?.excerpt.join('\n')).toMatch(/gateway > .* message \{"cancel_request":/);
    const [set, ...steps] = failure?.steps ?? [];
    expect(set).toMatch(/^set up with /);
    const names = steps.map((step) => step.replace(/^after [\d.]+ ms: (\w+).*$/, '$1'));
    expect(new Set(names)).toEqual(new Set(['request', 'cancel']));
    expect(names.length).toBeLessThanOrEqual(5);
  });

  it('an agent that leaves a request without its end', () => {
    const mute = (): MakePeer =>
      altered((role) => (state, input, now) => {
        const { outputs, ...rest } = role.step(state, input, now);
        const heard = outputs.filter((o) => o.type !== 'send' || o.message.response?.done === undefined);
        return { ...rest, outputs: heard };
      });
    expect(broken(run(mute, 20))).toContain('unfinished');
  });
});
