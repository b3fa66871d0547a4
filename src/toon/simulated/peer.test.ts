/** The simulated peers: they send what they are told, and fill in what was left out. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { command, RoleStage } from '../../kit/base/role-stage.test-helper.ts';
import { replayableRole, totalRole } from '../../kit/laws/index.ts';
import { inShort } from '../connection/stage.test-helper.ts';
import { messageOf, inputsFrom } from '../machine/machine.test-helper.ts';
import type { Draft, MessageName, ScriptedCommand, ToonMessage } from '../messages.ts';
import { scriptedOrchestrator, scriptedSubagent } from './peer.ts';
import type { ScriptedPeerRole, ScriptedPeerState } from './peer.ts';

const runs = { seed: 7, numRuns: 300 };

/** A simulated peer on a stage. */
class PeerStage extends RoleStage<ScriptedPeerState, ToonMessage, ToonMessage, ScriptedCommand> {
  constructor(role: ScriptedPeerRole, open: boolean = true) {
    super(role);
    if (open) this.open('s1');
  }

  open(peer: string): this {
    this.give({ type: 'opened', peer, metadata: {} });
    return this;
  }

  do(all: ScriptedCommand): this {
    this.give(command<Draft>(all));
    return this;
  }

  send(type: MessageName, more: Partial<Draft> = {}): this {
    return this.do({ do: 'send', message: { type, ...more } });
  }

  hear(type: MessageName, payload: object = {}): this {
    this.give({ type: 'message', peer: 's1', message: messageOf(type, payload as never) });
    return this;
  }

  did(): string[] {
    return this.take().map(inShort);
  }

  ids(): number[] {
    return this.sent().map(({ sequenceId }) => sequenceId);
  }
}

describe('the laws of roles', () => {
  it.each([
    ['orchestrator', scriptedOrchestrator(), inputsFrom('subagent')],
    ['orchestrator that holds', scriptedOrchestrator({ hold: ['quick', 'a'] }), inputsFrom('subagent')],
    ['subagent', scriptedSubagent({ firstSequenceId: 0xff_ff_ff_ff }), inputsFrom('orchestrator')],
  ] as const)('hold for the scripted %s', (_, role, inputs) => {
    fc.assert(replayableRole(role, inputs), runs);
    fc.assert(totalRole(role, inputs), runs);
  });
});

describe('a scripted orchestrator that holds a tool', () => {
  const call = (toolName: string, more: object = {}): object => ({ toolName, args: {}, ...more });
  const results = (stage: PeerStage): unknown[] => stage.sent().map(({ payload }) => payload);

  it('leaves its calls to the scenario, whose result repeats the requestId', () => {
    const stage = new PeerStage(scriptedOrchestrator({ hold: ['quick'] }));
    stage.hear('TOOL_CALL', call('quick', { requestId: 'r1' }));
    expect(results(stage)).toEqual([]);
    stage.send('TOOL_RESULT', { payload: { success: true } });
    expect(results(stage)).toEqual([{ success: true, requestId: 'r1' }]);
  });

  it('answers other calls, after the held one where only the order tells them apart', () => {
    const stage = new PeerStage(scriptedOrchestrator({ hold: ['quick'] }));
    stage.hear('TOOL_CALL', call('quick')).hear('TOOL_CALL', call('own'));
    stage.hear('TOOL_CALL', call('named', { requestId: 7 }));
    stage.send('TOOL_RESULT', { payload: { success: false } });
    expect(results(stage)).toEqual([
      { success: true, data: 'ok:named', duration: 1, requestId: 7 },
      { success: false },
      { success: true, data: 'ok:own', duration: 1 },
    ]);
  });
});

describe('a scripted peer', () => {
  it('fills in the sequence id, the timestamp, the payload, and that nothing is compressed', () => {
    const stage = new PeerStage(scriptedSubagent({ epoch: 1700000000000 }));
    stage.pass(5.5);
    expect(stage.send('HEARTBEAT').sent()).toEqual([
      { type: 'HEARTBEAT', sequenceId: 1, timestamp: '1700000000005', payload: {}, compress: false },
    ]);
  });

  it('sends what a scenario says as it says it, whatever it is', () => {
    const message = {
      type: 'STATUS',
      sequenceId: 9,
      timestamp: '7',
      payload: 'no object',
      compress: true,
    } as const;
    const stage = new PeerStage(scriptedOrchestrator()).do({ do: 'send', message });
    expect(stage.sent()).toEqual([message]);
  });

  it('compresses by itself if it is set up so', () => {
    const stage = new PeerStage(scriptedSubagent({ compress: true }));
    const [by, not] = stage.send('HEARTBEAT').send('HEARTBEAT', { compress: false }).sent();
    expect([by?.compress, not?.compress]).toEqual([true, false]);
  });

  it('counts from its first sequence id, past the highest to 0 (TOON-31)', () => {
    const stage = new PeerStage(scriptedSubagent({ firstSequenceId: 4294967294 }));
    for (let i = 0; i < 4; i++) stage.send('HEARTBEAT');
    expect(stage.ids()).toEqual([4294967294, 4294967295, 0, 1]);
  });

  it('goes on after the highest id that the scenario used, not after a lower one', () => {
    const stage = new PeerStage(scriptedSubagent());
    for (const sequenceId of [undefined, 100, undefined, 3, undefined])
      stage.send('HEARTBEAT', sequenceId === undefined ? {} : { sequenceId });
    expect(stage.ids()).toEqual([1, 100, 101, 3, 102]);
  });

  it('has what is sent before a link is there wait for it; ids begin anew on each link', () => {
    const stage = new PeerStage(scriptedSubagent(), false);
    stage
      .send('HEARTBEAT')
      .do({ do: 'raw', bytes: new Uint8Array(3) })
      .send('STATUS', { payload: { status: 'x' } });
    expect(stage.take()).toEqual([]);
    expect(stage.open('s1').did()).toEqual(['HEARTBEAT', 'send_raw', 'STATUS x']);
    stage.give({ type: 'left', peer: 's1' });
    stage.send('HEARTBEAT');
    expect(stage.take()).toEqual([]);
    expect(stage.open('s2').take()).toMatchObject([{ peer: 's2', message: { sequenceId: 1 } }]);
  });

  it('is on the link that opened last; what befalls another is nothing to it', () => {
    const stage = new PeerStage(scriptedOrchestrator()).open('s2');
    stage.hear('TOOL_CALL', { toolName: 'x', args: {} });
    stage.give({ type: 'half_close', peer: 's1' });
    stage.give({ type: 'left', peer: 's1' });
    expect(stage.take()).toEqual([]);
    expect(stage.send('HEARTBEAT').take()).toMatchObject([{ peer: 's2' }]);
  });

  it('ends its link when told; what is sent after waits for another', () => {
    const stage = new PeerStage(scriptedSubagent());
    stage.do({ do: 'end', status: { code: 0, message: 'bye' } }).send('HEARTBEAT');
    expect(stage.take()).toEqual([{ type: 'close', peer: 's1', status: { code: 0, message: 'bye' } }]);
    expect(stage.open('s2').did()).toEqual(['HEARTBEAT']);
  });

  it('ends a link that was not there yet once what waits before is sent; with nothing to end it does nothing', () => {
    const end = { do: 'end', status: { code: 0, message: '' } } as const;
    const stage = new PeerStage(scriptedSubagent(), false).do(end);
    expect(stage.send('HEARTBEAT').do(end).open('s1').did()).toEqual(['HEARTBEAT', 'close 0']);
  });

  it('closes its side when the other side sends nothing more', () => {
    const stage = new PeerStage(scriptedSubagent());
    stage.give({ type: 'half_close', peer: 's1' });
    expect(stage.did()).toEqual(['close 0']);
  });

  it.each([
    ['subagent', scriptedSubagent()],
    ['orchestrator', scriptedOrchestrator({ answer: false })],
  ] as const)('says nothing by itself: the %s', (_, role) => {
    const stage = new PeerStage(role);
    stage.hear('INSTRUCTION', { instruction: 'x' }).hear('TOOL_CALL', { toolName: 'x', args: {} });
    stage.hear('CONTEXT_REQUEST').hear('STATUS', { status: 'completed' }).hear('HEARTBEAT');
    stage.give({ type: 'undecodable', peer: 's1', reason: 'x', code: 'too-large' });
    stage.pass(1_000_000);
    expect(stage.did()).toEqual([]);
  });
});

describe('the scripted orchestrator', () => {
  it('answers calls and questions, with their requestId', () => {
    const stage = new PeerStage(scriptedOrchestrator());
    stage.hear('TOOL_CALL', { toolName: 'clock', args: {} });
    stage.hear('TOOL_CALL', { toolName: 'clock', args: {}, requestId: 'q' });
    stage.hear('CONTEXT_REQUEST', { type: 'file', path: 'p', requestId: 1 });
    expect(stage.sent().map(({ type, payload }) => [type, payload])).toEqual([
      ['TOOL_RESULT', { success: true, data: 'ok:clock', duration: 1 }],
      ['TOOL_RESULT', { success: true, data: 'ok:clock', duration: 1, requestId: 'q' }],
      ['CONTEXT_RESPONSE', { type: 'file', path: 'p', content: 'ok:p', requestId: 1 }],
    ]);
  });
});
