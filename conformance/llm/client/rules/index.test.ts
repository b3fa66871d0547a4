import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, TraceEvent } from '../../../../src/kit/base/index.ts';
import { eventKinds } from '../../../../src/kit/base/index.ts';
import { Judge } from '../../../../src/kit/judge/index.ts';
import { clientRules } from './index.ts';
import { Trace, call, run } from '../trace.test-helper.ts';
import type { Judged } from '../trace.test-helper.ts';
import { clientJudging } from '../topics.ts';

const body: JsonObject = { messages: [{ role: 'user', content: 'Hi.' }], model: 'm', max_tokens: 9 };

/** One response, and the testee's answer. */
const one = (answered: JsonObject, says: JsonObject, dialect?: string): Judged =>
  new Trace(dialect).ask().request(body).answered(answered).says(says).judged();

describe('an execution', () => {
  // LLM-C01: "at any cut position", so also when only the stop reason shows the cut.
  it('violates LLM-C01 when the call was cut after its last brace', () => {
    const cut = { calls: [call('{"a":1}', false)], stop: 'max_tokens' };
    const { violated } = one(cut, { executed: [run({ a: 1 })], stop_reason: 'max_tokens' });
    expect(Object.keys(violated)).toEqual(['LLM-C01']);
  });

  // Such a call cannot be distinguished from a complete one.
  it('may be a call that was cut after its last brace, when the stop signal lies', () => {
    const cut = { calls: [call('{"a":1}', false)], stop: 'max_tokens', signal: 'lying' };
    expect(one(cut, { executed: [run({ a: 1 })] }).violated).toEqual({});
  });

  it.each([
    [['LLM-C01', 'LLM-C02'], call('{"a":', false), { stop: 'max_tokens' }],
    [['LLM-C02'], call('{"a":1,}'), { stop: 'tool_use' }],
    [['LLM-C02', 'LLM-C05'], call('{"a":', false), { stop: 'max_tokens', signal: 'contradictory' }],
    [['LLM-C02', 'LLM-C05'], call('{"a":1,}'), { stop: 'tool_use', signal: 'lying' }],
    // Without the fault of the stream, these would be a cut and a repair all the same.
    [['LLM-C02'], call('{"a":', false), { stop: 'tool_use', signal: 'missing' }],
    [['LLM-C02'], call('{"a":', false), { stop: 'error', error: { type: 'server', message: 'x' } }],
    [['LLM-C16'], call('[1]'), { stop: 'tool_use' }],
  ])('violates %s, the requirements that forbid it', (rows, told, how) => {
    const says = { executed: [run({ a: 1 })], error: { message: 'x' }, stop_reason: 'max_tokens' };
    expect(Object.keys(one({ calls: [told], ...how }, says).violated)).toEqual(rows);
  });

  it.each([
    ['LLM-C06', { stop: 'tool_use', signal: 'missing' }],
    ['LLM-C07', { stop: 'error', error: { type: 'server', message: 'x' } }],
  ] as const)('may be a complete call before %s, if an error is reported', (row, how) => {
    const told = { calls: [call('{"a":1}')], ...how };
    const says = { executed: [run({ a: 1 })], tool_calls: [run({ a: 1 })] };
    expect(one(told, { ...says, error: { message: 'x' } }).violated).toEqual({});
    expect(Object.keys(one(told, says).violated)).toEqual([row]);
  });

  it('belongs to the later answer, if the model makes the call again after an answer that broke off', () => {
    const told = call('{"a":1}');
    const { violated } = new Trace()
      .ask()
      .request({ model: 'm', messages: [{ role: 'user', content: '1' }] })
      .answered({ calls: [told], stop: 'tool_use', signal: 'missing' })
      .request({ model: 'm', messages: [{ role: 'user', content: '2' }] })
      .answered({ calls: [told], stop: 'tool_use' })
      .says({ executed: [run({ a: 1 })], tool_calls: [run({ a: 1 })], stop_reason: 'tool_use' })
      .judged();
    expect(violated).not.toHaveProperty('LLM-C06');
  });

  it('may be each call once, with its members in any order', () => {
    const told = { calls: [call('{"a":1,"b":2}')], stop: 'tool_use' };
    const input = { b: 2, a: 1 };
    const calls = [run(input)];
    expect(one(told, { executed: [run(input)], tool_calls: calls }).violated).toEqual({});
    const twice = one(told, { executed: [run(input), run(input)], tool_calls: calls });
    expect(Object.keys(twice.violated)).toEqual(['LLM-C30']);
  });

  it('with a wrong input violates LLM-C17 when there are several calls, else LLM-C30', () => {
    const says = { executed: [run({ a: 9 })], tool_calls: [run({ a: 1 }), run({ a: 2 })] };
    const two = { calls: [call('{"a":1}'), call('{"a":2}')], stop: 'tool_use' };
    expect(Object.keys(one(two, says).violated)).toEqual(['LLM-C17']);
    const single = { calls: [call('{"a":1}')], stop: 'tool_use' };
    expect(Object.keys(one(single, says).violated)).toEqual(['LLM-C30']);
  });

  it('without a call exercises no requirement about calls', () => {
    const { exercised } = one({ text: 'Hi.' }, { text: 'Hi.', stop_reason: 'end_turn' });
    const offered = ['LLM-C01', 'LLM-C02', 'LLM-C03', 'LLM-C05', 'LLM-C06', 'LLM-C07', 'LLM-C16', 'LLM-C17'];
    expect(exercised.filter((row) => offered.includes(row))).toEqual([]);
  });
});

describe('calls before a cut', () => {
  const cut = { calls: [call('{"a":1}'), call('{"a":2}'), call('{"a":', false)], stop: 'max_tokens' };
  const limit = { stop_reason: 'max_tokens' };

  it.each([
    [{ tool_calls: [run({ a: 1 }), run({ a: 2 })] }, true],
    [{ executed: [run({ a: 1 }), run({ a: 2 })] }, true],
    [{ tool_calls: [run({ a: 2 }), run({ a: 1 })] }, false],
    [{ tool_calls: [run({ a: 1 })] }, false],
  ] as const)('are kept in order, reported or executed: %j is allowed: %s', (says, fine) => {
    const { violated, exercised } = one(cut, { ...limit, ...says });
    expect('LLM-C03' in violated).toBe(!fine);
    expect(exercised.includes('LLM-C03')).toBe(fine);
  });
});

describe('a text', () => {
  const turn = (text: string): Judged =>
    new Trace()
      .ask()
      .request(body)
      .answered({ text: 'First.', calls: [call('{}')], stop: 'tool_use' })
      .request({ ...body, model: 'other' })
      .answered({ text: 'Last.' })
      .says({ text, tool_calls: [run({})], stop_reason: 'end_turn' })
      .judged();

  // The operation allows both.
  it.each(['Last.', 'First.Last.', 'First.\nLast.'])('may be of the last response or of all: %j', (text) => {
    expect(turn(text).exercised).toContain('LLM-C30');
  });

  it.each(['First.', '', 'Last'])('must be complete: %j is not', (text) => {
    expect(Object.keys(turn(text).violated)).toContain('LLM-C30');
  });
});

describe('usage', () => {
  const usage = (said: JsonObject): Judged =>
    new Trace()
      .ask()
      .request(body)
      .answered({ calls: [call('{}')], stop: 'tool_use', usage: { inputTokens: 10, outputTokens: 5 } })
      .request({ ...body, model: 'other' })
      .answered({ text: 'x', usage: { inputTokens: 20, outputTokens: 7, cacheReadTokens: 3 } })
      .says({ text: 'x', tool_calls: [run({})], usage: said, stop_reason: 'end_turn' })
      .judged();

  it.each([
    { input_tokens: 20, output_tokens: 7 },
    { inputTokens: 30, outputTokens: 12 },
    { inputTokens: 23, outputTokens: 7 },
  ])('may be of the last response or of all, with or without cached tokens: %j', (said) => {
    expect(usage(said).exercised).toContain('LLM-C13');
  });

  it.each([
    { input_tokens: 20, output_tokens: 8 },
    { input_tokens: 40, output_tokens: 7 },
  ])('is violated by %j', (said) => {
    expect(Object.keys(usage(said).violated)).toEqual(['LLM-C13']);
  });

  it('that a testee does not report is not exercised', () => {
    const { exercised, violated } = one({ text: 'x' }, { text: 'x' });
    expect([exercised.includes('LLM-C13'), 'LLM-C13' in violated]).toEqual([false, false]);
  });
});

describe('attempts', () => {
  const refused = (status: number, times: number, other = false): Judged => {
    const trace = new Trace().ask();
    for (let i = 0; i < times; i++)
      trace.request(other ? { ...body, model: `m${i}` } : body, { error: 'No.', status, turn: 0 }).wait(100);
    return trace.says({ error: { message: 'No.' } }).judged();
  };

  it.each([400, 401, 403, 404, 413, 422])('must stop after status %i', (status) => {
    expect(Object.keys(refused(status, 2).violated)).toContain('LLM-C09');
    expect(refused(status, 1).exercised).toContain('LLM-C09');
  });

  it.each([408, 409, 429, 500, 529])('may follow status %i, ten times', (status) => {
    expect(refused(status, 10).exercised).toContain('LLM-C09');
    expect(Object.keys(refused(status, 11).violated)).toEqual(['LLM-C09']);
  });

  // llm.md, Ollama (d): a cut call may be dropped silently, so that no part of the answer reached the client.
  it.each([
    [5, ['LLM-C09']],
    [0, []],
  ])('may follow an answer only before its first event: after %i events they violate %j', (units, rows) => {
    const lost = { calls: [call('{"a":', false)], signal: 'missing', stop: 'max_tokens', units };
    const trace = new Trace().ask().request(body).answered(lost).request(body).answered({ text: 'x' });
    expect(Object.keys(trace.says({ text: 'x', stop_reason: 'end_turn' }).judged().violated)).toEqual(rows);
  });

  it('are not attempts when the request differs', () => {
    expect(refused(400, 2, true).violated).toEqual({});
  });

  // RFC 9110, 10.2.3: retry-after in seconds; the more precise value is used.
  it.each([
    [{ 'retry-after': '2' }, 1990, true],
    [{ 'retry-after': '2' }, 1500, false],
    [{ 'retry-after': '2', 'retry-after-ms': '300' }, 300, true],
  ] as const)('wait as long as %j asks: after %i ms is allowed: %s', (headers, ms, fine) => {
    const { exercised, violated } = new Trace()
      .ask()
      .request(body, { error: 'Busy.', status: 529, turn: 0 })
      .wire('provider', 'headers', { ':status': '529', ...headers })
      .wait(ms)
      .request(body)
      .answered({ text: 'x' })
      .says({ text: 'x', stop_reason: 'end_turn' })
      .judged();
    expect([exercised.includes('LLM-C22'), 'LLM-C22' in violated]).toEqual([fine, !fine]);
  });
});

describe('a dialect that the testee does not speak', () => {
  const wrong = { calls: [call('{"a":', false)], stop: 'max_tokens' };

  it('is not judged when its hello does not name it', () => {
    const trace = new Trace('ollama', { dialects: ['anthropic'] }).ask().request(body).answered(wrong);
    expect(trace.says({ executed: [run({})] }).judged()).toEqual({ exercised: [], violated: {} });
  });

  it('is not judged when it says unsupported', () => {
    const trace = new Trace('ollama').ask().line('target', { id: 't', unsupported: true });
    expect(trace.judged()).toEqual({ exercised: [], violated: {} });
  });
});

describe('an abort', () => {
  const aborted = (messages: number): Trace => {
    const trace = new Trace().ask({ abort_after_events: 2 }).request(body);
    for (let i = 0; i < messages; i++) trace.wire('provider', 'message', { data: {} });
    return trace;
  };

  it('is judged only after the set number of events', () => {
    expect(aborted(2).wait(9000).judged()).toEqual({ exercised: [], violated: {} });
    expect(Object.keys(aborted(3).wait(9000).judged().violated)).toEqual(['LLM-C10']);
  });

  it.each(['end', 'reset'] as const)('may be seen as the %s of the stream', (kind) => {
    expect(aborted(3).wait(100).wire('target', kind).judged().exercised).toEqual(['LLM-C10']);
  });
});

describe('a stall', () => {
  const stall = { text: 'x', signal: 'missing', outcome: 'stall' };
  const turn = (): Trace => new Trace().ask({ timeout_ms: 1000 }).request(body).answered(stall);

  // The set 1000 ms, and 2000 ms of slack.
  it.each([
    [3000, []],
    [3001, ['LLM-C23']],
    [30_001, ['LLM-C23', 'LLM-C15']],
  ])('may last as long as the caller set: an answer after %i ms violates %j', (ms, rows) => {
    const { violated } = turn()
      .wait(ms)
      .says({ text: 'x', error: { message: 'timeout' } })
      .judged();
    expect(Object.keys(violated).toSorted()).toEqual(rows.toSorted());
  });

  it('is over for a client that asks again', () => {
    const again = turn()
      .wait(2000)
      .request({ ...body, model: 'other' })
      .answered({ text: 'y' });
    const { violated } = again.wait(9000).says({ text: 'y', stop_reason: 'end_turn' }).judged();
    expect(violated).toEqual({});
  });

  it('is not exercised when the trace ends before the time is over', () => {
    expect(turn().wait(900).line('tester', {}).judged()).toEqual({ exercised: [], violated: {} });
  });
});

const anyEvent = (seq: number): fc.Arbitrary<TraceEvent> =>
  fc.record({
    seq: fc.constant(seq),
    at: fc.constant(seq),
    wire: fc.constantFrom('llm', 'testee'),
    conn: fc.constant('c'),
    stream: fc.constantFrom('s1', 's2', ''),
    from: fc.constantFrom('target', 'provider', 'tester', 'kit'),
    to: fc.constantFrom('target', 'provider', 'tester', 'kit'),
    kind: fc.constantFrom(...eventKinds),
    data: fc.oneof(
      fc.constantFrom<JsonObject>(
        { id: 't', op: 'llm.turn', dialect: 'anthropic', abort_after_events: 1, timeout_ms: 5 },
        { id: 't', ok: { executed: [{ name: 'f', input: {} }, 7], tool_calls: {}, usage: [] } },
        { told: 'request', detail: { exchange: 's1', dialect: 'anthropic' } },
        {
          told: 'answered',
          detail: { exchange: 's1', calls: [null, { name: 'f' }], stop: 'tool_use', signal: 'honest' },
        },
        { body: { messages: [{ role: 'assistant', content: [{}] }] } },
        { case: { noise: true } },
      ),
      fc.dictionary(
        fc.constantFrom('id', 'ok', 'told', 'detail', 'data', 'body', 'run', 'case'),
        fc.jsonValue() as fc.Arbitrary<Json>,
      ),
    ),
  });

// A trace may come from anywhere (`wireproof judge`).
it('the rules take any trace', () => {
  const traces = fc.tuple(...Array.from({ length: 12 }, (_, i) => anyEvent(i)));
  fc.assert(
    fc.property(traces, (events) => {
      const judge = new Judge({ rules: clientRules, ...clientJudging });
      for (const event of events) judge.step(event);
      judge.end();
    }),
    { numRuns: 500 },
  );
});
