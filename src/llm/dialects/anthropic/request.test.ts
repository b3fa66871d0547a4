/** Requests to Anthropic: accepted ones, and refusals in its own words. */
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { LlmRequest } from '../../messages.ts';
import { anthropic } from './index.ts';

const plain = { model: 'm', max_tokens: 10, messages: [{ role: 'user', content: 'hi' }] };

const read = (body: Json, path?: string): ReturnType<typeof anthropic.readRequest> =>
  anthropic.readRequest(body, { 'anthropic-version': '2023-06-01' }, path);

function taken(body: Json): LlmRequest {
  const result = read(body);
  if (!result.ok) throw new Error(result.error.error.message);
  return result.value;
}

function refusal(body: Json): { path: string; message: string } {
  const result = read(body);
  if (result.ok) throw new Error('it was taken');
  expect(result.error.error).toMatchObject({ type: 'invalid_request', status: 400 });
  return { path: result.error.path, message: result.error.error.message };
}

const messages = (...list: readonly JsonObject[]): JsonObject => ({ ...plain, messages: list });
const user = (content: Json): JsonObject => ({ role: 'user', content });
const assistant = (content: Json): JsonObject => ({ role: 'assistant', content });
const use = (id: string): JsonObject => ({ type: 'tool_use', id, name: 'run', input: { a: 1 } });
const result = (id: string, more: JsonObject = {}): JsonObject => ({
  type: 'tool_result',
  tool_use_id: id,
  ...more,
});

describe('fields', () => {
  test('are read with their defaults: no stream, no tools', () => {
    expect(taken(plain)).toEqual({
      dialect: 'anthropic',
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [],
      maxTokens: 10,
      stream: false,
      includeUsage: true,
    });
  });

  test.each([
    [{ model: 'm', messages: plain.messages }, 'max_tokens', 'max_tokens: Field required'],
    [{ max_tokens: 1, messages: plain.messages }, 'model', 'model: Field required'],
    [{ model: 'm', max_tokens: 1 }, 'messages', 'messages: Field required'],
    [{ ...plain, max_tokens: 0 }, 'max_tokens', 'max_tokens: Input should be greater than or equal to 1'],
    [{ ...plain, max_tokens: '9' }, 'max_tokens', 'max_tokens: Input should be a valid integer'],
    [{ ...plain, messages: [] }, 'messages', 'messages: at least one message is required'],
    [messages({ role: 'user' }), 'messages[0].content', 'messages.0.content: Field required'],
    [
      messages(user([{ type: 'text' }])),
      'messages[0].content[0].text',
      'messages.0.content.0.text: Field required',
    ],
    [7, '', 'Input should be a valid dictionary'],
  ])('%j is refused at %j', (body, path, message) => {
    expect(refusal(body)).toEqual({ path, message });
  });

  test('max_tokens is not needed where tokens are counted', () => {
    const { max_tokens: _limit, ...body } = plain;
    expect(read(body, '/v1/messages/count_tokens?beta=true').ok).toBe(true);
  });

  test('system and text may come as blocks', () => {
    const text = (...words: readonly string[]): Json => words.map((word) => ({ type: 'text', text: word }));
    const request = taken({ ...plain, system: text('a', 'b'), messages: [user(text('c', 'd'))] });
    expect(request).toMatchObject({ system: 'a\nb', messages: [{ content: 'c\nd' }] });
  });

  test('tools are read; tools that the API runs itself are only noted', () => {
    const tool = { name: 'run', input_schema: { type: 'object' }, eager_input_streaming: true };
    const request = taken({ ...plain, tools: [tool, { type: 'web_search_20250305', name: 'web_search' }] });
    expect(request.tools).toEqual([{ name: 'run', inputSchema: { type: 'object' }, eager: true }]);
    expect(request.unknown).toEqual(['tools[1].type: web_search_20250305']);
  });

  test('that are unknown are noted; fields of the API without effect here are not', () => {
    expect(taken({ ...plain, temperature: 1, nonsense: 2 }).unknown).toEqual(['nonsense']);
  });
});

describe('conversations (LLM-C08)', () => {
  test('a call and its result, with thoughts before', () => {
    const thinking = { type: 'thinking', thinking: 'hm', signature: 'c2ln' };
    const request = taken(
      messages(
        user('go'),
        assistant([thinking, { type: 'text', text: 'ok' }, use('t1')]),
        user([result('t1', { content: 'done', is_error: true })]),
      ),
    );
    expect(request.messages.slice(1)).toEqual([
      {
        role: 'assistant',
        content: 'ok',
        thinking: [{ text: 'hm', signature: 'c2ln' }],
        toolCalls: [{ id: 't1', name: 'run', input: { a: 1 } }],
      },
      { role: 'user', content: '', toolResults: [{ id: 't1', content: 'done', isError: true }] },
    ]);
  });

  test('consecutive messages of one role count as one', () => {
    const list = [user('a'), user('b'), assistant([use('t1')]), user([result('t1')]), user('c')];
    expect(taken(messages(...list)).messages).toHaveLength(5);
  });

  // Both were answered with 200.
  test('the assistant may begin, and a message of the user may be an image alone', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'aGk=' } };
    expect(taken(messages(assistant('a'), user([image]))).messages).toEqual([
      { role: 'assistant', content: 'a' },
      { role: 'user', content: '', otherParts: true },
    ]);
  });

  test('only the last message may be empty, and only if it is the assistant’s', () => {
    expect(read(messages(user('a'), assistant(''))).ok).toBe(true);
    expect(refusal(messages(user('')))).toMatchObject({ path: 'messages[0]' });
    expect(refusal(messages(user('a'), assistant([]), user('b')))).toMatchObject({ path: 'messages[1]' });
  });

  test.each([
    [
      'a call without a result',
      [user('a'), assistant([use('t1')]), user('b')],
      'messages[1]',
      /ids were found without `tool_result`/,
    ],
    [
      'a call at the very end',
      [user('a'), assistant([use('t1')])],
      'messages[1]',
      /ids were found without `tool_result`/,
    ],
    [
      'a result one message late',
      [user('a'), assistant([use('t1')]), user('b'), assistant('c'), user([result('t1')])],
      'messages[1]',
      /immediately after: t1/,
    ],
    [
      'a result without a call',
      [user('a'), assistant('b'), user([result('t9')])],
      'messages[2]',
      /unexpected `tool_use_id`.*t9/,
    ],
    [
      'two results of one call',
      [user('a'), assistant([use('t1')]), user([result('t1'), result('t1')])],
      'messages[2]',
      /single result/,
    ],
    [
      'one id for two calls',
      [user('a'), assistant([use('t1'), use('t1')]), user([result('t1')])],
      'messages[1]',
      /must be unique/,
    ],
    [
      'an empty text block',
      [user([{ type: 'text', text: '' }])],
      'messages[0].content[0]',
      /must be non-empty/,
    ],
    [
      'a thought without its signature',
      [user('a'), assistant([{ type: 'thinking', thinking: 'x' }])],
      'messages[1].content[0].thinking.signature',
      /Field required/,
    ],
    [
      'input that is not an object',
      [user('a'), assistant([{ ...use('t1'), input: '{}' }]), user([result('t1')])],
      'messages[1].content[0].tool_use.input',
      /valid dictionary/,
    ],
    ['an unknown role', [{ role: 'tool', content: 'x' }], 'messages[0].role', /'user' or 'assistant'/],
  ])('%s is refused', (_name, list, path, words) => {
    const refused = refusal(messages(...list));
    expect(refused.path).toBe(path);
    expect(refused.message).toMatch(words);
  });
});

describe('writing', () => {
  const request: LlmRequest = {
    dialect: 'anthropic',
    model: 'm',
    messages: [
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b', thinking: [{ text: 'from elsewhere' }] },
    ],
    tools: [],
    stream: true,
    includeUsage: true,
  };

  test('names the version, and a default limit when the request has none', () => {
    const { path, headers, body } = anthropic.writeRequest(request);
    expect(path).toBe('/v1/messages');
    expect(headers).toEqual({ 'anthropic-version': '2026-10-21' });
    expect(body['max_tokens']).toBe(4096);
  });

  test('omits thoughts without a signature, because the API refuses them', () => {
    expect(anthropic.writeRequest(request).body['messages']).toEqual([
      { role: 'user', content: 'a' },
      { role: 'assistant', content: 'b' },
    ]);
  });
});
