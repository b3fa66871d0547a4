/** The client's decoder of LM Studio's messages: llm.md, "Requirements: clients". */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import type { Decoded, DecoderLimits, ResponseEvent } from '../../messages.ts';
import { lmstudio } from './index.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function decode(messages: readonly (Json | string)[], limits: Partial<DecoderLimits> = {}) {
  const decoder = lmstudio.decoder(limits);
  const events: ResponseEvent[] = [];
  for (const message of messages)
    events.push(...decoder.push(bytes(typeof message === 'string' ? message : JSON.stringify(message))));
  const { done, rawStop } = decoder;
  return { ...decoder.end('clean'), events, done, rawStop };
}

const text = (content: string): Json => ({ type: 'fragment', fragment: { content, reasoningType: 'none' } });
const success = (stopReason = 'eosFound', stats: { [key: string]: Json } = {}): Json => ({
  type: 'success',
  stats: { stopReason, ...stats },
  modelInfo: { identifier: 'qwen3' },
});
const start = (toolCallId: string): Json => ({ type: 'toolCallGenerationStart', toolCallId });
const name = (of: string): Json => ({ type: 'toolCallGenerationNameReceived', name: of });
const piece = (content: string): Json => ({ type: 'toolCallGenerationArgumentFragmentGenerated', content });
const end = (id: string, input: Json, of = 'write'): Json => ({
  type: 'toolCallGenerationEnd',
  toolCallRequest: { id, type: 'function', name: of, arguments: input },
});

const callsOf = ({ response }: Decoded) => response.toolCalls;

describe('text', () => {
  it('is everything except thoughts and structure, as in the SDK', () => {
    const fragment = (content: string, reasoningType: string, isStructural = false): Json => ({
      type: 'fragment',
      fragment: { content, reasoningType, isStructural },
    });
    const { response } = decode([
      fragment('<think>', 'reasoningStartTag', true),
      fragment('a', 'reasoning'),
      fragment('b', 'reasoning'),
      fragment('</think>', 'reasoningEndTag', true),
      fragment('c', 'none'),
      fragment('<sep>', 'none', true),
      fragment('d', 'reasoning'),
      success(),
    ]);
    expect(response).toMatchObject({ content: 'c', thinking: [{ text: 'ab' }, { text: 'd' }] });
  });
});

describe('a call', () => {
  it('is complete with its end, and shown piece by piece', () => {
    const { events, response } = decode([
      start('c1'),
      name('write'),
      piece('{"a"'),
      piece(':1}'),
      end('c1', { a: 1 }),
      success('toolCalls'),
    ]);
    expect(response.toolCalls).toEqual([{ id: 'c1', name: 'write', input: { a: 1 } }]);
    expect(response.metadata.stopReason).toBe('tool_use');
    expect(events.slice(0, 4)).toEqual([
      { type: 'tool_start', id: 'c1', name: 'write' },
      { type: 'tool_input', id: 'c1', partial: '{"a"' },
      { type: 'tool_input', id: 'c1', partial: ':1}' },
      { type: 'tool_call', id: 'c1', name: 'write', input: { a: 1 } },
    ]);
  });

  it('may come with its end only, without an id, or without arguments', () => {
    const request = { type: 'function', name: 'list' };
    const decoded = decode([
      end('c1', { a: 1 }),
      { type: 'toolCallGenerationEnd', toolCallRequest: request },
      success('toolCalls'),
    ]);
    expect(callsOf(decoded)).toEqual([
      { id: 'c1', name: 'write', input: { a: 1 } },
      { id: 'call_1', name: 'list', input: {} },
    ]);
  });

  it('may be written in another language than JSON: then the object of the server counts', () => {
    const xml = '<parameter=a>1</parameter>';
    expect(callsOf(decode([start('c1'), piece(xml), end('c1', { a: 1 }), success()]))).toEqual([
      { id: 'c1', name: 'write', input: { a: 1 } },
    ]);
  });

  it('without its end is open, whatever the stop reason (LLM-C01, C05)', () => {
    for (const reason of ['maxPredictedTokensReached', 'toolCalls', 'eosFound']) {
      const { response } = decode([start('c1'), name('write'), piece('{"a":"x'), success(reason)]);
      expect(response.toolCalls).toEqual([]);
      expect(response.open).toEqual({ id: 'c1', name: 'write', partial: '{"a":"x' });
    }
  });

  it('that failed is open and warned about', () => {
    const failed: Json = { type: 'toolCallGenerationFailed', error: { title: 'bad' }, rawContent: '{"a' };
    const { response } = decode([start('c1'), name('write'), failed, success('toolCalls')]);
    expect(response.toolCalls).toEqual([]);
    expect(response.open).toEqual({ id: 'c1', name: 'write', partial: '{"a' });
    expect(response.warnings.join()).toContain('"bad"');
  });

  it('whose arguments the server completed is refused (LLM-C02)', () => {
    const { response } = decode([
      start('c1'),
      name('write'),
      piece('{"path":"/tmp'),
      end('c1', { path: '/tmp' }),
      success('toolCalls'),
    ]);
    expect(response.toolCalls).toEqual([]);
    expect(response.open).toEqual({ id: 'c1', name: 'write', partial: '{"path":"/tmp' });
  });

  it('that was complete before the cut is kept, in order (LLM-C03, C04)', () => {
    const { response } = decode([
      end('c1', { a: 1 }),
      end('c2', { a: 2 }),
      start('c3'),
      name('write'),
      success('maxPredictedTokensReached'),
    ]);
    expect(response.toolCalls.map(({ id }) => id)).toEqual(['c1', 'c2']);
    expect(response.open).toEqual({ id: 'c3', name: 'write', partial: '' });
    expect(response.metadata.stopReason).toBe('max_tokens');
  });

  it.each([[[1]], ['x'], [7], [true]])('with the arguments %j is refused (LLM-C16)', (input) => {
    const { response } = decode([end('c1', input), success('toolCalls')]);
    expect(response.toolCalls).toEqual([]);
    expect(response.warnings).not.toEqual([]);
  });

  it('with an integer that JSON.parse would change is refused, in fragments and in the end only (LLM-C20)', () => {
    const input = '{"id":9007199254740993}';
    const request = `{"id":"c1","type":"function","name":"write","arguments":${input}}`;
    const raw = `{"type":"toolCallGenerationEnd","toolCallRequest":${request}}`;
    for (const messages of [[raw], [start('c1'), name('write'), piece(input), raw]]) {
      const { response } = decode([...messages, success('toolCalls')]);
      expect(response.toolCalls).toEqual([]);
      expect(response.warnings.join()).toContain('9007199254740993');
    }
  });
});

describe('the end', () => {
  it.each([
    ['eosFound', 'end_turn'],
    ['toolCalls', 'tool_use'],
    ['maxPredictedTokensReached', 'max_tokens'],
    ['stopStringFound', 'stop_sequence'],
    ['contextLengthReached', 'context_window'],
    ['userStopped', 'cancelled'],
    ['modelUnloaded', 'error'],
    ['failed', 'error'],
  ] as const)('of %s is %s (LLM-C18)', (stopReason, stop) => {
    const { response, rawStop, error } = decode([success(stopReason)]);
    expect(response.metadata.stopReason).toBe(stop);
    expect(rawStop).toBe(stopReason);
    expect(error).toBeUndefined();
  });

  it('of an unknown word is unknown, with a warning (LLM-C18)', () => {
    const { response } = decode([success('tired')]);
    expect(response.metadata.stopReason).toBe('unknown');
    expect(response.warnings.join()).toContain('tired');
  });

  it('has the usage of the stats, without cached tokens', () => {
    const progress: Json = { type: 'promptProcessingProgress', details: { cachedTokenCount: 4 } };
    const stats = { promptTokensCount: 10, predictedTokensCount: 3 };
    expect(decode([success('eosFound', stats)]).response.metadata.usage).toEqual({
      inputTokens: 10,
      outputTokens: 3,
    });
    expect(decode([progress, success('eosFound', stats)]).response.metadata.usage).toEqual({
      inputTokens: 6,
      outputTokens: 3,
      cacheReadTokens: 4,
    });
    expect(decode([success()]).response.metadata.usage).toBeUndefined();
  });

  it('is over with success: later messages are ignored', () => {
    const { response, done } = decode([text('a'), success(), text('b'), success('failed')]);
    expect(done).toBe(true);
    expect(response).toMatchObject({ content: 'a', metadata: { stopReason: 'end_turn' } });
  });

  it('before success is an error, and the text is kept (LLM-C06, C07)', () => {
    const close = { type: 'channelClose', channelId: 0 };
    for (const messages of [[text('a')], [text('a'), close]])
      expect(decode(messages)).toMatchObject({
        response: { content: 'a' },
        error: { kind: 'truncated-stream' },
      });
    const decoder = lmstudio.decoder();
    expect(decoder.end('reset').error).toMatchObject({ kind: 'connection' });
  });

  it('with a channelError is an error of the provider, and the text is kept (LLM-C07)', () => {
    const error = { title: 'no memory left', cause: 'out of memory', errorData: { type: 'overloaded' } };
    expect(decode([text('a'), { type: 'channelError', channelId: 0, error }])).toMatchObject({
      response: { content: 'a', metadata: { stopReason: 'error' } },
      error: { kind: 'provider', message: 'no memory left', type: 'overloaded', retryable: true },
      done: true,
    });
  });

  it('with a refused authentication is an error', () => {
    expect(decode([{ success: false, error: 'no such token' }]).error).toEqual({
      kind: 'provider',
      type: 'authentication',
      message: 'no such token',
      retryable: false,
    });
  });
});

describe('messages', () => {
  it('of unknown kinds, and unknown fields, are ignored (LLM-C12)', () => {
    const odd: Json[] = [{ type: 'keepAliveAck' }, { success: true }, { type: 'mood', is: 'good' }];
    const { response } = decode([...odd, { ...(text('a') as object), more: 1 }, success()]);
    expect(response).toMatchObject({ content: 'a', warnings: [] });
  });

  it('of other channels are ignored (LLM-S09: channel ids belong to a connection)', () => {
    const of = (channelId: number, message: Json): Json => ({ type: 'channelSend', channelId, message });
    const { response } = decode([
      of(3, text('a')),
      of(4, text('b')),
      of(4, success()),
      of(3, success('failed')),
    ]);
    expect(response).toMatchObject({ content: 'a', metadata: { stopReason: 'error' } });
  });

  it.each(['{', 'nothing', '[1]', '7', 'null'])('that are not a JSON object are refused: %s', (message) => {
    expect(decode([text('a'), message]).error).toMatchObject({ kind: 'protocol', retryable: false });
  });

  it('that are too long are refused by their limits', () => {
    expect(decode([text('x'.repeat(100))], { event: 99 }).error?.message).toContain('99 bytes');
    const three = [text('x'.repeat(40)), text('x'.repeat(40)), text('x'.repeat(40))];
    expect(decode([...three, success()], { response: 120 }).error).toBeUndefined();
    const four = decode([...three, text('x'), success()], { response: 120 });
    expect(four.error?.message).toContain('120 characters');
    expect(four.response.content).toHaveLength(120);
  });

  it('with endless nesting are refused without an exception', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    const request = `{"type":"function","name":"write","arguments":{"a":${deep}}}`;
    const raw = `{"type":"toolCallGenerationEnd","toolCallRequest":${request}}`;
    const { response } = decode([raw, success('toolCalls')]);
    expect(response.toolCalls).toEqual([]);
    expect(response.warnings.join()).toContain('256 levels');
    expect(lmstudio.readWhole(200, {}, bytes(`[${raw}]`)).error?.kind).toBe('protocol');
  });

  it('with only calls reach the limit, too', () => {
    const calls = Array.from({ length: 5 }, (_, i) => end(`c${i}`, { text: 'x'.repeat(1000) }));
    expect(decode([...calls, success()], { response: 3000 }).error?.kind).toBe('protocol');
    expect(decode([...calls, success()], { response: 6000 }).error).toBeUndefined();
  });
});

describe('an HTTP error', () => {
  it('is an error by its status, also with a useless body', () => {
    const read = (status: number, body: string) => lmstudio.readWhole(status, {}, bytes(body)).error;
    expect(read(401, 'who are you?')).toMatchObject({ kind: 'provider', status: 401, retryable: false });
    expect(read(503, '')).toMatchObject({ kind: 'provider', status: 503, retryable: true });
  });
});
