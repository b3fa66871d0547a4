/** Requests of LM Studio's SDK 2.0, as `respond`, `act` and `complete` write them, and refused requests. */
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import type { LlmRequest } from '../../messages.ts';
import { lmstudio } from './index.ts';

const read = (body: Json) => lmstudio.readRequest(body, {});
const textPart = (text: string): Json => ({ type: 'text', text });
const user = (text: string): Json => ({ role: 'user', content: [textPart(text)] });
const query: Json = { type: 'query', query: { identifier: 'm' } };
const body = (messages: Json, layers: Json = []): Json => ({
  modelSpecifier: query,
  history: { messages },
  predictionConfigStack: { layers },
});
const layer = (...fields: readonly (readonly [string, Json])[]): Json => ({
  layerName: 'apiOverride',
  config: { fields: fields.map(([key, value]) => ({ key: `llm.prediction.${key}`, value })) },
});

const plain: LlmRequest = {
  dialect: 'lmstudio',
  model: 'm',
  messages: [{ role: 'user', content: 'hi' }],
  tools: [],
  stream: true,
  includeUsage: true,
};

/** The read request. Fails the test when it was refused. */
function taken(value: Json): LlmRequest {
  const result = read(value);
  expect(result).toMatchObject({ ok: true });
  return result.ok ? result.value : plain;
}

describe('a prediction', () => {
  it('is for the model of its specifier, by instance or by query', () => {
    const of = (modelSpecifier: Json) => taken({ ...(body([user('hi')]) as object), modelSpecifier }).model;
    expect(of({ type: 'instanceReference', instanceReference: 'a' })).toBe('a');
    expect(of({ type: 'query', query: { identifier: 'b' } })).toBe('b');
    expect(of({ type: 'query', query: { path: 'c' } })).toBe('c');
    expect(of({ type: 'query', query: {} })).toBe('');
  });

  it('has its limit, stop strings and tools in a config; later layers override earlier ones', () => {
    const parameters = { type: 'object', properties: {} };
    const tools: Json = {
      type: 'toolArray',
      tools: [{ type: 'function', function: { name: 'add', description: 'adds', parameters } }],
    };
    const layers = [
      layer(['maxPredictedTokens', { checked: true, value: 5 }], ['temperature', 0.2]),
      layer(['maxPredictedTokens', { checked: true, value: 9 }], ['stopStrings', ['END']], ['tools', tools]),
    ];
    expect(taken(body([user('hi')], layers))).toEqual({
      ...plain,
      maxTokens: 9,
      stopSequences: ['END'],
      tools: [{ name: 'add', description: 'adds', inputSchema: parameters }],
    });
  });

  it.each([
    { checked: false, value: 5 },
    { checked: true, value: -1 },
  ])('has no limit with the SDK’s value for no limit: %j', (value) => {
    expect(taken(body([user('hi')], [layer(['maxPredictedTokens', value])]))).toEqual(plain);
  });

  it('of raw text counts as a message of the user', () => {
    expect(taken({ modelSpecifier: query, rawPrompt: 'hi', predictionConfigStack: { layers: [] } })).toEqual(
      plain,
    );
  });

  it('names unknown content', () => {
    const file: Json = { type: 'file', name: 'a.png', identifier: 'f', sizeBytes: 1, fileType: 'image' };
    const messages = [{ role: 'user', content: [textPart('hi'), file] }];
    const config: Json = { layerName: 'hardware', config: { fields: [{ key: 'llm.load.seed', value: 1 }] } };
    const value = { ...(body(messages, [config]) as object), mood: 'good' } as Json;
    expect(taken(value).unknown).toEqual(['mood', 'history.messages[0].content[1].type', 'llm.load.seed']);
  });
});

describe('a history', () => {
  it('has results of tools in messages of the user, and calls with their ids', () => {
    const call = { type: 'function', id: 'c1', name: 'add', arguments: { a: 1 } };
    const messages = [
      { role: 'system', content: [textPart('be '), textPart('brief')] },
      user('hi'),
      { role: 'assistant', content: [textPart('ok'), { type: 'toolCallRequest', toolCallRequest: call }] },
      { role: 'tool', content: [{ type: 'toolCallResult', toolCallId: 'c1', content: '7' }] },
      user('and?'),
    ];
    expect(taken(body(messages))).toEqual({
      ...plain,
      system: 'be brief',
      messages: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'ok', toolCalls: [{ id: 'c1', name: 'add', input: { a: 1 } }] },
        { role: 'user', content: 'and?', toolResults: [{ id: 'c1', content: '7', isError: false }] },
      ],
    });
  });

  it('without ids pairs calls and results in order: ids are optional in the SDK', () => {
    const call = (name: string): Json => ({
      type: 'toolCallRequest',
      toolCallRequest: { type: 'function', name },
    });
    const result = (content: string): Json => ({ type: 'toolCallResult', content });
    const messages = [
      user('hi'),
      { role: 'assistant', content: [call('a'), call('b')] },
      { role: 'tool', content: [result('1'), result('2')] },
    ];
    const [, asked, answered] = taken(body(messages)).messages;
    expect(asked?.toolCalls?.map(({ id, name, input }) => [id, name, input])).toEqual([
      ['call_1', 'a', {}],
      ['call_2', 'b', {}],
    ]);
    expect(answered?.toolResults?.map(({ id, content }) => [id, content])).toEqual([
      ['call_1', '1'],
      ['call_2', '2'],
    ]);
  });

  it('is written with the names of the tools whose results it has', () => {
    const request: LlmRequest = {
      ...plain,
      system: 'be brief',
      messages: [
        ...plain.messages,
        { role: 'assistant', content: '', toolCalls: [{ id: 'c1', name: 'add', input: {} }] },
        { role: 'user', content: '', toolResults: [{ id: 'c1', content: '7', isError: false }] },
      ],
    };
    expect(lmstudio.writeRequest(request).body).toMatchObject({
      history: {
        messages: [
          { role: 'system' },
          { role: 'user' },
          {
            role: 'assistant',
            content: [{ type: 'toolCallRequest', toolCallRequest: { id: 'c1', type: 'function' } }],
          },
          {
            role: 'tool',
            content: [{ type: 'toolCallResult', content: '7', toolCallId: 'c1', name: 'add' }],
          },
        ],
      },
    });
  });
});

describe('an invalid request is refused with its position', () => {
  const tool = (of: Json): Json => [layer(['tools', { type: 'toolArray', tools: [of] }])];
  let deep: Json = 1;
  for (let i = 0; i < 300; i += 1) deep = [deep];
  const deepCall: Json = { type: 'function', name: 'a', arguments: { deep } };

  it.each<[string, Json, string]>([
    ['no object', [], 'creationParameter'],
    ['no model', { history: { messages: [] } }, 'modelSpecifier'],
    ['no history', { modelSpecifier: query }, 'history.messages'],
    ['a role', body([{ role: 'robot', content: [] }]), 'history.messages[0].role'],
    ['content as a string', body([{ role: 'user', content: 'hi' }]), 'history.messages[0].content'],
    ['a part', body([{ role: 'user', content: [{ type: 'tune' }] }]), 'history.messages[0].content[0].type'],
    ['a text', body([{ role: 'user', content: [{ type: 'text' }] }]), 'history.messages[0].content[0].text'],
    ['a layer', body([], [{ layerName: 'x' }]), 'predictionConfigStack.layers[0].config.fields'],
    [
      'a result of a user',
      body([{ role: 'user', content: [{ type: 'toolCallResult', content: '7' }] }]),
      'history.messages[0].content[0].type',
    ],
    [
      'arguments with endless nesting',
      body([{ role: 'assistant', content: [{ type: 'toolCallRequest', toolCallRequest: deepCall }] }]),
      'history.messages[0].content[0].toolCallRequest',
    ],
    ['a tool', body([], tool({ type: 'function' })), 'predictionConfigStack: llm.prediction.tools.tools[0]'],
    [
      'a tool with endless nesting',
      body([], tool({ type: 'function', function: { name: 'a', parameters: { deep } } })),
      'predictionConfigStack: llm.prediction.tools.tools[0]',
    ],
  ])('%s', (_, value, path) => {
    const result = read(value);
    expect(result).toMatchObject({
      ok: false,
      error: { path, error: { type: 'invalid_request', status: 400 } },
    });
    expect(result.ok ? '' : result.error.error.message).toMatch(/: expected .+; came .+/);
  });
});
