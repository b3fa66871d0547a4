/** Small traces of what crosses on the wire: each is no fault; one like it follows, which is. Found by whole systems. */
import { describe, expect, it } from 'vitest';
import { Trace } from './trace.test-helper.ts';

const noCancel = { protocol_features: ['token_usage', 'tool_states', 'injection'] };
const use = { id: 'tool-1', name: 'write', input_json: '{}' };
const running = (more = {}): Trace => new Trace().agent('s1', 'a-1', more).send('o1', 's1', 'a-1', 'r1');

/** An agent that asks about a tool, which its requester sees. */
const asks = (): Trace =>
  running()
    .answer('s1', 'r1', { tool_use: use })
    .answer('s1', 'r1', { tool_approval_request: use })
    .hears('o1', { tool_use: use })
    .hears('o1', { tool_approval: { ...use, request_id: 'r1' } });

const approve = { approve: { agent_id: 'a-1', tool_id: 'tool-1', approved: true } };
const stop = { cancel: { request_id: 'r1', reason: 'enough' } };
const yes = { tool_approval: { id: 'tool-1', approved: true } };

describe('two operators that decide about one tool', () => {
  it('must not both succeed', () => {
    const trace = asks().call('o2', approve).call('o3', approve).ends('o2', 5).hears('s1', yes);
    expect(trace.hears('o3', { ok: {} }).ends('o3', 0).judge().violated).toEqual([]);
  });
  it('are judged equally when one is refused', () => {
    expect(asks().call('o2', approve).ends('o2', 5).judge().violated).toEqual(['FOLD-G32']);
  });
});

it('a question to an operator is not a decision', () => {
  const trace = asks().agent('s2', 'a-2').send('o2', 's2', 'a-2', 'r2').answer('s2', 'r2', { tool_use: use });
  trace.answer('s2', 'r2', { tool_approval_request: use }).hears('o2', { tool_use: use }).call('o3', approve);
  trace.hears('o2', { tool_approval: { ...use, request_id: 'r2' } }).hears('s1', yes);
  expect(trace.hears('o3', { ok: {} }).ends('o3', 0).judge().violated).toEqual([]);
});

describe('a CancelRequest after the end', () => {
  const ended = (trace: Trace): Trace => trace.done('o1', 's1', 'r1');
  const late = (trace: Trace): readonly string[] =>
    trace
      .hears('s1', { cancel_request: { request_id: 'r1' } })
      .hears('o3', { ok: {} })
      .ends('o3', 0)
      .judge().violated;
  it('may be for a call before it', () => {
    expect(late(ended(running().call('o2', stop)).call('o3', stop))).toEqual([]);
  });
  it('may not be for a call after it', () => {
    expect(late(ended(running()).call('o3', stop))).toEqual(['FOLD-G42']);
  });
});

describe('cancelled, and then a loss', () => {
  const lost = { error: { error: 'the agent was lost' } };
  const cancelled = (): Trace => running().answer('s1', 'r1', { cancelled: { reason: '' } });
  it('may not have come when the connection was cut', () => {
    const trace = cancelled().mark({ fault: 'cut', on: 'agent' }).put('s1', 'target', 'reset');
    expect(trace.hears('o1', lost).ends('o1', 0).judge().violated).toEqual([]);
  });
  it('has come when it was not', () => {
    expect(cancelled().hears('o1', lost).ends('o1', 0).judge().violated).toContain('FOLD-G38');
  });
});

describe('an end of the gateway’s own', () => {
  const canceled = { canceled: { reason: '' } };
  it('may cross the end of an agent that cannot be asked to cancel', () => {
    const trace = running(noCancel).answer('s1', 'r1', { done: {} }).call('o2', stop);
    expect(
      trace.hears('o2', { ok: {} }).ends('o2', 0).hears('o1', canceled).ends('o1', 0).judge().violated,
    ).toEqual([]);
  });
  it('may not without a cancel', () => {
    const trace = running(noCancel).answer('s1', 'r1', { done: {} }).hears('o1', canceled).ends('o1', 0);
    expect(trace.judge().violated).toContain('FOLD-G20');
  });
  it('may stop a send that is on its way, with its thread', () => {
    const trace = new Trace().agent('s1', 'a-1', noCancel);
    trace.call('o1', { send: { content: 'do r1', sender: 'w', agent_id: 'a-1', thread_id: 't' } });
    trace.call('o2', { cancel: { thread_id: 't' } }).hears('o1', { started: { thread_id: 't' } });
    trace.hears('s1', { send_message: { request_id: 'r1', thread_id: 't', sender: 'w', content: 'do r1' } });
    expect(
      trace.hears('o2', { ok: {} }).ends('o2', 0).hears('o1', canceled).ends('o1', 0).judge().violated,
    ).toEqual([]);
  });
  it('is not owed to an operator who has left', () => {
    const trace = running(noCancel).leaves('o1').call('o2', stop).hears('o2', { ok: {} }).ends('o2', 0);
    expect(trace.wait(30_000).judge().violated).toEqual([]);
  });
  it('is owed to an operator who has not left', () => {
    const trace = running(noCancel).call('o2', stop).hears('o2', { ok: {} }).ends('o2', 0);
    expect(trace.wait(30_000).judge().violated).toEqual(['FOLD-G39']);
  });
});

it('two agents that register one id at the same time are not both welcomed, in any order', () => {
  const register = { register: { agent_id: 'a-1', protocol_features: ['injection'] } };
  const trace = new Trace().open('agent', 's1').put('s1', 'target', 'headers').says('s1', register);
  trace.open('agent', 's2').put('s2', 'target', 'headers').says('s2', register);
  trace.hears('s2', { welcome: { server_id: 'g', agent_id: 'a-1', instance_id: 'i', mcp_token: 't' } });
  expect(trace.ends('s1', 6).judge().violated).toEqual([]);
});

describe('a pack_id that is taken', () => {
  const manifest = { manifest: { pack_id: 'p', tools: [] } };
  const second = (): Trace =>
    new Trace()
      .open('pack', 'p1')
      .says('p1', manifest)
      .put('p1', 'target', 'headers')
      .open('pack', 'p2')
      .says('p2', manifest);
  it('may be free again when its pack leaves meanwhile', () => {
    expect(second().leaves('p1').wait(10_000).judge().violated).toEqual([]);
  });
  it('is refused while its pack is there', () => {
    expect(second().wait(10_000).judge().violated).toEqual(['FOLD-G52']);
  });
});

it('an operator that watches all events is not blamed for an event of the request itself', () => {
  const orphaned = (reason: string): { session_orphaned: { reason: string } } => ({
    session_orphaned: { reason },
  });
  const trace = running().call('o2', { events: {} }).answer('s1', 'none', orphaned('x'));
  trace.answer('s1', 'r1', orphaned('y'));
  const event = { request_id: 'r1', thread_id: 't-r1', agent_id: 'a-1', name: 'session_orphaned' };
  expect(trace.hears('o2', { event: { ...event, data: { reason: 'y' } } }).judge().violated).toEqual([]);
  expect(trace.hears('o2', { event: { ...event, data: { reason: 'x' } } }).judge().violated).toEqual([
    'FOLD-G22',
  ]);
});

describe('a decision that comes before the question', () => {
  const left = (): Trace => running().leaves('o1').answer('s1', 'r1', { tool_use: use });
  const refused = (trace: Trace): readonly string[] =>
    trace.call('o2', approve).ends('o2', 5).judge().violated;
  it('may be refused before an operator has received the question', () => {
    expect(refused(left().answer('s1', 'r1', { tool_approval_request: use }))).toEqual([]);
  });
  it('may not be refused after the question must have come', () => {
    const asked = left().answer('s1', 'r1', { tool_approval_request: use }).wait(1000);
    expect(refused(asked)).toEqual(['FOLD-G32']);
  });
});

describe('usage', () => {
  const summed = (trace: Trace): readonly string[] =>
    trace
      .hears('o1', { error: { error: 'the agent was lost' } })
      .ends('o1', 0)
      .call('o2', { thread_usage: { thread_id: 't-r1' } })
      .hears('o2', { thread_usage: { thread_id: 't-r1', usage: [] } })
      .judge().violated;
  const used = (): Trace =>
    running()
      .answer('s1', 'r1', { usage: { input_tokens: 3 } })
      .answer('s1', 'r1', { error: 'x' });
  it('may be lost with a connection', () => {
    expect(summed(used().mark({ fault: 'cut', on: 'agent' }).put('s1', 'target', 'reset'))).toEqual([]);
  });
  it('may not be lost without', () => {
    expect(summed(used())).toContain('FOLD-G28');
  });
  it('may come after the gateway has ended its request', () => {
    const trace = running(noCancel)
      .call('o3', stop)
      .answer('s1', 'r1', { usage: { input_tokens: 3 } });
    trace
      .answer('s1', 'r1', { done: {} })
      .hears('o1', { canceled: { reason: '' } })
      .ends('o1', 0);
    trace
      .hears('o3', { ok: {} })
      .ends('o3', 0)
      .call('o2', { thread_usage: { thread_id: 't-r1' } });
    expect(trace.hears('o2', { thread_usage: { thread_id: 't-r1', usage: [] } }).judge().violated).toEqual(
      [],
    );
  });
});

it('the answer of a pack may belong to either of two equal calls', () => {
  const tools = [{ name: 'search', timeout_seconds: 1 }];
  const trace = new Trace().open('pack', 'p1').says('p1', { manifest: { pack_id: 'p', tools } });
  trace.put('p1', 'target', 'headers').agent('s1', 'a-1').agent('s2', 'a-2');
  const call = { execute_pack_tool: { request_id: 'c', tool_name: 'search', input_json: '{}' } };
  trace.says('s1', call).says('s2', call);
  for (const request_id of ['i1', 'i2'])
    trace.hears('p1', { execute_tool: { tool_name: 'search', input_json: '{}', request_id } });
  trace
    .wait(960)
    .open('result', 'p2')
    .says('p2', { tool_response: { request_id: 'i2', output_json: '1' } });
  trace.hears('s2', { pack_tool_result: { request_id: 'c', output_json: '1' } });
  trace.hears('s1', { pack_tool_result: { request_id: 'c', error: 'timeout' } });
  expect(trace.judge().violated).toEqual([]);
});
