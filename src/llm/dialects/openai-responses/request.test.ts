/** Requests of Responses: reading, refusals in the API's words, and writing. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import type { LlmRequest } from '../../messages.ts';
import { requestOf } from '../openai/answers.test-helper.ts';
import { openaiResponses } from './index.ts';

const user = { role: 'user', content: 'hi' };
const called = { type: 'function_call', call_id: 'c1', name: 'get', arguments: '{"x":1}' };
const output = { type: 'function_call_output', call_id: 'c1', output: 'ok' };

const readOk = (body: Json): LlmRequest => {
  const read = openaiResponses.readRequest(body, {});
  if (!read.ok) throw new Error(read.error.error.message);
  return read.value;
};
const withInput = (...input: Json[]) => ({ model: 'm', input });

describe('reading', () => {
  it('reads a text as input', () => {
    expect(readOk({ model: 'm', input: 'hi', instructions: 's', max_output_tokens: 5 })).toEqual({
      dialect: 'openai-responses',
      model: 'm',
      system: 's',
      messages: [user],
      tools: [],
      maxTokens: 5,
      stream: false,
      includeUsage: true,
    });
  });

  it('joins thoughts, text and calls of the assistant into one message, and the outputs into the next', () => {
    const read = readOk(
      withInput(
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
        {
          type: 'reasoning',
          id: 'rs_1',
          summary: [{ type: 'summary_text', text: 'hm' }],
          encrypted_content: 'c2ln',
        },
        {
          type: 'message',
          role: 'assistant',
          id: 'msg_1',
          status: 'completed',
          content: [{ type: 'output_text', text: 'see', annotations: [] }],
        },
        called,
        { ...called, call_id: 'c2' },
        { ...output, call_id: 'c2' },
        { ...output, output: [{ type: 'input_text', text: 'ok' }] },
        user,
      ),
    );
    expect(read.messages).toEqual([
      user,
      {
        role: 'assistant',
        content: 'see',
        thinking: [{ text: 'hm', signature: 'c2ln' }],
        toolCalls: [
          { id: 'c1', name: 'get', input: { x: 1 } },
          { id: 'c2', name: 'get', input: { x: 1 } },
        ],
      },
      {
        role: 'user',
        content: 'hi',
        toolResults: [
          { id: 'c2', content: 'ok', isError: false },
          { id: 'c1', content: 'ok', isError: false },
        ],
      },
    ]);
  });

  it('keeps rounds separate', () => {
    const next = { ...called, call_id: 'c2' };
    const read = readOk(withInput(user, called, output, next, { ...output, call_id: 'c2' }));
    expect(read.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user', 'assistant', 'user']);
  });

  it('keeps system and developer messages in place', () => {
    expect(readOk(withInput({ role: 'developer', content: 'd' }, user)).messages).toEqual([
      { role: 'system', content: 'd' },
      user,
    ]);
  });

  it('notes fields that refer to turns at the server, and accepts outputs of calls in them', () => {
    const read = readOk({ ...withInput(output), previous_response_id: 'resp_1' });
    expect(read.unknown).toEqual(['previous_response_id']);
    expect(read.messages).toEqual([
      { role: 'user', content: '', toolResults: [{ id: 'c1', content: 'ok', isError: false }] },
    ]);
  });

  it('needs neither model nor input for a count', () => {
    const read = openaiResponses.readRequest({ instructions: 's' }, {}, '/v1/responses/input_tokens');
    expect(read).toMatchObject({ ok: true, value: { system: 's', messages: [] } });
  });

  it('notes unknown tools and items', () => {
    const read = readOk({
      ...withInput(user, { type: 'item_reference', id: 'x' }),
      tools: [{ type: 'web_search' }, { type: 'function', name: 'now', parameters: null, strict: true }],
    });
    expect(read.tools).toEqual([{ name: 'now', inputSchema: {}, strict: true }]);
    expect(read.unknown).toEqual(['input[]:item_reference', 'tools[]:web_search']);
  });
});

describe('refusing', () => {
  it.each<[string, Json, string, RegExp]>([
    ['no object', null, '', /JSON body/],
    ['no model', { input: 'hi' }, 'model', /^you must provide a model parameter$/],
    ['no input', { model: 'm' }, 'input', /^One of 'input' or 'previous_response_id'/],
    [
      'a call without its output',
      withInput(user, called),
      'input[1]',
      /^No tool output found for function call c1\.$/,
    ],
    [
      'an output without its call',
      withInput(user, output),
      'input[1]',
      /^No tool call found for function call output with call_id c1\.$/,
    ],
    ['an unknown role', withInput({ role: 'tool', content: '' }), 'input[0].role', /^Invalid value: 'tool'/],
    [
      'a tool in the form of Chat',
      { ...withInput(user), tools: [{ type: 'function', function: { name: 'x' } }] },
      'tools[0].name',
      /^Missing required parameter: 'tools\[0\]\.name'\.$/,
    ],
    [
      'a limit of 0',
      { ...withInput(user), max_output_tokens: 0 },
      'max_output_tokens',
      /Expected a value >= 1/,
    ],
    [
      'a limit that is a text',
      { ...withInput(user), max_output_tokens: '5' },
      'max_output_tokens',
      /expected an integer, but got a string/,
    ],
  ])('%s', (_, body, path, message) => {
    const read = openaiResponses.readRequest(body, {});
    expect(read).toMatchObject({
      ok: false,
      error: { path, error: { type: 'invalid_request', status: 400 } },
    });
    expect(read.ok ? '' : read.error.error.message).toMatch(message);
  });
});

describe('writing', () => {
  it('asks for encrypted thoughts only after a signed thought, because other models refuse the field', () => {
    expect(openaiResponses.writeRequest(requestOf('openai-responses')).body).not.toHaveProperty('include');
  });

  it('writes everything as items, so that the server keeps nothing', () => {
    const { path, body } = openaiResponses.writeRequest(
      requestOf('openai-responses', {
        system: 's',
        maxTokens: 7,
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            content: 'see',
            thinking: [{ text: 'hm', signature: 'c2ln' }, { text: 'unsigned' }],
            toolCalls: [{ id: 'c1', name: 'get', input: { x: 1 } }],
          },
          { role: 'user', content: '', toolResults: [{ id: 'c1', content: 'ok', isError: false }] },
        ],
        tools: [{ name: 'get', inputSchema: { type: 'object' } }],
      }),
    );
    expect(path).toBe('/v1/responses');
    expect(body).toEqual({
      model: 'gpt-test',
      instructions: 's',
      input: [
        { type: 'message', ...user },
        { type: 'reasoning', summary: [{ type: 'summary_text', text: 'hm' }], encrypted_content: 'c2ln' },
        { type: 'message', role: 'assistant', content: 'see' },
        called,
        output,
      ],
      tools: [{ type: 'function', name: 'get', parameters: { type: 'object' }, strict: false }],
      max_output_tokens: 7,
      store: false,
      include: ['reasoning.encrypted_content'],
      stream: true,
    });
  });

  it('sends signed thoughts back unchanged (LLM-C14)', () => {
    const messages: LlmRequest['messages'] = [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: 'so',
        thinking: [
          { text: '', signature: 'a' },
          { text: 'hm', signature: 'b' },
        ],
      },
      { role: 'user', content: 'go on' },
    ];
    const request = requestOf('openai-responses', { messages });
    expect(openaiResponses.readRequest(openaiResponses.writeRequest(request).body, {})).toEqual({
      ok: true,
      value: request,
    });
  });
});
