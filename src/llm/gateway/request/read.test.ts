/**
 * Bodies as clients send them, and what they say. Shapes: @anthropic-ai/sdk 1.14.0 (MessageCreateParams), openai 7.59.0
 * (ChatCompletionCreateParams, ResponseCreateParams, ResponseInputItem), ollama 0.6.4 (ChatRequest).
 */
import { describe, expect, test } from 'vitest';
import { exactJsonOf, exactText } from '../../../kit/base/index.ts';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { readFullRequest, writeFullRequest } from './index.ts';
import type { FullRequest, GatewayDialect, Message, Part } from './request.ts';

const text = (words: string): Part => ({ kind: 'text', text: words });
const user = (...parts: readonly Part[]): Message => ({ role: 'user', parts });

const messagesOf = (dialect: GatewayDialect, list: Json): readonly Message[] =>
  readFullRequest(dialect, dialect === 'openai-responses' ? { input: list } : { messages: list }).messages;

/** The parts of one user message with this content. */
const partsOf = (dialect: GatewayDialect, content: Json): readonly Part[] | undefined =>
  messagesOf(dialect, [{ role: 'user', content }])[0]?.parts;

describe('a content is a text or parts', () => {
  test.each<[GatewayDialect, Json]>([
    ['anthropic', 'Hi'],
    ['anthropic', [{ type: 'text', text: 'Hi' }]],
    ['openai-chat', 'Hi'],
    ['openai-chat', [{ type: 'text', text: 'Hi' }]],
    ['openai-responses', 'Hi'],
    ['openai-responses', [{ type: 'input_text', text: 'Hi' }]],
    ['ollama', 'Hi'],
  ])('%s: %j', (dialect, content) => {
    expect(partsOf(dialect, content)).toEqual([text('Hi')]);
  });

  test('the input of Responses is a text or items, with or without their type', () => {
    expect(messagesOf('openai-responses', 'Hi')).toEqual([user(text('Hi'))]);
    expect(messagesOf('openai-responses', [{ type: 'message', role: 'user', content: 'Hi' }])).toEqual([
      user(text('Hi')),
    ]);
  });
});

describe('images and files', () => {
  const png = 'iVBORw0KGgo=';
  const image = { kind: 'image', mime: 'image/png', data: png };
  const url = { kind: 'image', url: 'https://a.test/b.png' };

  test.each<[GatewayDialect, Json, object]>([
    ['anthropic', { type: 'image', source: { type: 'base64', media_type: 'image/png', data: png } }, image],
    ['anthropic', { type: 'image', source: { type: 'url', url: url.url } }, url],
    ['openai-chat', { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } }, image],
    ['openai-chat', { type: 'image_url', image_url: url.url }, url],
    [
      'openai-chat',
      { type: 'image_url', image_url: { url: url.url, detail: 'low' } },
      { ...url, more: { image_url: { detail: 'low' } } },
    ],
    [
      'openai-responses',
      { type: 'input_image', detail: 'auto', image_url: `data:image/png;base64,${png}` },
      image,
    ],
    [
      'openai-responses',
      { type: 'input_image', image_url: url.url, detail: 'high' },
      { ...url, more: { detail: 'high' } },
    ],
    [
      'anthropic',
      {
        type: 'document',
        title: 'a',
        source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERg==' },
      },
      { kind: 'file', mime: 'application/pdf', data: 'JVBERg==', name: 'a' },
    ],
    // RFC 4648: the bytes of "é" in UTF-8 are C3 A9.
    [
      'anthropic',
      { type: 'document', source: { type: 'text', media_type: 'text/plain', data: 'é' } },
      { kind: 'file', mime: 'text/plain', data: 'w6k=' },
    ],
    [
      'openai-chat',
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERg==' } },
      { kind: 'file', mime: 'application/pdf', data: 'JVBERg==', name: 'a.pdf' },
    ],
    [
      'openai-responses',
      { type: 'input_file', file_url: 'https://a.test/b.pdf' },
      { kind: 'file', url: 'https://a.test/b.pdf' },
    ],
    // Files of a provider's own have no neutral word.
    [
      'openai-chat',
      { type: 'file', file: { file_id: 'f' } },
      { kind: 'other', value: { type: 'file', file: { file_id: 'f' } } },
    ],
    [
      'anthropic',
      { type: 'image', source: { type: 'file', file_id: 'f' } },
      { kind: 'other', value: { type: 'image', source: { type: 'file', file_id: 'f' } } },
    ],
  ])('%s: %j', (dialect, part, said) => {
    expect(partsOf(dialect, [part])).toEqual([said]);
  });

  test('an image of Ollama has the mime type that its bytes say', () => {
    expect(messagesOf('ollama', [{ role: 'user', content: '', images: [png, '/9j/4AA=', 'AAAA'] }])).toEqual([
      {
        role: 'user',
        parts: [
          image,
          { kind: 'image', mime: 'image/jpeg', data: '/9j/4AA=' },
          { kind: 'image', data: 'AAAA' },
        ],
      },
    ]);
  });
});

describe('calls and results', () => {
  const call = { kind: 'call', id: 'c1', name: 'run', arguments: '{"id":9007199254740993}' };
  const done = { kind: 'result', id: 'c1', parts: [text('ok')] };
  const asked = [{ role: 'assistant', parts: [call] }, user(done as Part)];

  test.each<[GatewayDialect, string]>([
    [
      'anthropic',
      `[{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"run","input":{"id":9007199254740993}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":[{"type":"text","text":"ok"}]}]}]`,
    ],
    [
      'openai-chat',
      `[{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":
          {"name":"run","arguments":"{\\"id\\":9007199254740993}"}}]},
        {"role":"tool","tool_call_id":"c1","content":"ok"}]`,
    ],
    // Some clients send an object for arguments.
    [
      'openai-chat',
      `[{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"run","arguments":{"id":9007199254740993}}}]},
        {"role":"tool","tool_call_id":"c1","content":[{"type":"text","text":"ok"}]}]`,
    ],
    [
      'openai-responses',
      `[{"type":"function_call","call_id":"c1","name":"run","arguments":"{\\"id\\":9007199254740993}"},
        {"type":"function_call_output","call_id":"c1","output":[{"type":"input_text","text":"ok"}]}]`,
    ],
    [
      'ollama',
      `[{"role":"assistant","content":"","tool_calls":[{"id":"c1","function":{"name":"run","arguments":{"id":9007199254740993}}}]},
        {"role":"tool","tool_call_id":"c1","content":"ok"}]`,
    ],
  ])('%s: %s', (dialect, list) => {
    expect(messagesOf(dialect, exactJsonOf(list))).toEqual(asked);
  });

  test('all digits arrive in the other dialect, as text and as an object (LLM-G07)', () => {
    const body = exactJsonOf(
      '{"model":"m","messages":[{"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{"id":18446744073709551615}}]}],' +
        '"tools":[{"name":"f","input_schema":{"type":"object","properties":{"id":{"maximum":18446744073709551615}}}}]}',
    );
    const request = readFullRequest('anthropic', body);
    const toOllama = exactText(writeFullRequest('ollama', request).body);
    expect(toOllama).toContain('"arguments":{"id":18446744073709551615}');
    expect(toOllama).toContain('"maximum":18446744073709551615');
    const chat = exactText(writeFullRequest('openai-chat', request).body);
    expect(chat).toContain('"arguments":"{\\"id\\":18446744073709551615}"');
    const back = writeFullRequest('anthropic', readFullRequest('openai-chat', exactJsonOf(chat)));
    expect(exactText(back.body)).toContain('"input":{"id":18446744073709551615}');
  });

  test('the text of arguments is untouched; where an object is needed, no text is `{}` and no JSON is lost', () => {
    const called = (args: string): FullRequest =>
      readFullRequest('openai-chat', {
        messages: [
          { role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'f', arguments: args } }] },
        ],
      });
    expect(called('{ "a" : 1.0 }').messages[0]?.parts).toEqual([
      { kind: 'call', id: 'c', name: 'f', arguments: '{ "a" : 1.0 }' },
    ]);
    for (const [args, lost] of [
      ['', []],
      ['{"a":', ['messages[0].parts[0].arguments: {}']],
    ] as const) {
      const written = writeFullRequest('anthropic', called(args));
      expect(written.body['messages']).toEqual([
        { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name: 'f', input: {} }] },
      ]);
      expect(written.lost).toEqual(lost);
    }
  });

  test('calls of Ollama without ids are answered by name, or in order', () => {
    const run = (name: string): JsonObject => ({ function: { name, arguments: {} } });
    const [, results] = messagesOf('ollama', [
      { role: 'assistant', content: '', tool_calls: [run('a'), run('b'), run('a')] },
      { role: 'tool', content: '1', tool_name: 'b' },
      { role: 'tool', content: '2' },
      { role: 'tool', content: '3', tool_name: 'a' },
    ]);
    expect(results?.parts).toMatchObject([{ id: 'call_0_1' }, { id: 'call_0_0' }, { id: 'call_0_2' }]);
  });

  test('an id that is made is none that the body has', () => {
    const [asks] = messagesOf('ollama', [
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ function: { name: 'a' } }, { id: 'call_0_0', function: { name: 'b' } }],
      },
    ]);
    const ids = asks?.parts.map((part) => 'id' in part && part.id);
    expect(new Set(ids).size).toBe(2);
  });

  test('results in a row are one message, with the words that follow', () => {
    const tool = (id: string): JsonObject => ({ role: 'tool', tool_call_id: id, content: 'ok' });
    expect(messagesOf('openai-chat', [tool('a'), tool('b'), { role: 'user', content: 'Hi' }])).toEqual([
      user({ ...done, id: 'a' } as Part, { ...done, id: 'b' } as Part, text('Hi')),
    ]);
  });
});

describe('roles', () => {
  test('system text stands first, and in its place', () => {
    const said = [
      { role: 'system', parts: [text('S')] },
      user(text('Hi')),
      { role: 'system', parts: [text('T')] },
    ];
    const later = [
      { role: 'user', content: 'Hi' },
      { role: 'system', content: 'T' },
    ];
    expect(readFullRequest('anthropic', { system: 'S', messages: later }).messages).toEqual(said);
    expect(readFullRequest('openai-responses', { instructions: 'S', input: later }).messages).toEqual(said);
    expect(messagesOf('openai-chat', [{ role: 'system', content: 'S' }, ...later])).toEqual(said);
    expect(messagesOf('ollama', [{ role: 'system', content: 'S' }, ...later])).toEqual(said);
  });

  test.each(['openai-chat', 'openai-responses'] as const)(
    '%s: a developer is the system, and stays one at home',
    (dialect) => {
      const list = [{ role: 'developer', content: 'D' }];
      expect(messagesOf(dialect, list)[0]).toMatchObject({ role: 'system', parts: [text('D')] });
      const { body } = writeFullRequest(dialect, readFullRequest(dialect, { messages: list, input: list }));
      expect(body[dialect === 'openai-chat' ? 'messages' : 'input']).toMatchObject(list);
    },
  );

  test('the items of one turn are one message; a second text begins another one', () => {
    const message = (words: string): JsonObject => ({ type: 'message', role: 'assistant', content: words });
    const call = { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' };
    const reasoning = {
      type: 'reasoning',
      id: 'rs_1',
      summary: [{ type: 'summary_text', text: 'T' }],
      encrypted_content: 'x',
    };
    expect(messagesOf('openai-responses', [reasoning, message('A'), call, message('B')])).toEqual([
      {
        role: 'assistant',
        parts: [
          { kind: 'thought', text: 'T', signature: 'x', more: { id: 'rs_1' } },
          text('A'),
          { kind: 'call', id: 'c', name: 'f', arguments: '{}' },
        ],
      },
      { role: 'assistant', parts: [text('B')] },
    ]);
  });

  test('a refusal is a text with a mark', () => {
    const refused = [{ role: 'assistant', parts: [{ kind: 'text', text: 'No.', refusal: true }] }];
    expect(messagesOf('openai-chat', [{ role: 'assistant', content: null, refusal: 'No.' }])).toEqual(
      refused,
    );
    const part = { type: 'refusal', refusal: 'No.' };
    expect(messagesOf('openai-chat', [{ role: 'assistant', content: [part] }])).toEqual(refused);
    expect(messagesOf('openai-responses', [{ role: 'assistant', content: [part] }])).toEqual(refused);
  });
});

describe('members', () => {
  test.each<[GatewayDialect, JsonObject, Partial<FullRequest>]>([
    ['openai-chat', { max_tokens: 5 }, { limit: 5 }],
    ['openai-chat', { max_completion_tokens: 5 }, { limit: 5 }],
    ['openai-chat', { stop: 'END' }, { stop: ['END'] }],
    ['openai-chat', { safety_identifier: 'u' }, { user: 'u' }],
    ['openai-chat', { reasoning_effort: 'none' }, { effort: 'off' }],
    ['openai-chat', { temperature: null, stop: null, user: null }, {}],
    ['anthropic', { thinking: { type: 'enabled', budget_tokens: 2000 } }, { effort: { budget: 2000 } }],
    ['anthropic', { output_config: { effort: 'xhigh' } }, { effort: 'xhigh' }],
    [
      'anthropic',
      { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } },
      { effort: 'low', unknown: { thinking: { type: 'adaptive' } } },
    ],
    [
      'anthropic',
      { tool_choice: { type: 'any', disable_parallel_tool_use: true } },
      { choice: 'must', parallel: false },
    ],
    ['ollama', { stream: true, think: 'low' }, { stream: true, effort: 'low' }],
    [
      'ollama',
      { options: { num_predict: -1, num_ctx: 9 } },
      { stream: true, unknown: { options: { num_ctx: 9, num_predict: -1 } } },
    ],
    ['ollama', {}, { stream: true }],
  ])('%s: %j', (dialect, body, said) => {
    const empty = { from: dialect, model: '', messages: [], tools: [], stream: false, unknown: {} };
    expect(readFullRequest(dialect, body)).toEqual({ ...empty, ...said });
  });

  test('a value of another kind is unknown, and passes at home', () => {
    const body = {
      model: 5,
      messages: 'none',
      temperature: 'hot',
      tool_choice: { type: 'custom', custom: { name: 'x' } },
      stream: 'yes',
    };
    const request = readFullRequest('openai-chat', body);
    expect(request.unknown).toEqual(body);
    expect(writeFullRequest('openai-chat', request).body).toEqual(body);
  });
});

describe('in its own dialect a body passes with what nobody knows (LLM-G47)', () => {
  const schema = { type: 'object', properties: {} };
  const ephemeral = { cache_control: { type: 'ephemeral' } };

  test.each<[GatewayDialect, JsonObject]>([
    [
      'anthropic',
      {
        model: 'm',
        max_tokens: 9,
        system: [{ type: 'text', text: 'S', ...ephemeral }],
        messages: [
          { role: 'user', content: [{ type: 'text', text: 'Hi', ...ephemeral }] },
          {
            role: 'assistant',
            content: [
              { type: 'thinking', thinking: 'T', signature: 's' },
              { type: 'server_tool_use', id: 'srv_1', name: 'web_search', input: { query: 'q' } },
            ],
          },
          { role: 'system', content: 'Now be brief.' },
          { role: 'user', content: [{ type: 'document', source: { type: 'content', content: 'x' } }] },
        ],
        tools: [
          { name: 'f', input_schema: schema, eager_input_streaming: true },
          { type: 'web_search_20260318', name: 'web_search' },
        ],
        thinking: { type: 'enabled', budget_tokens: 2000, display: 'omitted' },
        output_config: { effort: 'high' },
        metadata: { user_id: 'u', x: 1 },
        service_tier: 'auto',
        stream: true,
      },
    ],
    [
      'openai-chat',
      {
        model: 'm',
        messages: [
          { role: 'developer', content: 'D' },
          {
            role: 'user',
            name: 'ann',
            content: [{ type: 'input_audio', input_audio: { data: 'AA==', format: 'wav' } }],
          },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c', type: 'custom', custom: { name: 'x', input: 'y' } }],
          },
          { role: 'function', name: 'old', content: 'ok' },
        ],
        tools: [
          { type: 'function', function: { name: 'f', parameters: schema } },
          { type: 'custom', custom: { name: 'x' } },
        ],
        tool_choice: { type: 'allowed_tools', allowed_tools: { mode: 'auto', tools: [] } },
        response_format: { type: 'json_schema', json_schema: { name: 'n', description: 'd', schema } },
        seed: 7,
        stream_options: { include_usage: true, include_obfuscation: false },
        stream: true,
      },
    ],
    [
      'openai-responses',
      {
        model: 'm',
        input: [
          { type: 'message', role: 'user', content: 'Hi' },
          {
            type: 'reasoning',
            id: 'rs_1',
            summary: [{ type: 'summary_text', text: 'T' }],
            encrypted_content: 'e',
          },
          {
            type: 'web_search_call',
            id: 'ws_1',
            status: 'completed',
            action: { type: 'search', query: 'q' },
          },
          {
            type: 'message',
            role: 'assistant',
            id: 'msg_1',
            status: 'completed',
            content: [
              {
                type: 'output_text',
                text: 'A',
                annotations: [{ type: 'url_citation', url: 'https://a.test' }],
              },
            ],
          },
          {
            type: 'function_call',
            id: 'fc_1',
            call_id: 'c',
            name: 'f',
            arguments: '{}',
            status: 'completed',
          },
          { type: 'function_call_output', call_id: 'c', output: 'ok' },
          { type: 'item_reference', id: 'msg_0' },
        ],
        tools: [{ type: 'function', name: 'f', parameters: schema }, { type: 'web_search' }],
        reasoning: { effort: 'low', summary: 'auto' },
        text: { verbosity: 'low' },
        include: ['reasoning.encrypted_content'],
        store: false,
        stream: true,
      },
    ],
    [
      'ollama',
      {
        model: 'm',
        messages: [
          { role: 'user', content: 'Hi' },
          {
            role: 'assistant',
            content: '',
            thinking: 'T',
            tool_calls: [{ id: 'c', function: { index: 0, name: 'f', arguments: {} } }],
          },
          { role: 'tool', content: 'ok', tool_name: 'f', tool_call_id: 'c' },
        ],
        tools: [{ type: 'function', function: { name: 'f', parameters: schema } }],
        keep_alive: '5m',
        options: { num_ctx: 4096, temperature: 0 },
        stream: true,
      },
    ],
  ])('%s', (dialect, body) => {
    const { body: written, lost } = writeFullRequest(dialect, readFullRequest(dialect, body));
    expect(written).toEqual(body);
    expect(lost).toEqual([]);
  });
});

test('a call, then other words of the assistant, then the result: no message stands between in Chat and Ollama', () => {
  const items = [
    { type: 'message', role: 'assistant', content: 'A' },
    { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
    { type: 'message', role: 'assistant', content: 'B' },
    { type: 'message', role: 'user', content: 'Hi' },
    { type: 'function_call_output', call_id: 'c', output: 'ok' },
  ];
  const request = readFullRequest('openai-responses', { input: items });
  for (const dialect of ['openai-chat', 'ollama'] as const) {
    const roles = messagesOf(dialect, writeFullRequest(dialect, request).body['messages'] ?? []).map(
      ({ role, parts }) => [role, ...parts.map(({ kind }) => kind)],
    );
    expect(roles[0]?.[0]).toBe('assistant');
    expect(roles[0]).toContain('call');
    expect(roles[1]).toEqual(['user', 'result', 'text']);
    expect(roles).toHaveLength(2);
  }
});
