/** The client's decoder of Chat Completions: streams as servers have sent them, written by hand (LLM-C01 to C20). */
import { describe, expect, it } from 'vitest';
import type { Decoded, ResponseEvent } from '../../messages.ts';
import { decodeIn } from '../shared/laws.test-helper.ts';
import { streamOf } from '../openai/answers.test-helper.ts';
import { openaiChat } from './index.ts';

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const text = (content: string) => chunk({ content });
const finish = (reason: string) => chunk({}, reason);
const begun = (index: number, id: string, name = 'get', args = '') =>
  chunk({ tool_calls: [{ index, id, type: 'function', function: { name, arguments: args } }] });
const more = (index: number, args: string) =>
  chunk({ tool_calls: [{ index, function: { arguments: args } }] });

const read = (...events: (object | string)[]): Decoded => decodeIn(openaiChat, streamOf(...events)).decoded;
const eventsOf = (...events: (object | string)[]): readonly ResponseEvent[] =>
  decodeIn(openaiChat, streamOf(...events)).events;

describe('calls', () => {
  it('are distinguished by index, with any interleaving (LLM-C17)', () => {
    const { response } = read(
      begun(0, 'a'),
      begun(1, 'b'),
      more(1, '{"y"'),
      more(0, '{"x":'),
      more(1, ':2}'),
      more(0, '1}'),
      finish('tool_calls'),
      '[DONE]',
    );
    expect(response.toolCalls).toEqual([
      { id: 'a', name: 'get', input: { x: 1 } },
      { id: 'b', name: 'get', input: { y: 2 } },
    ]);
  });

  it('are distinguished by id when all have the same index', () => {
    const { response } = read(
      begun(0, 'a', 'get', '{}'),
      begun(0, 'b', 'get', '{"y":'),
      more(0, '2}'),
      finish('tool_calls'),
      '[DONE]',
    );
    expect(response.toolCalls.map(({ id, input }) => [id, input])).toEqual([
      ['a', {}],
      ['b', { y: 2 }],
    ]);
  });

  it('are shown piece by piece, and as calls only when the response is over', () => {
    expect(eventsOf(begun(0, 'a'), more(0, '{"x":'), more(0, '1}'), finish('tool_calls'), '[DONE]')).toEqual([
      { type: 'tool_start', id: 'a', name: 'get' },
      { type: 'tool_input', id: 'a', partial: '{"x":' },
      { type: 'tool_input', id: 'a', partial: '1}' },
      { type: 'tool_call', id: 'a', name: 'get', input: { x: 1 } },
      { type: 'stop', reason: 'tool_use' },
    ]);
  });

  it('that the limit cut are open and never run; earlier calls may run (LLM-C01, LLM-C03, LLM-C04)', () => {
    const { response, error } = read(
      begun(0, 'a', 'get', '{"x":1}'),
      begun(1, 'b', 'get', '{"path":"/'),
      finish('length'),
      '[DONE]',
    );
    expect(error).toBeUndefined();
    expect(response.metadata.stopReason).toBe('max_tokens');
    expect(response.toolCalls).toEqual([{ id: 'a', name: 'get', input: { x: 1 } }]);
    expect(response.open).toEqual({ id: 'b', name: 'get', partial: '{"path":"/' });
  });

  it.each(['tool_calls', 'stop'])(
    'with broken arguments never run, though the server says %s (LLM-C05)',
    (word) => {
      const { response } = read(begun(0, 'a', 'get', '{"path":"/'), finish(word), '[DONE]');
      expect(response.toolCalls).toEqual([]);
      expect(response.open).toEqual({ id: 'a', name: 'get', partial: '{"path":"/' });
      expect(response.warnings).toEqual([expect.stringContaining('is refused')]);
    },
  );

  it.each(['[1]', '"x"', '1', 'null', 'true'])('with the arguments %s never run (LLM-C16)', (args) => {
    const { response } = read(begun(0, 'a', 'get', args), finish('tool_calls'), '[DONE]');
    expect(response.toolCalls).toEqual([]);
    expect(response.warnings).toEqual([expect.stringContaining('expected a JSON object')]);
  });

  it('with an integer beyond 2^53 are refused, not changed (LLM-C20)', () => {
    const { response } = read(
      begun(0, 'a', 'get', '{"id":9007199254740993}'),
      finish('tool_calls'),
      '[DONE]',
    );
    expect(response.toolCalls).toEqual([]);
    expect(response.warnings).toEqual([expect.stringContaining('9007199254740993')]);
  });

  it('without an id or a name are refused (LLM-S06)', () => {
    const { response } = read(
      more(0, '{}'),
      begun(1, '', 'get', '{}'),
      begun(2, 'c', '', '{}'),
      finish('tool_calls'),
      '[DONE]',
    );
    expect(response.toolCalls).toEqual([]);
    expect(response.warnings).toHaveLength(3);
  });
});

describe('the end', () => {
  it.each([
    ['stop', 'end_turn'],
    ['length', 'max_tokens'],
    ['tool_calls', 'tool_use'],
    ['function_call', 'tool_use'],
    ['content_filter', 'content_filter'],
  ])('%s is %s', (word, reason) => {
    expect(read(text('a'), finish(word), '[DONE]').response.metadata.stopReason).toBe(reason);
  });

  it('with an unknown word is unknown, with a warning (LLM-C18)', () => {
    const { decoded } = decodeIn(openaiChat, streamOf(text('a'), finish('eos'), '[DONE]'));
    expect(decoded.response.metadata.stopReason).toBe('unknown');
    expect(decoded.response.warnings).toEqual([expect.stringContaining('"eos"')]);
  });

  it('with two words is the word that runs fewer calls, with a warning', () => {
    for (const words of [
      ['length', 'tool_calls'],
      ['tool_calls', 'length'],
    ]) {
      const { response } = read(begun(0, 'a', 'get', '{"x'), ...words.map(finish), '[DONE]');
      expect(response.metadata.stopReason).toBe('max_tokens');
      expect(response.warnings).toEqual([expect.stringContaining('one finish_reason')]);
    }
  });

  it('keeps the raw word, and is done with [DONE]', () => {
    const decoder = openaiChat.decoder();
    decoder.push(streamOf(text('a'), finish('length')));
    expect(decoder.done).toBe(false);
    decoder.push(streamOf('[DONE]'));
    expect([decoder.done, decoder.rawStop]).toEqual([true, 'length']);
  });

  it.each([
    ['no finish_reason', [text('a'), '[DONE]']],
    ['nothing at all', []],
  ])('with %s is an error, and the received part is kept (LLM-C06)', (_, events) => {
    const { response, error } = read(...events);
    expect(error).toMatchObject({ kind: 'truncated-stream', retryable: true });
    expect(response.content).toBe(events.length > 0 ? 'a' : '');
  });
});

describe('servers that differ from the official API', () => {
  // Perplexity, 3 of 3 recorded streams.
  it('may end the body behind the finish reason, without [DONE]', () => {
    const { response, error } = read(text('a'), finish('stop'));
    expect(error).toBeUndefined();
    expect(response).toMatchObject({ content: 'a', metadata: { stopReason: 'end_turn' } });
  });

  it('may call with function_call, the old form', () => {
    const old = (more: object) => ({ choices: [{ index: 0, delta: { function_call: more } }] });
    const { response, error } = read(
      old({ name: 'get', arguments: '' }),
      old({ arguments: '{"x"' }),
      old({ arguments: ':1}' }),
      finish('function_call'),
      '[DONE]',
    );
    expect(error).toBeUndefined();
    expect(response.toolCalls).toEqual([{ id: 'function_call', name: 'get', input: { x: 1 } }]);
    expect(response.metadata.stopReason).toBe('tool_use');
  });

  it('may send several choices, of which the first counts', () => {
    const choice = (index: number, content: string) => ({ choices: [{ index, delta: { content } }] });
    const { response } = read(choice(0, 'a'), choice(1, 'x'), choice(0, 'b'), finish('stop'), '[DONE]');
    expect(response.content).toBe('ab');
  });
});

describe('an error in mid-stream (LLM-C07)', () => {
  it('is an error, and keeps the text that came', () => {
    const { response, error } = read(
      text('Hel'),
      { error: { message: 'busy', type: 'server_error', code: null, param: null } },
      text('lo'),
    );
    expect(error).toEqual({ kind: 'provider', type: 'server', message: 'busy', retryable: true });
    expect(response.content).toBe('Hel');
    expect(response.metadata.stopReason).toBe('error');
  });

  it('may be a bare string, as some servers have it', () => {
    expect(read({ error: 'busy' }).error).toMatchObject({ kind: 'provider', message: 'busy' });
  });

  it('is a protocol error when an event is not JSON', () => {
    expect(read(text('a'), '{"choices":').error).toMatchObject({ kind: 'protocol' });
  });
});

describe('unknown content', () => {
  it('is ignored: fields, objects, comments, event names, padding, other choices (LLM-C12)', () => {
    const odd = Buffer.from(
      ': OPENROUTER PROCESSING\r\n\r\nevent: ping\r\ndata: {"type":"ping"}\r\n\r\nid: 4\r\n\r\n',
    );
    const bytes = Buffer.concat([
      odd,
      streamOf({ ...text('a'), obfuscation: 'xyz', provider: 'p' }),
      streamOf({ choices: [{ index: 1, delta: { content: 'other' } }] }, { choices: null }, { object: 'x' }),
      odd,
      streamOf(finish('stop'), '[DONE]'),
    ]);
    const { response, error } = decodeIn(openaiChat, bytes).decoded;
    expect(error).toBeUndefined();
    expect(response).toMatchObject({
      content: 'a',
      warnings: [],
      metadata: { modelInfo: 'm', stopReason: 'end_turn' },
    });
  });
});

describe('usage', () => {
  const usage = (prompt: number, output: number, more: object = {}) => ({
    choices: [],
    usage: { prompt_tokens: prompt, completion_tokens: output, total_tokens: prompt + output, ...more },
  });

  it('is the last one received, never a sum (LLM-C13)', () => {
    const { response } = read(usage(10, 1), text('a'), usage(10, 2), finish('stop'), usage(10, 3), '[DONE]');
    expect(response.metadata.usage).toEqual({ inputTokens: 10, outputTokens: 3 });
  });

  it('counts cached tokens separately from the rest of the prompt, as in every dialect', () => {
    const { response } = read(
      finish('stop'),
      usage(30, 5, {
        prompt_tokens_details: { cached_tokens: 20, audio_tokens: 0 },
        completion_tokens_details: { reasoning_tokens: 4 },
      }),
      '[DONE]',
    );
    expect(response.metadata.usage).toEqual({
      inputTokens: 10,
      outputTokens: 5,
      cacheReadTokens: 20,
      thinkingTokens: 4,
    });
  });
});

describe('an answer that is not streamed', () => {
  const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

  it('is read like a stream of one', () => {
    const message = {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'get', arguments: '{"x":1}' } }],
    };
    const { response, error } = openaiChat.readWhole(
      200,
      {},
      bytes({ model: 'm', choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }),
    );
    expect(error).toBeUndefined();
    expect(response.toolCalls).toEqual([{ id: 'a', name: 'get', input: { x: 1 } }]);
    expect(response.metadata.stopReason).toBe('tool_use');
  });

  it('is an error by its status, with the hints for asking again (LLM-C09)', () => {
    const body = bytes({
      error: { message: 'slow', type: 'requests', param: null, code: 'rate_limit_exceeded' },
    });
    expect(openaiChat.readWhole(429, { 'retry-after': '2' }, body).error).toEqual({
      kind: 'provider',
      status: 429,
      type: 'rate_limit',
      message: 'slow',
      retryAfterMs: 2000,
      retryable: true,
    });
    expect(openaiChat.readWhole(429, { 'x-should-retry': 'false' }, body).error?.retryable).toBe(false);
    expect(openaiChat.readWhole(400, {}, body).error?.retryable).toBe(false);
    expect(openaiChat.readWhole(502, {}, Buffer.from('<html>')).error).toMatchObject({
      status: 502,
      retryable: true,
    });
  });

  it('is a protocol error when it is not a JSON object', () => {
    expect(openaiChat.readWhole(200, {}, Buffer.from('<html>')).error?.kind).toBe('protocol');
    expect(openaiChat.readWhole(200, {}, bytes([])).error?.kind).toBe('protocol');
  });

  it.each(['overloaded', 'rate_limit', 'invalid_request', 'authentication', 'not_found', 'server'])(
    'reads an error of the type %s back as written',
    (type) => {
      const { status, headers, body } = openaiChat.errorBody(
        { type, message: 'no', retryAfterMs: 1500, shouldRetry: true },
        'req_1',
      );
      expect(headers['x-request-id']).toBe('req_1');
      expect(openaiChat.readWhole(status, headers, bytes(body)).error).toEqual({
        kind: 'provider',
        status,
        type,
        message: 'no',
        retryAfterMs: 1500,
        retryable: true,
      });
    },
  );
});
