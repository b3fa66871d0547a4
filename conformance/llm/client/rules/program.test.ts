/** Whole programs are judged by their next requests. Clients that never answer are judged when the time is over. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { Trace, call } from '../trace.test-helper.ts';
import type { Judged } from '../trace.test-helper.ts';

const question = { role: 'user', content: 'Hi.' };
const body = (...messages: readonly Json[]): JsonObject => ({
  model: 'm',
  max_tokens: 99,
  messages: [question, ...messages],
});

/** The next request of a program, with the result of a call. */
const bringing = (id: string, name: string, isError: boolean): JsonObject =>
  body(
    { role: 'assistant', content: [{ type: 'tool_use', id, name, input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'done', is_error: isError }] },
  );

const told = call('{"a":', false);
const cut = { calls: [told], stop: 'max_tokens' };

/** A program whose call was cut, and that makes another request. */
const after = (answered: JsonObject, next: JsonObject): Judged =>
  new Trace().request(body()).answered(answered).request(next).answered({}).judged();

describe('a whole program', () => {
  it('has run a call if it sends a result that is not an error (LLM-C01)', () => {
    const { violated } = after(cut, bringing(String(told['id']), 'f', false));
    expect(Object.keys(violated)).toEqual(['LLM-C01']);
    expect(violated['LLM-C01']).toHaveLength(1);
  });

  it('has not run a call if it sends an error, or no result', () => {
    const answered = after(cut, bringing(String(told['id']), 'f', true));
    expect(answered.violated).toEqual({});
    expect(answered.exercised).toContain('LLM-C01');
    expect(after(cut, body()).exercised).toContain('LLM-C01');
  });

  it('is not judged when it makes no further request', () => {
    const { exercised, violated } = new Trace().request(body()).answered(cut).judged();
    expect(violated).toEqual({});
    expect(exercised).not.toContain('LLM-C01');
  });

  it.each([
    ['LLM-C02', call('{"a":1,}'), { stop: 'tool_use' }],
    ['LLM-C05', call('{"a":', false), { stop: 'max_tokens', signal: 'lying' }],
    ['LLM-C06', call('{"a":1}'), { stop: 'tool_use', signal: 'missing' }],
    ['LLM-C07', call('{"a":1}'), { stop: 'error', error: { type: 'server', message: 'x' } }],
    ['LLM-C16', call('[1]'), { stop: 'tool_use' }],
  ] as const)('violates %s, the requirement that forbids the call', (row, one, how) => {
    const { violated } = after({ calls: [one], ...how }, bringing(String(one['id']), 'f', false));
    expect(Object.keys(violated)).toContain(row);
  });

  it('violates once for each call, also when its result is sent again', () => {
    const next = bringing(String(told['id']), 'f', false);
    const { violated } = new Trace()
      .request(body())
      .answered(cut)
      .request(next)
      .answered({})
      .request(next)
      .answered({})
      .judged();
    expect(violated['LLM-C01']).toHaveLength(1);
  });

  it('may run complete calls', () => {
    const whole = call('{"a":1}');
    const { violated } = after(
      { calls: [whole], stop: 'tool_use' },
      bringing(String(whole['id']), 'f', false),
    );
    expect(violated).toEqual({});
  });
});

describe('a client that never answers after its response is over', () => {
  const silent = (answered: JsonObject, ms: number): Judged =>
    new Trace().ask().request(body()).answered(answered).wait(ms).line('tester', {}).judged();

  it('does not report a stream without a terminal as an error (LLM-C06)', () => {
    const { violated } = silent({ text: 'x', signal: 'missing' }, 15_000);
    expect(Object.keys(violated)).toEqual(['LLM-C06']);
  });

  it('hangs when the response was complete (LLM-C15)', () => {
    expect(Object.keys(silent({ text: 'x' }, 15_000).violated)).toEqual(['LLM-C15']);
  });

  it('may still answer within the timeout of a step', () => {
    expect(silent({ text: 'x' }, 14_000).violated).toEqual({});
  });
});
