/** A target that sends without end: its trace stays within the memory of the run, and the session says so. */
import { describe, expect, it } from 'vitest';
import { agentCodec } from '../../../src/fold/index.ts';
import { MemoryLimit } from '../../../src/kit/base/index.ts';
import type { Scenario } from '../../../src/kit/base/index.ts';
import type { ScenarioEnd } from '../../../src/kit/scenario/index.ts';
import { simulatedRedact, TargetSession } from '../../../src/kit/suite/index.ts';
import { seededRandom, VirtualClock } from '../../../src/kit/world/index.ts';
import type { Fault, Link, LinkEvents } from '../../../src/kit/world/index.ts';
import { foldAgentSuite } from './suite.ts';

const scenario = {
  name: 'flooded',
  peers: { gateway: { role: 'fold/gateway', options: {} } },
  steps: [{ await: { from: 'target', kind: 'reset' } }],
} as unknown as Scenario;

const link: Link = {
  conn: 'c1',
  stream: 's1',
  headers: () => {},
  send: () => true,
  halfClose: () => {},
  close: () => {},
  pause: () => {},
  resume: () => {},
};

function flooded(memory: MemoryLimit): {
  readonly session: TargetSession<unknown>;
  readonly events: LinkEvents;
  readonly faults: Fault[];
  readonly played: ScenarioEnd[];
} {
  const faults: Fault[] = [];
  const played: ScenarioEnd[] = [];
  const session = new TargetSession({
    suite: foldAgentSuite,
    clock: new VirtualClock(),
    random: seededRandom('flood'),
    drive: 'passive',
    timeouts: {},
    timeoutScale: 1,
    redact: simulatedRedact,
    fault: (fault) => faults.push(fault),
    memory,
  }) as unknown as TargetSession<unknown>;
  session.setPeers(scenario.peers);
  const events = session.accept(link, { ':path': '/coven.CovenControl/AgentStream' });
  const register = { agent_id: 'a', name: 'a', capabilities: ['chat'] };
  events.message(agentCodec.encode({ register }));
  session.play(scenario, (end) => played.push(end));
  return { session, events, faults, played };
}

describe('a target that floods', () => {
  it.each([
    ['texts of 60 KB', agentCodec.encode({ response: { request_id: 'r', text: 'x'.repeat(60_000) } })],
    ['tiny texts', agentCodec.encode({ response: { request_id: 'r', text: 'x' } })],
    ['bytes that are no message', new Uint8Array(60_000).fill(0xff)],
  ])('with %s is cut, and the trace has no more than its memory', (_name, bytes) => {
    const memory = new MemoryLimit(1 << 20);
    const { session, events, faults, played } = flooded(memory);
    for (let sent = 0; sent < 5000; sent++) events.message(bytes);
    expect(memory.held).toBeLessThan((1 << 20) + 200_000);
    expect(faults).toEqual([{ kind: 'cut' }]);
    expect(played).toEqual([
      { outcome: 'ended-early', reason: expect.stringContaining('more than 1 MiB of memory') as string },
    ]);
    // The trace stays in order, without gaps, and the session can end.
    expect(session.events.map(({ seq }) => seq)).toEqual(session.events.map((_event, i) => i));
    session.end();
  });

  it('takes the memory of another session', () => {
    const memory = new MemoryLimit(1 << 20);
    const [greedy, other] = [flooded(memory), flooded(memory)];
    const text = agentCodec.encode({ response: { request_id: 'r', text: 'x'.repeat(60_000) } });
    for (let sent = 0; sent < 100; sent++) greedy.events.message(text);
    other.events.message(text);
    expect(other.played).toMatchObject([{ outcome: 'ended-early' }]);
  });
});
