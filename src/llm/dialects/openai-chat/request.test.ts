/** Requests of Chat Completions: reading, refusals in the API's words, and writing. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import type { LlmRequest } from '../../messages.ts';
import { requestOf } from '../openai/answers.test-helper.ts';
import { openaiChat } from './index.ts';

const user = { role: 'user', content: 'hi' };
const asked = {
  role: 'assistant',
  content: null,
  tool_calls: [{ id: 'c1', type: 'function', function: { name: 'get', arguments: '{"x":1}' } }],
};
const answer = { role: 'tool', tool_call_id: 'c1', content: 'ok' };

const readOk = (body: Json): LlmRequest => {
  const read = openaiChat.readRequest(body, {});
  if (!read.ok) throw new Error(read.error.error.message);
  return read.value;
};
const withMessages = (...messages: Json[]) => ({ model: 'm', messages });

describe('reading', () => {
  it('reads a plain request that is not streamed, which has usage', () => {
    expect(readOk(withMessages(user))).toEqual({
      dialect: 'openai-chat',
      model: 'm',
      messages: [user],
      tools: [],
      stream: false,
      includeUsage: true,
    });
  });

  it('reads both names of the limit, and null as an absent field', () => {
    expect(readOk({ ...withMessages(user), max_tokens: 5 }).maxTokens).toBe(5);
    expect(readOk({ ...withMessages(user), max_completion_tokens: 6, max_tokens: null }).maxTokens).toBe(6);
    expect(
      readOk({ ...withMessages(user), stream: true, stream_options: null, stop: null, tools: null }),
    ).toMatchObject({
      stream: true,
      includeUsage: false,
    });
  });

  it('reads text in parts, and notes unknown parts and fields', () => {
    const parts = [
      { type: 'text', text: 'a' },
      { type: 'image_url', image_url: { url: 'x' } },
      { type: 'text', text: 'b' },
    ];
    const read = readOk({
      ...withMessages({ role: 'user', content: parts, colour: 1 }),
      temperatur: 1,
      temperature: 1,
    });
    expect(read.messages[0]?.content).toBe('ab');
    expect(read.unknown).toEqual(['temperatur', 'messages[].colour', 'messages[].content[]:image_url']);
  });

  it('reads a first system message as the system text, and keeps others in place', () => {
    const read = readOk(
      withMessages({ role: 'system', content: 's' }, user, { role: 'developer', content: 'd' }),
    );
    expect(read.system).toBe('s');
    expect(read.messages).toEqual([user, { role: 'system', content: 'd' }]);
  });

  it('joins the results of a round with the next text of the user', () => {
    const two = {
      ...asked,
      tool_calls: [
        ...asked.tool_calls,
        { id: 'c2', type: 'function', function: { name: 'get', arguments: '{"x' } },
      ],
    };
    const read = readOk(withMessages(user, two, answer, { ...answer, tool_call_id: 'c2' }, user));
    expect(read.messages).toEqual([
      user,
      {
        role: 'assistant',
        content: '',
        toolCalls: [
          { id: 'c1', name: 'get', input: { x: 1 } },
          // Invalid arguments stay unchanged: the API does not check them.
          { id: 'c2', name: 'get', input: '{"x' },
        ],
      },
      {
        role: 'user',
        content: 'hi',
        toolResults: [
          { id: 'c1', content: 'ok', isError: false },
          { id: 'c2', content: 'ok', isError: false },
        ],
      },
    ]);
  });

  it('reads thoughts that compatible clients send back', () => {
    const read = readOk(withMessages(user, { role: 'assistant', content: 'a', reasoning_content: 'hm' }));
    expect(read.messages[1]?.thinking).toEqual([{ text: 'hm' }]);
  });

  it('reads a tool without parameters, and ignores tools that are neither functions nor custom', () => {
    const tools = [
      { type: 'function', function: { name: 'now' } },
      { type: 'custom', custom: { name: 'patch', format: { type: 'text' } } },
      { type: 'web_search', web_search: {} },
    ];
    const read = readOk({ ...withMessages(user), tools });
    expect(read.tools).toEqual([
      { name: 'now', inputSchema: {} },
      { name: 'patch', custom: true, format: { type: 'text' }, inputSchema: {} },
    ]);
    expect(read.unknown).toEqual(['tools[]:web_search']);
  });
});

describe('refusing', () => {
  const many = ['a', 'b', 'c', 'd', 'e'];
  it.each<[string, Json, string, RegExp]>([
    ['no object', [1], '', /JSON body/],
    ['no model', { messages: [user] }, 'model', /^you must provide a model parameter$/],
    ['no messages', { model: 'm' }, 'messages', /^Missing required parameter: 'messages'\.$/],
    ['empty messages', withMessages(), 'messages', /empty array/],
    [
      'messages that are text',
      { model: 'm', messages: 'hi' },
      'messages',
      /expected an array of objects, but got a string/,
    ],
    [
      'an unknown role',
      withMessages({ role: 'bot', content: '' }),
      'messages[0].role',
      /^Invalid value: 'bot'/,
    ],
    [
      'content that is a number',
      withMessages({ role: 'user', content: 5 }),
      'messages[0].content',
      /but got an integer/,
    ],
    [
      'an empty message of the assistant',
      withMessages(user, { role: 'assistant', content: null }),
      'messages[1].content',
      /expected a string, got null/,
    ],
    [
      'a call without its result',
      withMessages(user, asked, user),
      'messages[1].tool_calls',
      /must be followed by tool messages.*: c1$/,
    ],
    [
      'a call without its result at the end',
      withMessages(user, asked),
      'messages[1].tool_calls',
      /did not have response messages: c1$/,
    ],
    [
      'a result without a call',
      withMessages(user, answer),
      'messages[1].role',
      /must be a response to a preceeding message/,
    ],
    [
      'a result that comes too late',
      withMessages(user, asked, answer, user, answer),
      'messages[4].role',
      /must be a response/,
    ],
    [
      'two limits',
      { ...withMessages(user), max_tokens: 1, max_completion_tokens: 1 },
      'max_tokens',
      /same time is not supported/,
    ],
    [
      'a limit of 0',
      { ...withMessages(user), max_tokens: 0 },
      'max_tokens',
      /Expected a value >= 1, but got 0/,
    ],
    [
      'stream_options without a stream',
      { ...withMessages(user), stream_options: { include_usage: true } },
      'stream_options',
      /only allowed when 'stream' is enabled/,
    ],
    ['five stop sequences', { ...withMessages(user), stop: many }, 'stop', /maximum length 4/],
  ])('%s', (_, body, path, message) => {
    const read = openaiChat.readRequest(body, {});
    expect(read).toMatchObject({
      ok: false,
      error: { path, error: { type: 'invalid_request', status: 400 } },
    });
    expect(read.ok ? '' : read.error.error.message).toMatch(message);
  });
});

describe('writing', () => {
  it('asks for usage only in a stream, and writes the limit under its current name', () => {
    const { path, body } = openaiChat.writeRequest(requestOf('openai-chat', { maxTokens: 7 }));
    expect(path).toBe('/v1/chat/completions');
    expect(body).toEqual({
      model: 'gpt-test',
      messages: [user],
      max_completion_tokens: 7,
      stream: true,
      stream_options: { include_usage: true },
    });
    const whole = openaiChat.writeRequest(requestOf('openai-chat', { stream: false }));
    expect(whole.body).not.toHaveProperty('stream_options');
  });

  it('answers every call once, before the text of the user, without empty messages (LLM-C08)', () => {
    const { body } = openaiChat.writeRequest(
      requestOf('openai-chat', {
        messages: [
          user as LlmRequest['messages'][0],
          { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'get', input: { x: 1 } }] },
          { role: 'user', content: 'go on', toolResults: [{ id: 'c1', content: 'ok', isError: true }] },
        ],
      }),
    );
    expect(body['messages']).toEqual([user, asked, answer, { role: 'user', content: 'go on' }]);
  });

  it('writes arguments as the model wrote them when they are invalid, or would change (LLM-C20)', () => {
    const texts = [
      '{"x',
      '[1]',
      '"x"',
      '',
      '{"id":9007199254740993}',
      `{"x":${'['.repeat(1e5)}${']'.repeat(1e5)}}`,
    ];
    for (const text of texts) {
      const call = { id: 'c1', type: 'function', function: { name: 'get', arguments: text } };
      const wire = withMessages(user, { ...asked, tool_calls: [call] }, answer);
      expect(openaiChat.writeRequest(readOk(wire)).body['messages']).toEqual(wire.messages);
    }
  });

  it('keeps a first system message separate from the system text', () => {
    const messages: LlmRequest['messages'] = [
      { role: 'system', content: 'first' },
      { role: 'user', content: 'hi' },
    ];
    const request = { ...requestOf('openai-chat'), messages };
    expect(openaiChat.readRequest(openaiChat.writeRequest(request).body, {})).toEqual({
      ok: true,
      value: request,
    });
  });
});
