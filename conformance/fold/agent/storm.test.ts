/** The storm against the reference agent, and against agents that are wrong in ways it must notice. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { peerOf } from '../../../src/kit/suite/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import { agent, agentCodec, scriptedGateway, serverCodec } from '../../../src/fold/index.ts';
import type { AgentRole, ScriptedGatewayOptions } from '../../../src/fold/index.ts';
import { foldAgentSuite } from './suite.ts';
import { storm } from './storm.ts';
import type { StormReport } from './storm.ts';

const suite = {
  suite: foldAgentSuite,
  gateway: (options: JsonObject) =>
    peerOf(scriptedGateway(options as ScriptedGatewayOptions), agentCodec, serverCodec),
};

const run = (target: () => MakePeer, count: number, repeatEvery = count): StormReport =>
  storm({ ...suite, target, seeds: { from: 1, count }, repeatEvery });

/** A report's failures in short: what broke, and the seeds of it. */
function broken({ failures }: StormReport, kinds: RegExp = /./): Record<string, number[]> {
  const found: Record<string, number[]> = {};
  for (const { broke, seed } of failures) if (kinds.test(broke)) (found[broke] ??= []).push(seed);
  return found;
}

describe('the reference agent in 100 storms', () => {
  const report = run(foldAgentSuite.reference, 100, 10);

  it('throws nothing, ends every request, and does the same again from the same seed', () => {
    expect(broken(report, /throws|unfinished|unrepeatable/)).toEqual({});
  });

  it('leaves no timer', () => {
    expect(broken(report, /endless/)).toEqual({});
  });

  it('breaks no rule', () => {
    expect(broken(report, /FOLD/)).toEqual({});
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
    const seen = mutants.filter(({ make }) => Object.keys(broken(run(make, 60))).includes(id));
    expect(mutants.length).toBeGreaterThan(0);
    expect(seen.map((mutant) => mutant.id)).toEqual(mutants.map((mutant) => mutant.id));
  });

  it('an agent that throws, with its seed and the events before', () => {
    const fragile = (): MakePeer =>
      altered((role) => (state, input, now) => {
        if (input.type === 'message' && input.message.cancel_request !== undefined) throw new Error('ouch');
        return role.step(state, input, now);
      });
    const failure = run(fragile, 20).failures.find(({ broke }) => broke === 'throws');
    expect(failure?.message).toMatch(/ouch/);
    expect(failure?.excerpt.join('\n')).toMatch(/gateway message \{"cancel_request":/);
    const again = storm({ ...suite, target: fragile, seeds: { from: failure?.seed ?? 0, count: 1 } });
    expect(again.failures.find(({ broke }) => broke === 'throws')).toEqual(failure);
  });

  it('an agent that leaves a request without its end', () => {
    const mute = (): MakePeer =>
      altered((role) => (state, input, now) => {
        const { outputs, ...rest } = role.step(state, input, now);
        const heard = outputs.filter((o) => o.type !== 'send' || o.message.response?.done === undefined);
        return { ...rest, outputs: heard };
      });
    expect(broken(run(mute, 20), /unfinished/)['unfinished']?.length).toBeGreaterThan(2);
  });

  it('an agent that is not the same twice', () => {
    let made = 0;
    const fickle = (): MakePeer => peerOf(agent({ agent_id: `agent-${++made}` }), serverCodec, agentCodec);
    expect(broken(run(fickle, 4, 2), /unrepeatable/)).toEqual({ unrepeatable: [1, 3] });
  });

  it('an agent whose timers never stop', () => {
    const restless = (): MakePeer => (world) => {
      const tick = (): void => void world.clock.after(1000, tick);
      tick();
      return foldAgentSuite.reference()(world);
    };
    expect(broken(run(restless, 2), /endless/)).toEqual({ endless: [1, 2] });
  });
});

it('reports its progress, after each hundred', () => {
  const heard: number[] = [];
  const options = { ...suite, target: foldAgentSuite.reference, seeds: { from: 7, count: 250 } };
  storm({ ...options, repeatEvery: 1000, onProgress: (done) => heard.push(done) });
  expect(heard).toEqual([100, 200]);
});
