/** The reference agent's streams: how it registers, is refused, loses them, and stops (spec/fold/README.md). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { replayableRole, totalRole } from '../../kit/laws/index.ts';
import { agent } from './agent.ts';
import { agentInputs } from '../arbitrary-inputs.ts';
import { RoleStage } from '../../kit/base/role-stage.test-helper.ts';
import { AgentStage } from '../simulated/stage.test-helper.ts';

const runs = { seed: 7, numRuns: 500 };

describe('the laws of roles', () => {
  it('hold', () => {
    fc.assert(replayableRole(agent(), agentInputs), runs);
    fc.assert(totalRole(agent(), agentInputs), runs);
  });

  it('hold for an agent that advertises nothing', () => {
    const bare = agent({ register: {} });
    fc.assert(replayableRole(bare, agentInputs), runs);
    fc.assert(totalRole(bare, agentInputs), runs);
  });
});

/** Loses the stream and passes time until the next is dialled. @returns how long that took, and the id it registers */
function comeBack(
  stage: AgentStage,
  status?: { code: number; message: string },
): { after: number; id: string } {
  const before = stage.now;
  stage.give({ type: 'left', peer: stage.state.peer, ...(status === undefined ? {} : { status }) });
  stage.take();
  stage.fire(60_000);
  const dialled = stage.take().some((output) => output.type === 'dial');
  stage.give({ type: 'opened', peer: stage.state.peer, metadata: {} });
  const [message] = stage.sent();
  return { after: dialled ? stage.now - before : -1, id: message?.register?.agent_id ?? '' };
}

describe('a stream', () => {
  it('is dialled at the start, and register is its first message', () => {
    const stage = new RoleStage(
      agent({ agent_id: 'a-1', register: { name: 'Ann', capabilities: ['chat'] } }),
    );
    stage.give({ type: 'started' });
    expect(stage.take()).toEqual([{ type: 'dial', peer: 'agent-0', metadata: {} }]);
    stage.give({ type: 'opened', peer: 'agent-0', metadata: {} });
    const register = { agent_id: 'a-1', name: 'Ann', capabilities: ['chat'] };
    expect(stage.take()).toEqual([{ type: 'send', peer: 'agent-0', message: { register } }]);
    expect(stage.nextTimer()).toBeUndefined();
  });

  it('carries the metadata of its number, and keepalive if asked for', () => {
    const options = { keepalive: 7000, metadata: (n: number) => ({ nonce: `n${n}` }) };
    const stage = new RoleStage(agent(options));
    stage.give({ type: 'started' });
    expect(stage.take()).toEqual([
      { type: 'dial', peer: 'agent-0', metadata: { nonce: 'n0' }, keepalive: 7000 },
    ]);
    stage.give({ type: 'left', peer: 'agent-0' });
    stage.pass(500);
    expect(stage.take()).toContainEqual({
      type: 'dial',
      peer: 'agent-1',
      metadata: { nonce: 'n1' },
      keepalive: 7000,
    });
  });

  it('takes what is odd without a word: empty messages, undecodable ones, headers, a half-close', () => {
    const stage = new AgentStage();
    stage.say({});
    for (const type of ['headers', 'opened'] as const) stage.give({ type, peer: 'elsewhere', metadata: {} });
    stage.give({ type: 'undecodable', peer: stage.state.peer, reason: 'bad' });
    stage.give({ type: 'half_close', peer: stage.state.peer });
    expect(stage.take()).toEqual([]);
    stage.request('r1', [{ say: 'still here' }]);
    expect(stage.told()).toEqual(['r1 says still here', 'r1 done']);
  });
});

describe('after a loss', () => {
  it.each([
    ['without a status', undefined],
    ['with an error', { code: 14, message: 'gone' }],
    ['with OK', { code: 0, message: '' }],
  ])('%s it registers anew under the id that Welcome gave, after 500 ms', (_, status) => {
    const stage = new AgentStage({ agent_id: 'own' });
    expect(comeBack(stage, status)).toEqual({ after: 500, id: 'a-1' });
  });

  it('it waits 500 ms, doubling to 4 s, at least ten times, and 500 ms again once it was welcomed', () => {
    const stage = new AgentStage();
    const waits = Array.from({ length: 12 }, () => comeBack(stage).after);
    expect(waits).toEqual([500, 1000, 2000, ...Array.from({ length: 9 }, () => 4000)]);
    stage.say({ welcome: { agent_id: 'a-1' } });
    expect(comeBack(stage).after).toBe(500);
  });

  it('its requests are over: nothing more comes of them', () => {
    const stage = new AgentStage();
    stage.request('r1', [{ wait_ms: 5000 }, { say: 'never' }]);
    stage.request('r2', [{ tool: { name: 'slow', approval: true } }]);
    stage.request('r3', [{ hold: true }, { say: 'never' }], { thread_id: 't' });
    stage.request('r4', [{ say: 'never' }], { thread_id: 't' });
    comeBack(stage);
    stage.open();
    stage.take();
    stage.release();
    stage.say({ tool_approval: { id: 'tool-1', approved: true } });
    stage.pass(400_000);
    expect(stage.responses()).toEqual([]);
  });

  it('the old stream is nobody any more', () => {
    const stage = new AgentStage();
    comeBack(stage);
    stage.give({
      type: 'message',
      peer: 'agent-0',
      message: { send_message: { request_id: 'r1', content: 'x' } },
    });
    stage.give({ type: 'left', peer: 'agent-0' });
    stage.pass(10_000);
    expect(stage.take()).toEqual([]);
  });

  it('it goes on with tool and pack ids that it never used', () => {
    const stage = new AgentStage();
    stage.request('r1', [{ tool: { name: 'a' } }, { pack_tool: { name: 'p' } }]);
    const first = JSON.stringify(stage.sent());
    comeBack(stage);
    stage.open();
    stage.request('r2', [{ tool: { name: 'a' } }, { pack_tool: { name: 'p' } }]);
    const ids = (text: string): string[] => text.match(/(?:tool|pack)-\d+/g) ?? [];
    const second = ids(JSON.stringify(stage.sent()));
    expect(second.length).toBeGreaterThan(1);
    expect(second.filter((id) => ids(first).includes(id))).toEqual([]);
  });
});

describe('when it is refused', () => {
  const refused = (suggestion: object): AgentStage => {
    const stage = new AgentStage({ agent_id: 'own' });
    comeBack(stage);
    stage.say({ registration_error: { reason: 'taken', ...suggestion } });
    expect(stage.take()).toEqual([{ type: 'half_close', peer: 'agent-1' }]);
    return stage;
  };

  it('by RegistrationError it tries the suggested id, after a wait', () => {
    expect(comeBack(refused({ suggested_id: 'better' }))).toEqual({ after: 1000, id: 'better' });
  });

  it('by RegistrationError without a suggestion it tries its own id and -1', () => {
    expect(comeBack(refused({}))).toEqual({ after: 1000, id: 'a-1-1' });
  });

  it('by ALREADY_EXISTS it waits and tries again', () => {
    const stage = new RoleStage(agent({ agent_id: 'own' }));
    stage.give({ type: 'started' });
    const exists = { code: 6, message: 'agent own already registered' };
    const waits = [0, 1, 2].map((n) => {
      stage.give({ type: 'opened', peer: `agent-${n}`, metadata: {} });
      expect(stage.sent()).toMatchObject([{ register: { agent_id: 'own' } }]);
      stage.give({ type: 'left', peer: `agent-${n}`, status: exists });
      const wait = stage.nextTimer() ?? -1;
      stage.pass(wait);
      return wait;
    });
    expect(waits).toEqual([500, 1000, 2000]);
  });
});

describe('on Shutdown', () => {
  const busy = (): AgentStage => {
    const stage = new AgentStage();
    stage.request('r1', [{ tool: { name: 'slow', hold: true } }], { thread_id: 't' });
    stage.request('r2', [{ say: 'queued' }], { thread_id: 't' });
    stage.request('r3', [{ wait_ms: 100 }, { say: 'late' }]);
    stage.take();
    stage.say({ shutdown: { reason: 'upgrade' } });
    return stage;
  };

  it('a tool in hand is CANCELLED, every request ends in error, queued ones too, and the stream is closed', () => {
    const outputs = busy().take();
    const shown = outputs.map((o) => (o.type === 'send' ? o.message.response : o.type));
    expect(shown).toEqual([
      { request_id: 'r1', tool_state: { id: 'tool-1', state: 'TOOL_STATE_CANCELLED' } },
      { request_id: 'r1', error: expect.any(String) as string },
      { request_id: 'r2', error: expect.any(String) as string },
      { request_id: 'r3', error: expect.any(String) as string },
      'half_close',
      'tell',
    ]);
  });

  it('it does not come back, and answers nothing any more', () => {
    const stage = busy();
    stage.take();
    stage.request('r5', [{ say: 'x' }]);
    stage.give({ type: 'left', peer: stage.state.peer, status: { code: 0, message: '' } });
    stage.pass(60_000);
    expect(stage.take()).toEqual([]);
  });
});
