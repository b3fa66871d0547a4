/** Cancelling, and what is written down of usage (rows G15, G28, G36, G39–G42). */
import { describe, expect, it } from 'vitest';
import { GatewayStage } from './gateway.test-helper.ts';

describe('a cancel', () => {
  it('is asked of the agent once, with its reason, and answered at once (G36)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const { operator, id } = stage.work(agent);
    const calls = [1, 2].map(() => stage.call({ cancel: { request_id: id, reason: 'user_requested' } }));
    for (const call of calls) expect(stage.replies(call)).toEqual([{ ok: {} }, { end: 0 }]);
    expect(stage.heard(agent)).toEqual([{ cancel_request: { request_id: id, reason: 'user_requested' } }]);
    stage.respond(agent, id, { cancelled: { reason: 'user_requested' } });
    expect(stage.replies(operator).slice(1)).toEqual([
      { canceled: { reason: 'user_requested' } },
      { end: 0 },
    ]);
    expect(stage.nextTimer()).toBeUndefined();
  });

  it('of a thread is one of each of its requests, and of no other', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const [one, two] = [stage.work(agent, { thread_id: 't' }), stage.work(agent, { thread_id: 't' })];
    stage.work(agent, { thread_id: 'u' });
    stage.call({ cancel: { thread_id: 't' } });
    expect(stage.heard(agent)).toEqual([one, two].map(({ id }) => ({ cancel_request: { request_id: id } })));
  });

  it('of an agent that never learnt to is none: the request is over here and now (G15, G41)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1', { protocol_features: ['injection'] });
    const { operator, id } = stage.work(agent);
    stage.call({ cancel: { request_id: id, reason: 'enough' } });
    expect(stage.heard(agent)).toEqual([]);
    stage.respond(agent, id, { text: 'late' });
    expect(stage.replies(operator).slice(1)).toEqual([{ canceled: { reason: 'enough' } }, { end: 0 }]);
  });

  it('that nobody answers ends the request in error after its time, and that is told (G39, G41)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const { operator, id } = stage.work(agent);
    stage.call({ cancel: { request_id: id } });
    stage.replies(operator);
    stage.respond(agent, id, { text: 'still at it' });
    stage.pass(9999);
    expect(stage.replies(operator)).toEqual([{ text: { text: 'still at it' } }]);
    stage.told();
    stage.pass(1);
    const error = expect.stringContaining('no answer to cancel') as string;
    expect(stage.replies(operator)).toEqual([{ error: { error } }, { end: 0 }]);
    expect(stage.told()).toEqual(['cancel timed out']);
    expect(stage.ended(agent)).toBeUndefined();
    stage.respond(agent, id, { cancelled: {} });
    expect(stage.replies(operator)).toEqual([]);
  });

  it('that nobody answers may cost the agent its stream (G40)', () => {
    const stage = new GatewayStage({ disconnect_unresponsive: true, timeouts: { cancel: 50 } });
    const agent = stage.agent('a-1');
    const [one, two] = [stage.work(agent), stage.work(agent)];
    stage.call({ cancel: { request_id: one.id } });
    stage.pass(50);
    expect(stage.ended(agent)).toMatchObject({ code: 14 });
    expect(stage.replies(two.operator).slice(1)).toEqual([
      { error: { error: expect.stringContaining('lost') as string } },
      { end: 0 },
    ]);
  });

  it('of what has finished, or never was, is unknown, and asks nothing of the agent (G42)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const { id } = stage.work(agent);
    stage.respond(agent, id, { done: {} });
    const call = stage.call({ cancel: { request_id: id } });
    expect(stage.of(call).at(-1)).toMatchObject({
      status: { code: 5, message: expect.stringContaining('finished') as string },
    });
    expect(stage.replies(stage.call({ cancel: { request_id: 'nobody' } }))).toEqual([{ end: 5 }]);
    expect(stage.replies(stage.call({ cancel: { thread_id: 'nobody' } }))).toEqual([{ end: 5 }]);
    expect(stage.replies(stage.call({ cancel: {} }))).toEqual([{ end: 3 }]);
    expect(stage.heard(agent)).toEqual([]);
  });
});

describe('what is over', () => {
  it('is remembered as far as it is needed, and no further', () => {
    const stage = new GatewayStage({ timeouts: { pack: 1 } });
    const pack = stage.pack({ pack_id: 'p', tools: [{ name: 't' }] });
    const agent = stage.agent('a-1');
    for (let n = 0; n < 1100; n++) {
      stage.respond(agent, stage.work(agent).id, { done: {} });
      const call = { request_id: `c-${n}`, tool_name: 't', input_json: '1' };
      stage.say(agent, { execute_pack_tool: call });
      stage.pass(1);
      for (const peer of [agent, pack]) stage.of(peer);
      stage.take();
    }
    const { finished, late, requests, calls, threads } = stage.state;
    expect([finished.size, late.size, requests.size, calls.size]).toEqual([1024, 1024, 0, 0]);
    expect(threads.size).toBe(1100);
  });
});

describe('usage', () => {
  it('is summed per request, and over all (G28)', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const { id } = stage.work(agent, { thread_id: 't' });
    stage.respond(agent, id, { usage: { input_tokens: 100, output_tokens: 20 } });
    stage.respond(agent, id, { usage: { input_tokens: 50, cache_read_tokens: 5 } });
    stage.respond(agent, stage.work(agent, { thread_id: 'u' }).id, { usage: { thinking_tokens: 7 } });
    const sums = {
      request_id: id,
      agent_id: 'a-1',
      input_tokens: 150,
      output_tokens: 20,
      cache_read_tokens: 5,
      cache_write_tokens: 0,
      thinking_tokens: 0,
    };
    expect(stage.replies(stage.call({ thread_usage: { thread_id: 't' } }))).toEqual([
      { thread_usage: { thread_id: 't', usage: [sums] } },
      { end: 0 },
    ]);
    expect(stage.replies(stage.call({ stats: {} }))).toMatchObject([
      { stats: { total_input: 150, total_thinking: 7, total_tokens: 182, request_count: 2 } },
      { end: 0 },
    ]);
  });

  it('is written down before it is forwarded, with when it came', () => {
    const stage = new GatewayStage({ epoch: 1_000_000 });
    const agent = stage.agent('a-1');
    const { id, thread } = stage.work(agent);
    stage.take();
    stage.pass(5);
    stage.respond(agent, id, { usage: { input_tokens: 1, output_tokens: -5 } });
    const [effect, sent] = stage.take();
    const usage = { input_tokens: 1, output_tokens: 0, cache_read_tokens: 0 };
    expect(effect).toMatchObject({
      type: 'effect',
      effect: {
        ledger: 'append',
        entry: { at: 1_000_005, request_id: id, agent_id: 'a-1', thread_id: thread, usage },
      },
    });
    expect(sent).toMatchObject({ message: { usage: { input_tokens: 1, output_tokens: -5 } } });
  });

  it('that cannot be written down is told, and reaches the operator all the same', () => {
    const stage = new GatewayStage();
    stage.give({ type: 'effect', id: 'append:r', result: { error: 'disk full' } });
    expect(stage.told()).toEqual(['ledger failed']);
  });

  it("beyond a thread's budget refuses the next send of the thread, and of no other", () => {
    const stage = new GatewayStage({ budget: 100 });
    const agent = stage.agent('a-1');
    const { id } = stage.work(agent, { thread_id: 't' });
    stage.respond(agent, id, { usage: { input_tokens: 60, output_tokens: 39 } });
    expect(stage.work(agent, { thread_id: 't' }).id).not.toBe('');
    stage.respond(agent, id, { usage: { output_tokens: 1 } });
    const refused = stage.call({ send: { content: 'x', sender: 'me', thread_id: 't' } });
    expect(stage.replies(refused)).toEqual([{ end: 8 }]);
    expect(stage.work(agent, { thread_id: 'u' }).id).not.toBe('');
    expect(stage.work(agent).id).not.toBe('');
  });

  it('that is forced goes to the named agent, for an unknown and a finished id, and to no agent without the feature', () => {
    const stage = new GatewayStage();
    const agent = stage.agent('a-1');
    const { id } = stage.work(agent);
    stage.respond(agent, id, { done: {} });
    for (const request_id of ['ghost', id])
      expect(stage.replies(stage.call({ cancel: { request_id, force_at: 'a-1', reason: 'why' } }))).toEqual([
        { ok: {} },
        { end: 0 },
      ]);
    expect(stage.heard(agent)).toEqual(
      ['ghost', id].map((request_id) => ({ cancel_request: { request_id, reason: 'why' } })),
    );
    const plain = stage.agent('a-2', { protocol_features: [] });
    expect(stage.replies(stage.call({ cancel: { request_id: 'x', force_at: 'a-2' } }))).toEqual([{ end: 9 }]);
    expect(stage.heard(plain)).toEqual([]);
    expect(stage.replies(stage.call({ cancel: { request_id: 'x', force_at: 'a-3' } }))).toEqual([{ end: 5 }]);
  });
});
