/** Requests to Ollama: accepted and refused ones. */
import { describe, expect, test } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import type { LlmRequest } from '../../messages.ts';
import { ollama } from './index.ts';

function taken(body: Json): LlmRequest {
  const result = ollama.readRequest(body, {});
  if (!result.ok) throw new Error(result.error.error.message);
  return result.value;
}

const user = { role: 'user', content: 'hi' };

describe('fields', () => {
  test('`stream` defaults true on the wire', () => {
    expect(taken({ model: 'm', messages: [user] })).toEqual({
      dialect: 'ollama',
      model: 'm',
      messages: [{ role: 'user', content: 'hi' }],
      tools: [],
      stream: true,
      includeUsage: true,
    });
    expect(taken({ model: 'm', stream: false }).stream).toBe(false);
  });

  test('`num_predict` is the limit; 0 and below mean none', () => {
    expect(taken({ model: 'm', options: { num_predict: 5, stop: ['END'] } })).toMatchObject({
      maxTokens: 5,
      stopSequences: ['END'],
    });
    for (const limit of [0, -1, -2]) {
      expect(taken({ model: 'm', options: { num_predict: limit } })).not.toHaveProperty('maxTokens');
    }
  });

  test('a first system message is the system text; others stay messages', () => {
    const system = (content: string): Json => ({ role: 'system', content });
    expect(taken({ model: 'm', messages: [system('a'), user, system('b')] })).toMatchObject({
      system: 'a',
      messages: [{ role: 'user' }, { role: 'system', content: 'b' }],
    });
  });

  test('tools are functions', () => {
    const made = { name: 'run', description: 'runs', parameters: { type: 'object' } };
    expect(taken({ model: 'm', tools: [{ type: 'function', function: made }] }).tools).toEqual([
      { name: 'run', description: 'runs', inputSchema: { type: 'object' } },
    ]);
  });

  test('that are unknown are noted', () => {
    const picture = { ...user, images: ['aGk='] };
    expect(taken({ model: 'm', messages: [picture], nonsense: 1 }).unknown).toEqual([
      'nonsense',
      'messages[0].images',
    ]);
  });

  test.each<[Json, string, RegExp]>([
    [{}, '', /^model is required$/],
    [{ model: '' }, '', /^model is required$/],
    [
      { model: 'm', messages: 'x' },
      'messages',
      /cannot unmarshal string into Go struct field ChatRequest\.messages of type array/,
    ],
    [
      { model: 'm', messages: [{ role: 'user', content: 1 }] },
      'messages[0].content',
      /cannot unmarshal number into Go struct field ChatRequest\.messages\.content of type string/,
    ],
    [
      { model: 'm', options: { num_predict: 'x' } },
      'options.num_predict',
      /ChatRequest\.options\.num_predict of type int$/,
    ],
    [{ model: 'm', options: { stop: 'x' } }, 'options.stop', /ChatRequest\.options\.stop of type array/],
    [
      {
        model: 'm',
        messages: [{ role: 'assistant', tool_calls: [{ function: { name: 'a', arguments: '{}' } }] }],
      },
      'messages[0].tool_calls[0].function.arguments',
      /ChatRequest\.messages\.tool_calls\.function\.arguments of type api\.ToolCallFunctionArguments/,
    ],
  ])('%j is refused at %j', (body, path, words) => {
    const result = ollama.readRequest(body, {});
    if (result.ok) throw new Error('it was taken');
    expect(result.error.path).toBe(path);
    expect(result.error.error).toMatchObject({ status: 400, message: expect.stringMatching(words) });
  });
});

describe('results', () => {
  const calls = ['a', 'b'].map((name) => ({ function: { name, arguments: {} } }));
  const assistant = { role: 'assistant', content: '', tool_calls: calls };
  const results = (...messages: readonly Json[]): readonly string[] | undefined =>
    taken({ model: 'm', messages: [user, assistant, ...messages] })
      .messages.at(-1)
      ?.toolResults?.map(({ id, content }) => `${id}=${content}`);

  test('that follow each other are one message, and answer calls by name', () => {
    const answers = [
      { role: 'tool', tool_name: 'b', content: '2' },
      { role: 'tool', tool_name: 'a', content: '1' },
    ];
    expect(results(...answers)).toEqual(['call_1_1=2', 'call_1_0=1']);
  });

  test('without a name answer them in order', () => {
    expect(results({ role: 'tool', content: '1' }, { role: 'tool', content: '2' })).toEqual([
      'call_1_0=1',
      'call_1_1=2',
    ]);
  });

  test('by id answer that call', () => {
    expect(results({ role: 'tool', tool_call_id: 'call_1_1', content: '2' })).toEqual(['call_1_1=2']);
  });
});

test('writing: system text and results are messages, the limit is an option', () => {
  const { path, body } = ollama.writeRequest({
    dialect: 'ollama',
    model: 'm',
    system: 'be brief',
    messages: [
      { role: 'user', content: 'go' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'run', input: { a: 1 } }] },
      { role: 'user', content: 'and?', toolResults: [{ id: 'c1', content: 'done', isError: false }] },
    ],
    tools: [],
    maxTokens: 9,
    stream: true,
    includeUsage: true,
  });
  expect(path).toBe('/api/chat');
  expect(body).toEqual({
    model: 'm',
    messages: [
      { role: 'system', content: 'be brief' },
      { role: 'user', content: 'go' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [{ id: 'c1', function: { index: 0, name: 'run', arguments: { a: 1 } } }],
      },
      { role: 'tool', content: 'done', tool_name: 'run', tool_call_id: 'c1' },
      { role: 'user', content: 'and?' },
    ],
    stream: true,
    options: { num_predict: 9 },
  });
});
