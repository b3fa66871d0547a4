/** Calls of custom tools in Chat Completions: types ChatCompletionMessageCustomToolCall and ChatCompletionCustomTool. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { Decoded, Variants } from '../../messages.ts';
import { contextOf, decodeIn, unitsOf } from '../shared/laws.test-helper.ts';
import { answerOf, requestOf, streamOf } from '../openai/answers.test-helper.ts';
import type { Content } from '../openai/answers.test-helper.ts';
import { openaiChat } from './index.ts';

const chunk = (delta: object, finish: string | null = null) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
});
const finish = (reason: string) => chunk({}, reason);
const begun = (index: number, id: string, input = '') =>
  chunk({ tool_calls: [{ index, id, type: 'custom', custom: { name: 'apply_patch', input } }] });
const more = (index: number, input: string) => chunk({ tool_calls: [{ index, custom: { input } }] });
const read = (...events: (object | string)[]): Decoded =>
  decodeIn(openaiChat, streamOf(...events, '[DONE]')).decoded;
const call = (id: string, input: string) => ({ id, name: 'apply_patch', input, custom: true });

describe('reading', () => {
  it('gives calls when the model ended by itself, with their text as it came', () => {
    for (const reason of ['tool_calls', 'stop']) {
      const { response } = read(
        begun(0, 'a'),
        more(0, '*** '),
        more(0, 'Begin'),
        begun(1, 'b', '{"x":1}'),
        finish(reason),
      );
      expect(response.toolCalls).toEqual([call('a', '*** Begin'), call('b', '{"x":1}')]);
      expect(response.warnings).toEqual([]);
    }
  });

  it('gives no last call at the limit, whatever its text is, and keeps the calls before it (LLM-C01, LLM-C03)', () => {
    for (const input of ['', '*** Begin', '{"x":1}']) {
      const { response } = read(begun(0, 'a', 'whole'), begun(1, 'b', input), finish('length'));
      expect(response.toolCalls).toEqual([call('a', 'whole')]);
      expect(response.open).toEqual({ id: 'b', name: 'apply_patch', partial: input, custom: true });
      expect(response.metadata.stopReason).toBe('max_tokens');
    }
  });

  it('gives no call where two finish reasons contradict each other, or none comes (LLM-C05, LLM-C06)', () => {
    expect(read(begun(0, 'a', 'x'), finish('tool_calls'), finish('length')).response.toolCalls).toEqual([]);
    expect(read(begun(0, 'a', 'x')).response.toolCalls).toEqual([]);
  });

  it('reads whole bodies in the same way', () => {
    const body = (reason: string) =>
      openaiChat.readWhole(
        200,
        {},
        Buffer.from(
          JSON.stringify({
            choices: [
              {
                index: 0,
                message: {
                  role: 'assistant',
                  content: null,
                  tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'apply_patch', input: 'x' } }],
                },
                finish_reason: reason,
              },
            ],
          }),
        ),
      ).response.toolCalls;
    expect(body('tool_calls')).toEqual([call('a', 'x')]);
    expect(body('length')).toEqual([]);
  });
});

describe('an answer', () => {
  const request = requestOf('openai-chat', { obfuscation: false, includeUsage: false });
  const custom = (...pieces: string[]): Content => ({
    kind: 'tool_call',
    id: 'a',
    name: 'apply_patch',
    custom: true,
    pieces,
  });
  const answer = (variants: Variants = {}) =>
    answerOf(request, [custom('*** ', 'Begin')], { stop: 'tool_use' }, variants);
  const callsOf = (variants: Variants = {}): Json[] =>
    unitsOf(openaiChat, answer(variants)).flatMap(({ data }) => {
      const { choices } = data as { readonly choices?: readonly { readonly delta: JsonObject }[] };
      return choices?.flatMap(({ delta }) => delta['tool_calls'] ?? []) ?? [];
    });

  it('has a call of type custom in its deltas', () => {
    expect(callsOf()).toEqual([
      { index: 0, id: 'a', type: 'custom', custom: { name: 'apply_patch', input: '' } },
      { index: 0, custom: { input: '*** ' } },
      { index: 0, custom: { input: 'Begin' } },
    ]);
    expect(callsOf({ joined: ['arguments'] })).toEqual([
      { index: 0, id: 'a', type: 'custom', custom: { name: 'apply_patch', input: '*** ' } },
      { index: 0, custom: { input: 'Begin' } },
    ]);
    expect(callsOf({ joined: ['calls'] })).toEqual([
      { index: 0, id: 'a', type: 'custom', custom: { name: 'apply_patch', input: '*** Begin' } },
    ]);
  });

  it('has it in whole bodies', () => {
    const answered = answer();
    expect(openaiChat.whole(answered.generation, contextOf(answered)).body).toMatchObject({
      choices: [
        {
          message: {
            content: null,
            tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'apply_patch', input: '*** Begin' } }],
          },
        },
      ],
    });
  });
});

describe('a request', () => {
  it('has the tool, the call and its result', () => {
    const messages = [
      { role: 'user', content: 'hi' },
      {
        role: 'assistant',
        content: null,
        tool_calls: [{ id: 'a', type: 'custom', custom: { name: 'apply_patch', input: '{"x":1}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'Done.' },
    ];
    const tools = [{ type: 'custom', custom: { name: 'apply_patch' } }];
    const read = openaiChat.readRequest(
      { model: 'm', messages, tools, tool_choice: { type: 'custom', custom: { name: 'apply_patch' } } },
      {},
    );
    if (!read.ok) throw new Error(read.error.error.message);
    expect(read.value).toMatchObject({
      tools: [{ name: 'apply_patch', custom: true, inputSchema: {} }],
      messages: [
        messages[0],
        { role: 'assistant', content: '', toolCalls: [call('a', '{"x":1}')] },
        {
          role: 'user',
          content: '',
          toolResults: [{ id: 'a', content: 'Done.', isError: false, custom: true }],
        },
      ],
    });
    expect(read.value.unknown).toBeUndefined();
    const { body } = openaiChat.writeRequest(read.value);
    expect(body).toMatchObject({ messages, tools });
  });
});
