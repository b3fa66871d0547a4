/** The client's decoder of Ollama's lines: the rules LLM-C01 to C20 and TOK-41, each on lines written by hand. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Decoded } from '../../messages.ts';
import { decodeIn } from '../shared/laws.test-helper.ts';
import { ollama } from './index.ts';

const line = (message: JsonObject, more: JsonObject = {}): string =>
  `${JSON.stringify({ model: 'm', message: { role: 'assistant', ...message }, done: false, ...more })}\n`;

const done = (more: JsonObject = { done_reason: 'stop' }): string =>
  line({ content: '' }, { done: true, ...more });

const calling = (...calls: readonly JsonObject[]): string => line({ content: '', tool_calls: calls });

const decode = (stream: string, how: 'clean' | 'reset' = 'clean'): Decoded =>
  decodeIn(ollama, new TextEncoder().encode(stream), undefined, how).decoded;

describe('content', () => {
  test('is joined; thoughts are separate', () => {
    const stream =
      line({ content: '', thinking: 'h' }) + line({ content: '', thinking: 'm' }) + line({ content: 'a' });
    const { response } = decode(stream + line({ content: 'b' }) + done());
    expect(response).toMatchObject({ content: 'ab', thinking: [{ text: 'hm' }], warnings: [] });
  });

  test('may also be in the last line, which needs no line end', () => {
    const last = line({ content: 'b' }, { done: true, done_reason: 'stop' }).trimEnd();
    expect(decode(line({ content: 'a' }) + last)).toMatchObject({ response: { content: 'ab' } });
  });
});

describe('calls', () => {
  const run = { id: 'c1', function: { index: 0, name: 'run', arguments: { a: 1 } } };

  test('come whole; then `stop` means that tools are called', () => {
    const { response } = decode(calling(run) + done());
    expect(response.toolCalls).toEqual([{ id: 'c1', name: 'run', input: { a: 1 } }]);
    expect(response.metadata.stopReason).toBe('tool_use');
  });

  test('without ids are numbered', () => {
    const { function: made } = run;
    const { response } = decode(calling({ function: made }, { function: made }) + done());
    expect(response.toolCalls.map((call) => call.id)).toEqual(['call_1', 'call_2']);
  });

  test.each([['[1]'], ['"{}"'], ['null']])(
    'with arguments %s, which are not an object, never run (C16)',
    (json) => {
      const call = { id: 'c1', function: { name: 'run', arguments: 'ARGUMENTS' } };
      const { response } = decode(calling(call).replace('"ARGUMENTS"', () => json) + done());
      expect(response.toolCalls).toEqual([]);
      expect(response.warnings).toHaveLength(1);
    },
  );

  test('with an integer beyond 2^53 are refused instead of changed (C20)', () => {
    const { response } = decode(calling(run).replace('"a":1', '"a":9007199254740993') + done());
    expect(response.toolCalls).toEqual([]);
    expect(response.warnings[0]).toContain('9007199254740993');
  });

  test('that were complete stay when the limit hits (C03)', () => {
    const { response } = decode(calling(run) + done({ done_reason: 'length' }));
    expect(response.toolCalls).toHaveLength(1);
    expect(response.metadata.stopReason).toBe('max_tokens');
  });
});

describe('the end', () => {
  test.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['load', 'end_turn'],
    ['unload', 'end_turn'],
  ])('%s means %s (TOK-41)', (word, reason) => {
    const { response } = decode(done({ done_reason: word }));
    expect(response).toMatchObject({ metadata: { stopReason: reason }, warnings: [] });
  });

  test.each([[{ done_reason: 'nap' }], [{}]])('with %j is unknown, with a warning (C18)', (more) => {
    const { response } = decode(done(more));
    expect(response.metadata.stopReason).toBe('unknown');
    expect(response.warnings).toHaveLength(1);
  });

  test('has the counts; one that is omitted is zero', () => {
    const { response } = decode(done({ done_reason: 'stop', eval_count: 3 }));
    expect(response.metadata.usage).toEqual({ inputTokens: 0, outputTokens: 3 });
    expect(decode(done()).response.metadata).not.toHaveProperty('usage');
  });

  test.each(['clean', 'reset'] as const)('without done: true is an error, %s (C06)', (how) => {
    const { response, error } = decode(line({ content: 'so far' }) + '{"model":"m","mes', how);
    expect(error?.kind).toBe(how === 'clean' ? 'truncated-stream' : 'connection');
    expect(response).toMatchObject({ content: 'so far', metadata: { stopReason: 'error' } });
  });

  test('by an error line is that error (C07)', () => {
    const { response, error } = decode(`${line({ content: 'so far' })}{"error":"it broke"}\n${done()}`);
    expect(error).toEqual({ kind: 'provider', message: 'it broke', retryable: false });
    expect(response.content).toBe('so far');
  });

  test('nesting of any depth in any field throws nothing', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    expect(decode(`{"error":${deep}}\n`).error?.message).toBe('an error without a message');
    const call = `{"function":{"name":"run","arguments":{"a":${deep}}}}`;
    const { response } = decode(`{"message":{"content":${deep},"tool_calls":[${call}]}}\n${done()}`);
    expect(response).toMatchObject({ toolCalls: [], warnings: [expect.stringContaining('levels')] });
  });

  test('with two reasons has the limit', () => {
    const both = line({ content: '' }, { done_reason: 'length' }) + done();
    expect(decode(both).response.metadata.stopReason).toBe('max_tokens');
  });
});

describe('lines', () => {
  test('that are not a JSON object are a protocol error', () => {
    expect(decode(`nonsense\n${done()}`).error?.kind).toBe('protocol');
    expect(decode(`[1]\n${done()}`).error?.kind).toBe('protocol');
  });

  test('with unknown fields are read (C12)', () => {
    expect(decode(line({ content: 'a', mood: 1 }, { x: [] }) + done()).response).toMatchObject({
      content: 'a',
      warnings: [],
    });
  });

  test.each([{ event: 100 }, { response: 300 }])('%j: beyond it, a protocol error', (limits) => {
    const decoder = ollama.decoder(limits);
    decoder.push(new TextEncoder().encode(line({ content: 'x'.repeat(500) })));
    expect(decoder.end('clean').error?.kind).toBe('protocol');
  });
});

describe('a response that is not streamed', () => {
  const read = (body: string, status = 200): Decoded =>
    ollama.readWhole(status, {}, new TextEncoder().encode(body));

  test('is one object', () => {
    expect(read(line({ content: 'a' }, { done: true, done_reason: 'stop' })).response.content).toBe('a');
  });

  test('of an error status is that error', () => {
    expect(read('{"error":"model \\"x\\" not found"}', 404).error).toEqual({
      kind: 'provider',
      status: 404,
      type: 'not_found',
      message: 'model "x" not found',
      retryable: false,
    });
    expect(read('busy', 503).error).toMatchObject({ type: 'overloaded', retryable: true });
  });

  test.each(['', '[]', line({ content: 'a' })])(
    'that is not done or not an object (%j) is a protocol error',
    (body) => {
      expect(read(body).error?.kind).toBe('protocol');
    },
  );
});
