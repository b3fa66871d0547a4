import { describe, expect, it } from 'vitest';
import type { LlmMessage, LlmRequest } from '../../../src/llm/index.ts';
import { equalJson } from './answer.ts';
import { hugeIntegers } from './exchange.ts';
import { conversationFault, requestOf } from './requests.ts';

const asks: LlmMessage = { role: 'user', content: 'Go.' };
const calls = (...ids: string[]): LlmMessage => ({
  role: 'assistant',
  content: '',
  toolCalls: ids.map((id) => ({ id, name: 'f', input: {} })),
});
const results = (...ids: string[]): LlmMessage => ({
  role: 'user',
  content: '',
  toolResults: ids.map((id) => ({ id, content: 'x', isError: false })),
});

const known = ['1', '2'].map((id) => ({ id, name: 'f' }));
const faultIn = (more: Partial<LlmRequest>, ...messages: readonly LlmMessage[]): string | undefined => {
  const request: LlmRequest = {
    dialect: 'anthropic',
    model: 'm',
    messages,
    tools: [],
    stream: true,
    includeUsage: true,
    ...more,
  };
  return conversationFault(request, known);
};
const fault = (...messages: readonly LlmMessage[]): string | undefined => faultIn({}, ...messages);

// LLM-C08: "every tool call answered once, none invented, no empty content".
describe('a request', () => {
  it.each([
    [[asks, calls('1', '2'), results('1', '2')]],
    [[asks, calls('1', '2'), results('2'), results('1')]],
    [[asks, calls('1'), results('1'), calls('2'), results('2'), asks]],
  ])('is valid when each call has its result before the next answer', (messages) => {
    expect(fault(...messages)).toBe(undefined);
  });

  it.each([
    [
      'a call without its result',
      [asks, calls('1', '2'), results('1')],
      'expected one result of the call f (2); came 0',
    ],
    ['a call with two results', [asks, calls('1'), results('1', '1')], 'came 2'],
    [
      'a result that comes too late',
      [asks, calls('1'), calls('2'), results('1', '2')],
      'expected one result of the call f (1)',
    ],
    ['a call that the model did not make', [asks, calls('3'), results('3')], 'it did not make f (3)'],
    ['a result without a call', [asks, calls('1'), results('1', '2')], 'came a result of 2'],
    ['an empty message', [asks, { role: 'assistant', content: '' }, asks], 'it is empty'],
  ] as const)('is invalid with %s', (_, messages, message) => {
    expect(fault(...messages)).toContain(message);
  });

  // Requests that providers answered with 200 (spec/llm/FACTS.md).
  it('may have an image alone, begin with the assistant, or have an assistant without text', () => {
    const image: LlmMessage = { role: 'user', content: '', otherParts: true };
    const silent: LlmMessage = { role: 'assistant', content: '' };
    expect(fault({ role: 'assistant', content: 'Hello.' }, image)).toBe(undefined);
    expect(fault(asks, silent)).toBe(undefined);
    expect(faultIn({ dialect: 'openai-chat' }, asks, silent, asks)).toBe(undefined);
    expect(faultIn({ dialect: 'openai-chat' }, { role: 'user', content: '' })).toContain('it is empty');
  });

  it('may answer calls of messages at the server, each once, and no others', () => {
    const at = { dialect: 'openai-responses', continued: true } as const;
    expect(faultIn(at, results('1', '2'))).toBe(undefined);
    expect(faultIn(at, results('3'))).toContain('came a result of 3');
    expect(faultIn(at, results('1', '1'))).toContain('expected one result of the call 1; came another');
    expect(faultIn({ dialect: 'openai-responses' }, results('1'))).toContain('came a result of 1');
  });

  it('of a real client is accepted by its dialect', () => {
    const tool = { function: { name: 'f', parameters: { type: 'object' } } };
    const user = {
      role: 'user',
      content: [{ type: 'image_url', image_url: { url: 'data:image/png;base64,aGk=' } }],
    };
    const chat = requestOf('openai-chat', { model: 'm', messages: [user], tools: [tool] });
    expect(chat).toMatchObject({
      ok: true,
      value: { messages: [{ otherParts: true }], tools: [{ name: 'f' }] },
    });
    const output = { type: 'function_call_output', call_id: '1', output: 'x' };
    const responses = { model: 'm', previous_response_id: 'resp_1', input: [output] };
    expect(requestOf('openai-responses', responses)).toMatchObject({ ok: true, value: { continued: true } });
    const picture = { role: 'user', content: '', images: ['aGk='] };
    const ollama = requestOf('ollama', { model: 'm', messages: [picture] });
    expect(ollama).toMatchObject({ ok: true, value: { messages: [{ otherParts: true }] } });
  });

  it('that the dialect does not accept gives a reason', () => {
    expect(requestOf('anthropic', { model: 'm' }).ok).toBe(false);
    expect(requestOf('morse', {}).ok).toBe(false);
  });
});

describe('integers that a double cannot hold', () => {
  // 2^53 + 1 is the first; 2^60 is a power of two, and exact.
  it.each([
    ['{"a":9007199254740993}', ['9007199254740993']],
    ['{"a":1152921504606846976}', []],
    ['{"a":"9007199254740993"}', []],
    ['[1e400, 0.1]', []],
  ])('in %s', (json, found) => {
    expect(hugeIntegers(json)).toEqual(found);
  });
});

describe('two values', () => {
  it('are equal in any order of their members', () => {
    expect(equalJson({ a: [1, { b: null }], c: 'x' }, { c: 'x', a: [1, { b: null }] })).toBe(true);
  });

  it.each([
    [{ a: 1 }, { a: 1, b: 2 }],
    [
      [1, 2],
      [2, 1],
    ],
    [{ a: undefined }, { b: undefined }],
    [[], {}],
    ['1', 1],
  ])('%j and %j are not equal', (a, b) => {
    expect(equalJson(a, b)).toBe(false);
  });

  it('that are nested too deep are not equal: the comparison is bounded', () => {
    const deep = (): unknown => {
      let value: unknown = 1;
      for (let i = 0; i < 200_000; i++) value = [value];
      return value;
    };
    expect(equalJson(deep(), deep())).toBe(false);
  });
});
