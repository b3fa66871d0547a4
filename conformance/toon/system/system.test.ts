/** Random sessions of the reference orchestrator and subagent, and of peers that are wrong in ways that they must notice. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { playStorm } from '../../../src/kit/storm/index.ts';
import type { StormReport } from '../../../src/kit/storm/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import type { Side } from '../../../src/toon/index.ts';
import { toonOrchestratorSuite } from '../orchestrator/suite.ts';
import { referenceOrchestrator, referenceSubagent } from '../shared/peers.ts';
import { toonSubagentSuite } from '../subagent/suite.ts';
import { orchestratorConversation, subagentConversation, toonStorm } from './storm.ts';
import type { StormPeers } from './storm.ts';

const references: StormPeers = { orchestrator: referenceOrchestrator, subagent: referenceSubagent };

const run = (target: Side, count: number, peers = references, shrinks = 0): StormReport =>
  playStorm(toonStorm(target, peers), { from: 1, count, onProgress: () => {} }, { shrinks });

const kindsOf = ({ failures }: StormReport): readonly string[] => failures.map(({ broke }) => broke);

describe.each([
  ['subagent', subagentConversation],
  ['orchestrator', orchestratorConversation],
] as const)('100 random sessions, judged for the %s', (target, conversation) => {
  const sessions = Array.from({ length: 100 }, (_, n) => conversation(n + 1));
  const events = sessions.map((session) => session.events);
  const count = (of: (data: (typeof events)[number][number]) => boolean): number =>
    events.filter((trace) => trace.some(of)).length;

  it('break no rule of either side, end, and repeat', () => {
    expect(sessions.flatMap(({ failures }) => failures)).toEqual([]);
    expect(kindsOf(run(target, 40))).toEqual([]);
  });

  it('have calls, progress, errors, faults of the network and further connections', () => {
    for (const type of ['TOOL_CALL', 'TOOL_RESULT', 'CONTEXT_RESPONSE', 'HEARTBEAT', 'STATUS', 'ERROR'])
      expect([type, count(({ data }) => data['type'] === type) > 10]).toEqual([type, true]);
    for (const fault of ['stall', 'split', 'cut'])
      expect([fault, count(({ data }) => data['fault'] === fault) > 5]).toEqual([fault, true]);
    const opened = events.map((trace) => trace.filter(({ kind }) => kind === 'open').length);
    expect(opened.filter((n) => n > 1).length).toBeGreaterThan(5);
  });
});

describe('a storm notices', () => {
  const mutants = {
    subagent: toonSubagentSuite.mutants(),
    orchestrator: toonOrchestratorSuite.mutants(),
  };

  const mutant = (side: Side, id: string): MakePeer => {
    const make = mutants[side].find((one) => one.id === id)?.make;
    if (make === undefined) throw new Error(`there is no mutant ${id}`);
    return make();
  };

  it.each<readonly [Side, string, string]>([
    ['subagent', 'ids-per-instruction', 'TOON-30'],
    ['subagent', 'last-in-first-out', 'TOON-40'],
    ['subagent', 'completes-twice', 'TOON-50'],
    ['subagent', 'reports-afterwards', 'TOON-50'],
    ['subagent', 'progress-in-percent', 'TOON-36'],
    ['subagent', 'count-of-256', 'TOON-22'],
    ['orchestrator', 'instruction-as-text', 'TOON-35'],
    ['orchestrator', 'result-unasked', 'TOON-53'],
    ['orchestrator', 'reports', 'TOON-34'],
  ])('the %s %s, which breaks %s', (side, id, row) => {
    const found = run(side, 20, { ...references, [side]: () => mutant(side, id) });
    expect(kindsOf(found)).toContain(`${side}: ${row}`);
  });

  it('an instruction that never ends, and shrinks it to no action: the first instruction shows it', () => {
    const subagent = (): MakePeer => mutant('subagent', 'never-completes');
    const { failures } = run('subagent', 5, { ...references, subagent }, 4);
    const unfinished = failures.find(({ broke }) => broke === 'unfinished');
    expect(unfinished?.steps).toHaveLength(1);
    const set = JSON.parse(unfinished?.steps?.[0]?.replace('set up with ', '') ?? '') as object;
    expect(set).toMatchObject({ instructions: [[expect.any(Object)]] });
  });

  it('code that throws at a second instruction, and shrinks it to that one', () => {
    const orchestrator =
      (options: JsonObject): MakePeer =>
      (world) => {
        const peer = referenceOrchestrator(options)(world);
        return {
          ...peer,
          command(order) {
            if (order.do === 'send') throw new Error('ouch');
            peer.command(order);
          },
        };
      };
    const [failure] = run('orchestrator', 20, { ...references, orchestrator }, 1).failures;
    expect([failure?.broke, failure?.steps?.length]).toEqual(['throws', 2]);
    expect(failure?.message).toContain('ouch');
    expect(failure?.steps?.[1]).toMatch(/^after 0 ms: instruct /);
  });
});
