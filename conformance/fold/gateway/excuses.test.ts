/** Calls of operators, injections and pack calls that a rule must not blame, and must not take for proof. */
import { describe, expect, it } from 'vitest';
import { Judge } from '../../../src/kit/judge/index.ts';
import { foldGatewaySuite } from './suite.ts';
import { Trace } from './trace.test-helper.ts';

const ready = (): Trace => new Trace().agent('s1', 'a-1');

/** The verdicts of one row. */
function rowOf(trace: Trace, row: string): { violated: boolean; exercised: boolean; unknowable: boolean } {
  const judge = new Judge(foldGatewaySuite.judging);
  for (const event of trace.wait(1000).mark({ end: true }).events) judge.step(event);
  const found = judge.end().get(row);
  return {
    violated: (found?.violations.length ?? 0) > 0,
    exercised: (found?.exercised ?? 0) > 0,
    unknowable: found?.unknowable !== undefined,
  };
}

/** The end of an operator's call by the operator's set-up. */
const faults: readonly (readonly [name: string, code: number, message: string])[] = [
  [
    'a refused connection',
    14,
    "no answer from the gateway's HTTP face at x: connect ECONNREFUSED 127.0.0.1:1",
  ],
  ['a lost connection', 14, 'No connection established. Last error: connect ECONNREFUSED'],
  ['a bad proxy', 14, 'HTTP 502 Bad Gateway'],
  ['refused credentials', 16, 'HTTP 401'],
  ['a forbidden call', 7, 'HTTP 403'],
];

const unjudged = { violated: false, exercised: false, unknowable: true };

describe.each(faults)('%s is no answer', (_, code, message) => {
  const fails = (trace: Trace, op: string): Trace => trace.put(op, 'target', 'end', { code, message });
  const send = (trace: Trace): Trace =>
    fails(trace.call('o1', { send: { content: 'x', sender: 'w', agent_id: 'a-1' } }), 'o1');

  it('to a send for an absent agent', () => {
    const trace = new Trace().call('o1', { send: { content: 'x', sender: 'w', agent_id: 'ghost' } });
    expect(rowOf(fails(trace, 'o1'), 'FOLD-G26')).toEqual(unjudged);
  });
  it('to a send after a second registration of the id', () => {
    const trace = ready().open('agent', 's2').put('s2', 'target', 'headers');
    trace.says('s2', { register: { agent_id: 'a-1' } }).wait(400);
    expect(rowOf(send(trace), 'FOLD-G07')).toEqual(unjudged);
  });
  it('to a send after a second register', () => {
    const trace = ready()
      .says('s1', { register: { agent_id: 'a-2' } })
      .wait(10);
    const { violated, unknowable } = rowOf(send(trace), 'FOLD-G09');
    expect({ violated, unknowable }).toEqual({ violated: false, unknowable: true });
  });
  it('to an injection for an agent without the feature', () => {
    const trace = new Trace().agent('s1', 'a-1', { protocol_features: [] });
    trace.call('o1', { inject: { agent_id: 'a-1', content: 'x' } });
    expect(rowOf(fails(trace, 'o1'), 'FOLD-G14')).toEqual(unjudged);
  });
});

describe('an answer of the gateway itself', () => {
  it.each([5, 14])('with the status %i fails a send for an absent agent', (code) => {
    const trace = new Trace().call('o1', { send: { content: 'x', sender: 'w', agent_id: 'ghost' } });
    expect(rowOf(trace.ends('o1', code), 'FOLD-G26')).toEqual({
      violated: false,
      exercised: true,
      unknowable: false,
    });
  });
});

describe('attachments', () => {
  const file = { filename: 'a', mime_type: 'text/plain', data: 'aGk=' };
  const lost = (drive: string): Trace => {
    const trace = new Trace({ drive }).agent('s1', 'a-1');
    trace.call('o1', { send: { content: 'x', sender: 'w', agent_id: 'a-1', attachments: [file] } });
    return trace.hears('s1', {
      send_message: { request_id: 'r', thread_id: 't', sender: 'w', content: 'x' },
    });
  };
  it('need not be carried over HTTP, and by commands', () => {
    expect(rowOf(lost('http'), 'FOLD-G60')).toEqual(unjudged);
    expect(rowOf(lost('command'), 'FOLD-G60')).toEqual(unjudged);
  });
  it('are carried by ClientService', () => {
    expect(rowOf(lost('client-service'), 'FOLD-G60').violated).toBe(true);
  });
});

describe('an operator with commands', () => {
  it('may have no place for a sender, a source and a reason', () => {
    const trace = new Trace({ drive: 'command' }).agent('s1', 'a-1');
    trace.call('o1', { send: { content: 'x', sender: 'w', agent_id: 'a-1' } });
    trace.hears('s1', { send_message: { request_id: 'r', thread_id: 't', sender: 'cli', content: 'x' } });
    trace.call('o2', { inject: { agent_id: 'a-1', content: 'y', priority: 'immediate', source: 'ci' } });
    trace.hears('s1', {
      inject_context: {
        injection_id: 'i',
        content: 'y',
        priority: 'INJECTION_PRIORITY_IMMEDIATE',
        source: 'cli',
      },
    });
    trace.call('o3', { cancel: { request_id: 'r', reason: 'enough' } });
    trace.hears('s1', { cancel_request: { request_id: 'r', reason: 'cli' } });
    expect(rowOf(trace, 'FOLD-G55')).toMatchObject({ violated: false, exercised: true });
    expect(rowOf(trace, 'FOLD-G56')).toMatchObject({ violated: false, exercised: false });
    expect(rowOf(trace, 'FOLD-G59')).toEqual(unjudged);
  });
});

describe('a call of a pack tool', () => {
  const served = (): Trace =>
    new Trace()
      .open('pack', 'p1')
      .says('p1', { manifest: { pack_id: 'p', tools: [{ name: 'echo', input_schema_json: '{}' }] } });
  const called = (trace: Trace): Trace =>
    trace.says('s1', { execute_pack_tool: { request_id: 'c', tool_name: 'echo', input_json: '{}' } });
  const failed = { pack_tool_result: { request_id: 'c', error: 'unknown tool' } };

  it('may come before the gateway knows the tool', () => {
    const trace = called(served().agent('s1', 'a-1')).hears('s1', failed);
    expect(rowOf(trace, 'FOLD-G48')).toMatchObject({ violated: false, exercised: false });
  });
  it('may fail with its pack', () => {
    const trace = called(served().wait(400).agent('s1', 'a-1'));
    trace.hears('p1', { execute_tool: { tool_name: 'echo', input_json: '{}', request_id: 'x' } });
    expect(rowOf(trace.leaves('p1').hears('s1', failed), 'FOLD-G48')).toMatchObject({ violated: false });
  });
  it('does not fail for nothing', () => {
    const trace = called(served().wait(400).agent('s1', 'a-1')).hears('s1', failed);
    expect(rowOf(trace, 'FOLD-G48')).toMatchObject({ violated: true });
  });
});

describe('the messages of losses', () => {
  it('say how many events did not come, beyond those that are kept', () => {
    const trace = ready().send('o1', 's1', 'a-1', 'r1');
    for (let i = 0; i < 600; i++) trace.answer('s1', 'r1', { text: `<${i}>` });
    trace.hears('o1', { text: { text: '<599>' } }).done('o1', 's1', 'r1');
    const judge = new Judge(foldGatewaySuite.judging);
    for (const event of trace.events) judge.step(event);
    expect(judge.end().get('FOLD-G20')?.violations[0]?.message).toContain('; 599 did not before its end');
  });
  it('name the entries of usage that came', () => {
    const trace = ready()
      .send('o1', 's1', 'a-1', 'r1')
      .answer('s1', 'r1', { usage: { input_tokens: 5 } });
    const usage = {
      input_tokens: 5,
      output_tokens: 0,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      thinking_tokens: 0,
    };
    trace.hears('o1', { usage }).done('o1', 's1', 'r1');
    trace.call('o2', { thread_usage: { thread_id: 't-r1' } });
    trace.hears('o2', {
      thread_usage: { thread_id: 't-r1', usage: [{ request_id: 'r1', input_tokens: 9 }] },
    });
    const judge = new Judge(foldGatewaySuite.judging);
    for (const event of trace.ends('o2', 0).events) judge.step(event);
    expect(judge.end().get('FOLD-G28')?.violations[0]?.message).toContain('came r1 9/0/0/0/0');
  });
});
