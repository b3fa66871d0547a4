/** A whole program tells its caller of an answer that broke off: by a request, an exit code or a word (LLM-C06, LLM-C07). */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { Trace } from '../trace.test-helper.ts';

const tools = { tools: ['f'] };
const body = (...messages: readonly Json[]): JsonObject => ({
  model: 'm',
  max_tokens: 99,
  tools: [{ name: 'f', input_schema: { type: 'object' } }],
  messages: [{ role: 'user', content: 'Hi.' }, ...messages],
});
const text = 'It was a dark and';

describe.each([
  ['LLM-C06', { text, signal: 'missing' }],
  ['LLM-C06', { text, signal: 'missing', outcome: 'reset' }],
  ['LLM-C07', { text, stop: 'error', error: { type: 'overloaded', message: 'busy' } }],
] as const)('%s of a program', (row, how) => {
  const broken = (more: JsonObject = {}): Trace =>
    new Trace().request(body(), { ...tools, ...more }).prints('starting; errors go to /tmp/log');

  it('is violated by half an answer and exit code 0', () => {
    const { violated } = broken().answered(how).prints(text).exits(0).judged();
    expect(violated).toEqual({ [row]: [expect.stringMatching(/exit code 0, no further request.*dark and/)] });
  });

  it.each<[string, (trace: Trace) => Trace]>([
    ['an exit code that is not 0', (trace) => trace.exits(1)],
    ['a word on stderr', (trace) => trace.prints('Error: the stream ended', 'stderr').exits(0)],
    ['a word on stdout', (trace) => trace.prints('(incomplete)').exits(0)],
    ['a further request', (trace) => trace.request(body(), tools).answered({}).exits(0)],
  ])('is met by %s', (_, tells) => {
    const { violated, exercised } = tells(broken().answered(how)).judged();
    expect(violated).toEqual({});
    expect(exercised).toContain(row);
  });

  it('is not met by a request for a title', () => {
    const title = { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'A title?' }] };
    const { violated } = broken().answered(how).request(title, { tools: [] }).answered({}).exits(0).judged();
    expect(Object.keys(violated)).toEqual([row]);
  });

  it('cannot be judged while the program has not ended, or when it does not stream', () => {
    expect(broken().answered(how).unknowable()[row]).toMatch(/did not end in its time/);
    const whole = broken({ stream: false }).answered(how).exits(0);
    expect(whole.unknowable()[row]).toMatch(/does not stream/);
    expect(whole.judged().violated).toEqual({});
  });
});

describe('an answer that is whole', () => {
  it('needs no word', () => {
    const { violated, exercised } = new Trace().request(body(), tools).answered({ text }).exits(0).judged();
    expect(violated).toEqual({});
    expect(exercised).not.toContain('LLM-C06');
  });
});
