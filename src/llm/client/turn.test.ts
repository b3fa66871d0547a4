import { describe, expect, it } from 'vitest';
import type { StopReason, ToolCall } from '../../kit/base/index.ts';
import { ClientTurn } from './turn.ts';
import type { TurnOptions } from './turn.ts';
import type { Decoded, LlmResponse } from '../messages.ts';

const options: TurnOptions = {
  dialect: 'anthropic',
  model: 'm',
  prompt: 'Add.',
  tools: [{ name: 'add', inputSchema: { type: 'object' }, output: '3' }],
  maxRounds: 3,
  stream: true,
};

const call = (id: string, name = 'add'): ToolCall => ({ id, name, input: { a: 1, b: 2 } });

const response = (stopReason: StopReason, more: Partial<LlmResponse> = {}): Decoded => ({
  response: { content: '', toolCalls: [], metadata: { stopReason }, warnings: [], ...more },
});

describe('a turn', () => {
  it('begins with the prompt, and ends with the first response without calls', () => {
    const turn = new ClientTurn(options);
    expect(turn.request().messages).toEqual([{ role: 'user', content: 'Add.' }]);
    expect(turn.took(response('end_turn', { content: 'Done.' }))).toMatchObject({
      text: 'Done.',
      stopReason: 'end_turn',
      executed: [],
    });
  });

  // LLM-C08: "every tool call answered once, none invented".
  it('answers each call once, in order, and with an error for an unknown tool', () => {
    const turn = new ClientTurn(options);
    const toolCalls = [call('1'), call('2', 'subtract')];
    expect(turn.took(response('tool_use', { toolCalls }))).toBe(undefined);
    expect(turn.request().messages.slice(1)).toEqual([
      { role: 'assistant', content: '', toolCalls },
      {
        role: 'user',
        content: '',
        toolResults: [
          { id: '1', content: '3', isError: false },
          { id: '2', content: 'there is no tool called subtract', isError: true },
        ],
      },
    ]);
    const result = turn.took(response('end_turn', { content: 'Three.' }));
    expect(result?.executed).toEqual([{ name: 'add', input: { a: 1, b: 2 } }]);
    expect(result?.toolCalls).toEqual(toolCalls);
  });

  // LLM-C05: under a false stop reason, a call that was cut in its first parameter looks like one without parameters.
  it('does not run a call without any arguments when its tool requires some', () => {
    for (const required of [[], ['a']]) {
      const [tool] = options.tools.map((one) => ({ ...one, inputSchema: { type: 'object', required } }));
      const turn = new ClientTurn({ ...options, tools: tool === undefined ? [] : [tool] });
      const calls = { toolCalls: [{ id: '1', name: 'add', input: {} }], emptyCalls: ['1'] };
      expect(turn.took(response('tool_use', calls))).toBe(undefined);
      const ran = required.length === 0;
      expect(turn.request().messages.at(-1)?.toolResults).toMatchObject([{ id: '1', isError: !ran }]);
      expect(turn.took(response('end_turn'))?.executed).toHaveLength(ran ? 1 : 0);
    }
  });

  // LLM-C14.
  it('sends thoughts back unchanged', () => {
    const turn = new ClientTurn(options);
    const thinking = [{ text: 'Hm.', signature: 's' }];
    turn.took(response('tool_use', { toolCalls: [call('1')], thinking }));
    expect(turn.request().messages[1]).toMatchObject({ thinking });
  });

  // LLM-C01, LLM-C03: complete calls before a cut are kept, and none of them is run.
  it.each(['max_tokens', 'context_window', 'end_turn', 'refusal', 'unknown'] as const)(
    'runs nothing when the model stopped for %s',
    (stopReason) => {
      const open = { id: '2', name: 'add', partial: '{"a":' };
      const result = new ClientTurn(options).took(response(stopReason, { toolCalls: [call('1')], open }));
      expect(result).toMatchObject({ stopReason, executed: [], toolCalls: [call('1')] });
    },
  );

  // LLM-C06, LLM-C07: a response with an error does not count.
  it('runs nothing of a response that ended with an error, and keeps its text', () => {
    const error = { kind: 'truncated-stream', message: 'no end', retryable: true } as const;
    const { response: broken } = response('tool_use', { content: 'So', toolCalls: [call('1')] });
    const result = new ClientTurn(options).took({ response: broken, error });
    expect(result).toMatchObject({ executed: [], text: 'So', error: 'no end' });
  });

  // LLM-C05.
  it('reports an invalid call as an error, though the model stopped for it', () => {
    const open = { id: '1', name: 'add', partial: '{"a":' };
    const result = new ClientTurn(options).took(response('tool_use', { open }));
    expect(result).toMatchObject({ executed: [], stopReason: 'tool_use' });
    expect(result?.error).toContain('add');
  });

  it('makes at most its number of requests, and runs no tool whose result cannot be sent', () => {
    const turn = new ClientTurn({ ...options, maxRounds: 2 });
    expect(turn.took(response('tool_use', { toolCalls: [call('1')] }))).toBe(undefined);
    const result = turn.took(response('tool_use', { toolCalls: [call('2')] }));
    expect(result?.stopReason).toBe('tool_use');
    expect(result?.executed.length).toBe(1);
  });

  it('adds the usage of its responses up', () => {
    const turn = new ClientTurn(options);
    const usage = { inputTokens: 10, outputTokens: 2, cacheReadTokens: 5 };
    const metadata = { stopReason: 'tool_use', usage } as const;
    turn.took(response('tool_use', { toolCalls: [call('1')], metadata }));
    const result = turn.took(
      response('end_turn', {
        metadata: { stopReason: 'end_turn', usage: { inputTokens: 20, outputTokens: 3 } },
      }),
    );
    expect(result?.usage).toEqual({ inputTokens: 30, outputTokens: 5, cacheReadTokens: 5 });
  });
});
