/** Random sessions of the reference orchestrator and subagent, and of peers that are wrong in ways that they must notice. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import type { Side } from '../../../src/toon/index.ts';
import { toonOrchestratorSuite } from '../orchestrator/suite.ts';
import { referenceOrchestrator, referenceSubagent } from '../shared/peers.ts';
import { toonSubagentSuite } from '../subagent/suite.ts';
import { SystemSession } from './session.ts';
import type { SessionPeers } from './session.ts';

const references: SessionPeers = { orchestrator: referenceOrchestrator, subagent: referenceSubagent };
const sides = ['subagent', 'orchestrator'] as const;

/** The failures of sessions with these peers. */
const failuresOf = (target: Side, count: number, peers = references): readonly string[] =>
  Array.from({ length: count }, (_, n) => new SystemSession(n + 1, target, peers).run().failures).flat();

describe.each(sides)('100 random sessions, judged for the %s', (target) => {
  const sessions = Array.from({ length: 100 }, (_, n) => new SystemSession(n + 1, target).run());
  const events = sessions.map((session) => session.events);
  const count = (of: (data: (typeof events)[number][number]) => boolean): number =>
    events.filter((trace) => trace.some(of)).length;

  it('break no rule of either side, and end', () => {
    expect(sessions.flatMap(({ failures }) => failures)).toEqual([]);
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

describe('a session notices', () => {
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
    const found = failuresOf(side, 20, { ...references, [side]: () => mutant(side, id) });
    expect(found.filter((what) => what.startsWith(`${side}: ${row} `))).not.toEqual([]);
  });

  it('an instruction that never ends', () => {
    const subagent = (): MakePeer => mutant('subagent', 'never-completes');
    const found = failuresOf('subagent', 5, { ...references, subagent });
    expect(found.filter((what) => what.startsWith('unfinished'))).not.toEqual([]);
  });

  it('code that throws', () => {
    const orchestrator = (options: JsonObject): MakePeer => {
      return (world) => ({
        ...referenceOrchestrator(options)(world),
        begin() {
          throw new Error('ouch');
        },
      });
    };
    expect(failuresOf('orchestrator', 1, { ...references, orchestrator })).toEqual([
      expect.stringMatching(/^throws: .*ouch/),
    ]);
  });
});
