/** The client's decoder of Anthropic's stream: the rules LLM-C01 to C20, each on bytes written by hand. */
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Decoded } from '../../messages.ts';
import { decodeIn } from '../shared/laws.test-helper.ts';
import { anthropic } from './index.ts';

const event = (type: string, fields: JsonObject = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;

const start = event('message_start', {
  message: { id: 'msg_1', model: 'm', usage: { input_tokens: 10, output_tokens: 1 } },
});

const block = (index: number, content: JsonObject, ...deltas: readonly JsonObject[]): string =>
  event('content_block_start', { index, content_block: content }) +
  deltas.map((delta) => event('content_block_delta', { index, delta })).join('');

const closed = (index: number): string => event('content_block_stop', { index });

const tool = (index: number, id: string, ...pieces: readonly string[]): string =>
  block(
    index,
    { type: 'tool_use', id, name: 'run', input: {} },
    ...pieces.map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
  );

const textBlock = (index: number, text: string): string =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text }) + closed(index);

const stopped = (reason: string | null, output = 5): string =>
  event('message_delta', {
    delta: { stop_reason: reason, stop_sequence: null },
    usage: { output_tokens: output },
  });

const end = event('message_stop');

const decode = (stream: string, how: 'clean' | 'reset' = 'clean'): Decoded =>
  decodeIn(anthropic, new TextEncoder().encode(stream), undefined, how).decoded;

describe('a call that the limit cut', () => {
  test.each(['', '{', '{"a', '{"a":', '{"a":"x', '{"a":"\\u00', '{"a":1', '{"a":tr', '{"a":"x"'])(
    'at %j is open and never a call (C01, C04)',
    (partial) => {
      const { response, error } = decode(
        start + tool(0, 't1', partial) + closed(0) + stopped('max_tokens') + end,
      );
      expect(error).toBeUndefined();
      expect(response.toolCalls).toEqual([]);
      expect(response.open).toEqual({ id: 't1', name: 'run', partial });
      expect(response.metadata.stopReason).toBe('max_tokens');
    },
  );

  test('is open also when its block was never closed, even after its last brace', () => {
    const { response } = decode(start + tool(0, 't1', '{"a":1}') + stopped('max_tokens') + end);
    expect(response).toMatchObject({ toolCalls: [], open: { id: 't1', partial: '{"a":1}' } });
  });

  test('leaves the calls before it, in order (C03)', () => {
    const stream =
      start +
      tool(0, 't1', '{"a":1}') +
      closed(0) +
      tool(1, 't2', '{}') +
      closed(1) +
      tool(2, 't3', '{"a') +
      closed(2);
    const { response } = decode(stream + stopped('max_tokens') + end);
    expect(response.toolCalls.map((call) => call.id)).toEqual(['t1', 't2']);
    expect(response.open?.id).toBe('t3');
  });

  test('does not run when the stop signal lies (C05), with a warning', () => {
    const { response } = decode(start + tool(0, 't1', '{"a":"x') + closed(0) + stopped('tool_use') + end);
    expect(response).toMatchObject({ toolCalls: [], open: { id: 't1' } });
    expect(response.warnings).toHaveLength(1);
  });

  test('with two stop reasons has the limit', () => {
    const words = stopped('max_tokens') + stopped('tool_use');
    const { response } = decode(start + tool(0, 't1', '{"a') + closed(0) + words + end);
    expect(response.metadata.stopReason).toBe('max_tokens');
  });
});

describe('arguments', () => {
  test('that are empty are {} when another block follows: the call was not cut', () => {
    const { response } = decode(
      start + tool(0, 't1', '') + closed(0) + textBlock(1, 'a') + stopped('tool_use') + end,
    );
    expect(response.toolCalls).toEqual([{ id: 't1', name: 'run', input: {} }]);
  });

  // 7 of 16 recorded calls.
  test('that are empty are {} in the last block, when the stop reason is tool_use', () => {
    const { response, error } = decode(start + tool(0, 't1', '') + closed(0) + stopped('tool_use') + end);
    expect(error).toBeUndefined();
    expect(response).toMatchObject({
      toolCalls: [{ id: 't1', name: 'run', input: {} }],
      emptyCalls: ['t1'],
      warnings: [],
    });
    expect(response.open).toBeUndefined();
  });

  test.each(['max_tokens', 'end_turn', 'model_context_window_exceeded'])(
    'that are empty are not trusted in the last block, when the stop reason is %s',
    (word) => {
      const { response } = decode(start + tool(0, 't1', '') + closed(0) + stopped(word) + end);
      expect(response).toMatchObject({ toolCalls: [], open: { id: 't1', partial: '' } });
    },
  );

  test('that are empty are not trusted when a limit is one of two stop reasons, or the block is open', () => {
    const both = stopped('tool_use') + stopped('max_tokens');
    for (const more of [closed(0) + both, stopped('tool_use')]) {
      const { response } = decode(start + tool(0, 't1', '') + more + end);
      expect(response).toMatchObject({ toolCalls: [], open: { id: 't1', partial: '' } });
    }
  });

  test.each(['[1]', '"x"', '1', 'null', 'true'])('%s, which are not an object, never run (C16)', (json) => {
    const { response } = decode(start + tool(0, 't1', json) + closed(0) + stopped('tool_use') + end);
    expect(response.toolCalls).toEqual([]);
    expect(response.open).toBeUndefined();
    expect(response.warnings).toHaveLength(1);
  });

  test('with an integer beyond 2^53 are refused instead of changed (C20)', () => {
    const { response } = decode(
      start + tool(0, 't1', '{"id":9007199254740993}') + closed(0) + stopped('tool_use') + end,
    );
    expect(response.toolCalls).toEqual([]);
    expect(response.warnings[0]).toContain('9007199254740993');
  });

  test('that are not JSON are refused when another block follows', () => {
    const { response } = decode(
      start + tool(0, 't1', '{"a') + closed(0) + textBlock(1, 'x') + stopped('end_turn') + end,
    );
    expect(response).toMatchObject({ toolCalls: [], content: 'x' });
    expect(response.open).toBeUndefined();
    expect(response.warnings).toHaveLength(1);
  });

  test('of interleaved blocks are distinguished by index (C17)', () => {
    const piece = (index: number, json: string): string =>
      event('content_block_delta', { index, delta: { type: 'input_json_delta', partial_json: json } });
    const stream =
      start +
      tool(0, 't1') +
      tool(1, 't2') +
      piece(0, '{"a"') +
      piece(1, '{"b"') +
      piece(0, ':1}') +
      piece(1, ':2}');
    const { response } = decode(stream + closed(0) + closed(1) + stopped('tool_use') + end);
    expect(response.toolCalls.map((call) => call.input)).toEqual([{ a: 1 }, { b: 2 }]);
  });
});

describe('the end', () => {
  test.each(['clean', 'reset'] as const)(
    'without message_stop is an error, %s (C06); text is kept',
    (how) => {
      const { response, error } = decode(start + textBlock(0, 'so far') + stopped('end_turn'), how);
      expect(error?.kind).toBe(how === 'clean' ? 'truncated-stream' : 'connection');
      expect(response).toMatchObject({ content: 'so far', metadata: { stopReason: 'error' } });
    },
  );

  test('by an error event is an error; text is kept (C07), and later events are ignored', () => {
    const error = event('error', { error: { type: 'overloaded_error', message: 'busy' } });
    const decoded = decode(start + textBlock(0, 'so far') + error + textBlock(1, 'more') + end);
    expect(decoded.error).toEqual({ kind: 'provider', type: 'overloaded', message: 'busy', retryable: true });
    expect(decoded.response.content).toBe('so far');
  });

  test('with an unknown stop reason is unknown, with a warning (C18)', () => {
    const { response } = decode(start + textBlock(0, 'a') + stopped('nap_time') + end);
    expect(response.metadata.stopReason).toBe('unknown');
    expect(response.warnings).toEqual(['unknown stop reason "nap_time"']);
  });

  test.each([
    ['end_turn', 'end_turn'],
    ['max_tokens', 'max_tokens'],
    ['stop_sequence', 'stop_sequence'],
    ['tool_use', 'tool_use'],
    ['pause_turn', 'pause_turn'],
    ['refusal', 'refusal'],
    ['model_context_window_exceeded', 'context_window'],
  ])('%s means %s', (word, reason) => {
    expect(decode(start + stopped(word) + end).response.metadata.stopReason).toBe(reason);
  });

  test('is done with message_stop, and the raw word is kept', () => {
    const decoder = anthropic.decoder();
    decoder.push(new TextEncoder().encode(start + stopped('end_turn')));
    expect(decoder.done).toBe(false);
    decoder.push(new TextEncoder().encode(end));
    expect(decoder.done).toBe(true);
    expect(decoder.rawStop).toBe('end_turn');
  });
});

describe('the stream', () => {
  test('may hold pings, comments, unknown events, fields and blocks anywhere (C12)', () => {
    const noise =
      event('ping') +
      ': comment\n\n' +
      event('brand_new', { x: 1 }) +
      'data: [DONE]\n\n' +
      block(
        7,
        { type: 'server_tool_use', id: 's', name: 'search', input: {} },
        { type: 'new_delta', text: 'no' },
      ) +
      closed(7);
    const { response, error } = decode(
      [start, textBlock(0, 'a'), stopped('end_turn'), end].join(noise.replaceAll('7', '9')),
    );
    expect(error).toBeUndefined();
    expect(response).toMatchObject({ content: 'a', toolCalls: [], warnings: [] });
  });

  test('has the last counts, and adds nothing up (C13)', () => {
    const { response } = decode(start + stopped(null, 3) + stopped('end_turn', 8) + end);
    expect(response.metadata.usage).toEqual({ inputTokens: 10, outputTokens: 8 });
  });

  test('keeps thoughts with their signature (C14)', () => {
    const thinking = block(
      0,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'hm' },
      { type: 'signature_delta', signature: 'c2ln' },
    );
    const { response } = decode(start + thinking + closed(0) + stopped('end_turn') + end);
    expect(response.thinking).toEqual([{ text: 'hm', signature: 'c2ln' }]);
  });

  test.each([
    ['an event that is not JSON', 'event: content_block_delta\ndata: {"type":\n\n'],
    ['a second message_start', start],
    ['a block that is opened twice', tool(0, 't1') + tool(0, 't2')],
  ])('%s: a protocol error', (_name, bad) => {
    expect(decode(start + bad + stopped('end_turn') + end).error?.kind).toBe('protocol');
  });
});

test('nesting of any depth in any field throws nothing', () => {
  const deep = '['.repeat(100_000) + ']'.repeat(100_000);
  const events = ['message_start', 'content_block_start', 'content_block_delta', 'message_delta', 'error'];
  const fields = ['index', 'content_block', 'delta', 'message', 'error', 'usage'];
  for (const type of events) {
    const body = fields.map((field) => `"${field}":${deep}`).join(',');
    const stream = `event: ${type}\ndata: {"type":"${type}",${body}}\n\n`;
    expect(decodeIn(anthropic, new TextEncoder().encode(stream)).decoded.response.toolCalls).toEqual([]);
  }
});

describe('limits', () => {
  const input = new TextEncoder().encode(start + textBlock(0, 'x'.repeat(500)) + stopped('end_turn') + end);

  test.each([{ event: 200 }, { response: 300 }])('%j: beyond it, a protocol error', (limits) => {
    const decoder = anthropic.decoder(limits);
    decoder.push(input);
    expect(decoder.done).toBe(true);
    expect(decoder.end('clean').error?.kind).toBe('protocol');
  });

  test('an endless number of blocks reaches the limit', () => {
    const decoder = anthropic.decoder({ response: 10_000 });
    for (let i = 0; i < 1000; i++) decoder.push(new TextEncoder().encode(tool(i, `t${i}`)));
    expect(decoder.end('clean').error?.kind).toBe('protocol');
  });
});

describe('a response that is not streamed', () => {
  const read = (body: unknown, status = 200, headers = {}): Decoded =>
    anthropic.readWhole(
      status,
      headers,
      new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body)),
    );
  const call = { type: 'tool_use', id: 't1', name: 'run', input: { a: 1 } };
  const message = {
    type: 'message',
    model: 'm',
    content: [call],
    usage: { input_tokens: 1, output_tokens: 2 },
  };

  test('has its calls', () => {
    const { response } = read({ ...message, stop_reason: 'tool_use' });
    expect(response.toolCalls).toEqual([{ id: 't1', name: 'run', input: { a: 1 } }]);
  });

  test('cut by the limit has an open last call, because the call may be incomplete', () => {
    const { response } = read({ ...message, stop_reason: 'max_tokens' });
    expect(response).toMatchObject({ toolCalls: [], open: { id: 't1' } });
  });

  test('with an integer beyond 2^53, its calls are refused (C20)', () => {
    const body = JSON.stringify({ ...message, stop_reason: 'tool_use' }).replace(
      '"a":1',
      '"a":12345678901234567891',
    );
    expect(read(body).response).toMatchObject({
      toolCalls: [],
      warnings: [expect.stringContaining('1234567890')],
    });
  });

  test('of an error status is that error, with its hints', () => {
    const body = { type: 'error', error: { type: 'rate_limit_error', message: 'slow down' } };
    expect(read(body, 429, { 'retry-after': '3' }).error).toEqual({
      kind: 'provider',
      status: 429,
      type: 'rate_limit',
      message: 'slow down',
      retryAfterMs: 3000,
      retryable: true,
    });
    expect(read(body, 400).error?.retryable).toBe(false);
    expect(read('<html>bad gateway</html>', 502).error).toMatchObject({ status: 502, retryable: true });
  });

  test('with arguments nested beyond the bound, its calls are refused', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    const body = JSON.stringify({ ...message, stop_reason: 'tool_use' }).replace('"a":1', `"a":${deep}`);
    expect(read(body).response).toMatchObject({
      toolCalls: [],
      warnings: [expect.stringContaining('levels')],
    });
  });

  test.each(['', '[]', '{"type":"x"}'])('that is not a message (%j) is a protocol error', (body) => {
    expect(read(body).error?.kind).toBe('protocol');
  });
});
