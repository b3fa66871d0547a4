/** Small traces, one for each thing that a rule must see, or must not take for a fault. */
import { describe, expect, it } from 'vitest';
import { gatewayRules } from './rules/index.ts';
import { Trace } from './trace.test-helper.ts';

describe('the rules', () => {
  it('exist for every row', () => {
    const rows = Array.from({ length: 61 }, (_, i) => `FOLD-G${String(i + 1).padStart(2, '0')}`);
    expect([...new Set(gatewayRules.map((rule) => rule.requirement))].sort()).toEqual(rows);
  });
});

const ready = (): Trace => new Trace().agent('s1', 'a-1');

describe('registration', () => {
  it('excuses a Welcome that a cut connection lost', () => {
    const trace = new Trace().open('agent', 's1').says('s1', { register: { agent_id: 'a-1' } });
    trace.mark({ fault: 'cut', on: 'agent' }).put('s1', 'target', 'reset').wait(20_000);
    expect(trace.judge().violated).toEqual([]);
  });
  it('demands an answer to a register in time', () => {
    const trace = new Trace().open('agent', 's1').put('s1', 'target', 'headers');
    trace.says('s1', { register: { agent_id: 'a-1', protocol_features: ['injection'] } }).wait(5001);
    expect(trace.judge().violated).toEqual(['FOLD-G02']);
  });
  it('waits longer while the kit holds the network up', () => {
    const trace = new Trace().open('agent', 's1').mark({ fault: 'stall', ms: 3000, on: 'agent' }).wait(7000);
    trace.put('s1', 'target', 'headers');
    expect(trace.judge().violated).toEqual([]);
  });
  it('accepts both answers when the first agent leaves while a second registers', () => {
    const trace = ready().open('agent', 's2').put('s2', 'target', 'headers');
    trace.says('s2', { register: { agent_id: 'a-1', protocol_features: ['injection'] } }).leaves('s1');
    trace.hears('s2', { welcome: { server_id: 'g', agent_id: 'a-1', instance_id: 'i2' } });
    expect(trace.judge().violated).toEqual([]);
  });
  it('reports a first agent that is disconnected for a second', () => {
    const trace = ready().open('agent', 's2').put('s2', 'target', 'headers');
    trace
      .says('s2', { register: { agent_id: 'a-1' } })
      .ends('s1', 14)
      .ends('s2', 6);
    expect(trace.judge().violated).toEqual(['FOLD-G07']);
  });
  it('reports an id that is still used long after', () => {
    const trace = ready().leaves('s1').wait(6000).open('agent', 's2').put('s2', 'target', 'headers');
    trace.says('s2', { register: { agent_id: 'a-1', protocol_features: ['injection'] } }).ends('s2', 6);
    expect(trace.judge().violated).toEqual(['FOLD-G10']);
  });
});

describe('credentials', () => {
  it('may be checked before the register', () => {
    const trace = new Trace({ auth: 'ssh' }).mark({ credentials: 'stale', peer: 'agent' });
    trace.open('agent', 's1').put('s1', 'target', 'headers').ends('s1', 16);
    expect(trace.judge()).toMatchObject({ violated: [], exercised: expect.arrayContaining(['FOLD-G12']) });
  });
  it('are not judged when the target demands none', () => {
    expect(ready().judge().exercised).not.toContain('FOLD-G11');
  });
});

describe('requests', () => {
  it('may have their text merged and split', () => {
    const trace = ready().send('op1', 's1', 'a-1', 'r1');
    trace.answer('s1', 'r1', { text: 'ab' }).answer('s1', 'r1', { text: 'cd' });
    trace
      .hears('op1', { text: { text: 'abc' } })
      .hears('op1', { text: { text: 'd' } })
      .done('op1', 's1', 'r1');
    expect(trace.judge()).toMatchObject({ violated: [], exercised: expect.arrayContaining(['FOLD-G19']) });
  });
  it('must not lose events: a missing chunk is reported at the end', () => {
    const trace = ready().send('op1', 's1', 'a-1', 'r1');
    trace
      .answer('s1', 'r1', { text: 'ab' })
      .answer('s1', 'r1', { text: 'cd' })
      .hears('op1', { text: { text: 'cd' } });
    expect(trace.done('op1', 's1', 'r1').judge().violated).toEqual(['FOLD-G20']);
  });
  it('of two requesters: each receives its own events', () => {
    const trace = ready().send('op1', 's1', 'a-1', 'r1').send('op2', 's1', 'a-1', 'r2');
    trace.answer('s1', 'r1', { text: 'one' }).hears('op2', { text: { text: 'one' } });
    expect(trace.done('op1', 's1', 'r1').done('op2', 's1', 'r2').judge().violated).toEqual(['FOLD-G19']);
  });
  it('need not show sessions and files', () => {
    const trace = ready()
      .send('op1', 's1', 'a-1', 'r1')
      .answer('s1', 'r1', { session_init: { session_id: 'x' } });
    expect(trace.done('op1', 's1', 'r1').judge()).toMatchObject({
      violated: [],
      exercised: expect.arrayContaining(['FOLD-G46']),
    });
  });
  it('end in error when their agent is cut off, and the cut is not a violation', () => {
    const trace = ready()
      .send('op1', 's1', 'a-1', 'r1')
      .mark({ fault: 'cut', on: 'agent' })
      .put('s1', 'target', 'reset');
    trace.hears('op1', { error: { error: 'agent lost' } }).ends('op1', 0);
    expect(trace.judge()).toMatchObject({ violated: [], exercised: expect.arrayContaining(['FOLD-G25']) });
  });
  it('do not end as done when their agent is lost', () => {
    const trace = ready()
      .send('op1', 's1', 'a-1', 'r1')
      .leaves('s1')
      .hears('op1', { done: { full_response: '' } });
    expect(trace.ends('op1', 0).judge().violated).toEqual(['FOLD-G25']);
  });
});

describe('an operator', () => {
  it('that leaves need not receive anything', () => {
    const trace = ready().send('op1', 's1', 'a-1', 'r1').leaves('op1').answer('s1', 'r1', { text: 'x' });
    expect(trace.answer('s1', 'r1', { done: {} }).wait(20_000).judge().violated).toEqual([]);
  });
  it('must receive the end', () => {
    const trace = ready().send('op1', 's1', 'a-1', 'r1').answer('s1', 'r1', { done: {} }).wait(20_000);
    expect(trace.judge().violated).toEqual(['FOLD-G20']);
  });
  it('learns at once that no agent is connected', () => {
    const trace = new Trace()
      .call('op1', { send: { content: 'x', sender: 'w', agent_id: 'a-9' } })
      .wait(6000);
    expect(trace.judge().violated).toEqual(['FOLD-G26']);
  });
  it('may have its send refused for a fault in it', () => {
    const trace = ready()
      .send('op1', 's1', 'a-1', 'r1')
      .call('op2', { send: { content: '', sender: 'w', agent_id: 'a-1' } });
    expect(trace.ends('op2', 3).done('op1', 's1', 'r1').judge().violated).toEqual([]);
  });
});

describe('input that a gateway must ignore', () => {
  it('is not shown: text that the schema does not have', () => {
    const trace = ready()
      .send('op1', 's1', 'a-1', 'r1')
      .answer('s1', 'r1', {})
      .hears('op1', { text: { text: '{}' } });
    expect(trace.done('op1', 's1', 'r1').judge().violated).toEqual(['FOLD-G24']);
  });
  it("is not shown: another agent's answer", () => {
    const trace = ready().agent('s2', 'a-2').send('op1', 's1', 'a-1', 'r1').answer('s2', 'r1', { done: {} });
    trace.hears('op1', { done: { full_response: '' } }).ends('op1', 0);
    expect(trace.judge().violated).toEqual(['FOLD-G23']);
  });
  it('ends no request', () => {
    const trace = ready()
      .send('op1', 's1', 'a-1', 'r1')
      .says('s1', { injection_ack: { injection_id: 'x' } });
    expect(
      trace
        .hears('op1', { error: { error: 'bad ack' } })
        .ends('op1', 0)
        .judge().violated,
    ).toEqual(['FOLD-G35']);
  });
  it('lets the stream go on', () => {
    const { violated, exercised } = ready().answer('s1', 'r9', { text: 'x' }).judge();
    expect(violated).toEqual([]);
    expect(exercised).toContain('FOLD-G22');
  });
});

describe('cancellation', () => {
  const stop = (): Trace =>
    ready()
      .send('op1', 's1', 'a-1', 'r1')
      .call('op2', { cancel: { request_id: 'r1' } });
  it('may come at the same time as the end', () => {
    const trace = stop()
      .answer('s1', 'r1', { done: {} })
      .hears('s1', { cancel_request: { request_id: 'r1' } });
    trace
      .hears('op1', { done: { full_response: '' } })
      .ends('op1', 0)
      .ends('op2', 5);
    expect(trace.judge().violated).toEqual([]);
  });
  it('without an answer ends the request, lets the target disconnect, and hides later events', () => {
    const trace = stop()
      .hears('s1', { cancel_request: { request_id: 'r1' } })
      .ends('op2', 0)
      .wait(10_000);
    trace.hears('op1', { error: { error: 'no answer to cancel' } }).ends('op1', 0);
    trace.answer('s1', 'r1', { text: 'late' }).ends('s1', 14);
    const { violated, exercised } = trace.judge();
    expect(violated).toEqual([]);
    expect(exercised).toEqual(expect.arrayContaining(['FOLD-G36', 'FOLD-G39', 'FOLD-G40']));
  });
  it('is untestable where the driver has no trigger', () => {
    expect(stop().ends('op2', 12).wait(30_000).judge().exercised).not.toContain('FOLD-G36');
  });
});

describe('tools', () => {
  const tool = { id: 'k', name: 'n', input_json: '{}' };
  it('may be in states that the schema does not know', () => {
    const trace = ready().send('op1', 's1', 'a-1', 'r1').answer('s1', 'r1', { tool_use: tool });
    trace.hears('op1', { tool_use: tool }).answer('s1', 'r1', { tool_state: { id: 'k', state: 42 } });
    trace.hears('op1', { tool_state: { id: 'k', state: 'unspecified' } });
    expect(trace.done('op1', 's1', 'r1').judge().violated).toEqual(['FOLD-G30']);
  });
  it('have one decision', () => {
    const trace = ready().send('op1', 's1', 'a-1', 'r1').answer('s1', 'r1', { tool_use: tool });
    trace.answer('s1', 'r1', { tool_approval_request: tool }).hears('op1', { tool_use: tool });
    trace.hears('op1', { tool_approval: { ...tool, request_id: 'r1' } });
    for (const op of ['op2', 'op3']) {
      trace.call(op, { approve: { agent_id: 'a-1', tool_id: 'k', approved: true } });
      trace.hears('s1', { tool_approval: { id: 'k', approved: true } }).ends(op, 0);
    }
    const { violated, exercised } = trace.done('op1', 's1', 'r1').judge();
    expect(violated).toEqual(['FOLD-G33']);
    expect(exercised).toContain('FOLD-G32');
  });
});

describe('packs', () => {
  const pack = (): Trace =>
    new Trace()
      .open('pack', 'p1')
      .says('p1', { manifest: { pack_id: 'p', tools: [{ name: 'weather' }] } })
      .agent('s1', 'a-1');
  const calls = (trace: Trace): Trace =>
    trace.says('s1', { execute_pack_tool: { request_id: 'x', tool_name: 'weather', input_json: '{}' } });
  it('that do not answer: the call must end in error', () => {
    const order = { execute_tool: { request_id: 'i', tool_name: 'weather', input_json: '{}' } };
    const out = (): Trace => calls(pack()).hears('p1', order).wait(30_000);
    expect(
      out()
        .hears('s1', { pack_tool_result: { request_id: 'x', error: 'timeout' } })
        .judge().violated,
    ).toEqual([]);
    expect(out().wait(10_001).judge().violated).toEqual(['FOLD-G49']);
  });
  it('that answer: the result must be their answer', () => {
    const trace = calls(pack()).hears('p1', {
      execute_tool: { request_id: 'i', tool_name: 'weather', input_json: '{}' },
    });
    trace.open('result', 'p2').says('p2', { tool_response: { request_id: 'i', output_json: '{"a": 1}' } });
    trace.hears('s1', { pack_tool_result: { request_id: 'x', output_json: '{"a":2}' } });
    expect(trace.judge().violated).toEqual(['FOLD-G48']);
  });
});

describe('the connection', () => {
  it('may end after a planned stop that was announced', () => {
    const trace = ready()
      .mark({ stop: 'target' })
      .hears('s1', { shutdown: { reason: 'x' } })
      .ends('s1', 0);
    expect(trace.judge()).toMatchObject({ violated: [], exercised: expect.arrayContaining(['FOLD-G45']) });
  });
  it('is kept for an agent that pings', () => {
    const trace = ready();
    for (let i = 0; i < 3; i++) trace.wait(10_000).put('s1', 'agent', 'ping');
    expect(trace.judge()).toMatchObject({ violated: [], exercised: expect.arrayContaining(['FOLD-G54']) });
  });
  it('may be closed for pings that come too often', () => {
    const trace = ready()
      .wait(9000)
      .put('s1', 'agent', 'ping')
      .wait(1000)
      .put('s1', 'agent', 'ping')
      .ends('s1', 14);
    expect(trace.judge().violated).toEqual([]);
  });
});
