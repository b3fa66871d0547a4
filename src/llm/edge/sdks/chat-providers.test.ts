/** OpenAI's own SDK against Chat Completions as Azure, OpenRouter and Mistral send them. */
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { Variants } from '../../messages.ts';
import { script } from '../../script/builder.ts';
import type { ScriptBuilder } from '../../script/builder.ts';
import { rejection } from './outcome.test-helper.ts';
import { opened } from './simulated.test-helper.ts';

const tools: OpenAI.Chat.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'add', description: 'adds', parameters: { type: 'object' } } },
];

async function completed(played: ScriptBuilder, variants: Variants): Promise<OpenAI.Chat.ChatCompletion> {
  const llm = await opened(played.with({ variants }));
  const client = new OpenAI({ baseURL: `${llm.url}/v1`, apiKey: 'wireproof', maxRetries: 0 });
  const messages = [{ role: 'user' as const, content: 'Hi' }];
  return client.chat.completions.stream({ model: 'm', tools, messages }).finalChatCompletion();
}

const called = (): ScriptBuilder => script().thinking('Hm.').text('Let me.').toolCall('add', { a: 1 });
const failed = (): ScriptBuilder =>
  script().text('So').error({ type: 'overloaded', message: 'Too many of them' });

describe('openai', () => {
  it.each(['azure', 'azure-async', 'openrouter'] as const)('reads %s', async (chat) => {
    const { choices } = await completed(called(), { chat });
    expect(choices).toMatchObject([
      {
        finish_reason: 'tool_calls',
        message: {
          content: 'Let me.',
          tool_calls: [{ function: { name: 'add', arguments: '{"a":1}' } }],
        },
      },
    ]);
  });

  it('throws at a call of Mistral, which has no type, and makes a text of its lists', async () => {
    expect(await rejection(completed(called(), { chat: 'mistral' }))).toMatchObject({
      message: expect.stringMatching(
        /^missing choices\[0\]\.tool_calls\[0\]\.type.*\[object Object\]/s,
      ) as unknown,
    });
    const { choices } = await completed(script().text('So.'), { chat: 'mistral' });
    expect(choices).toMatchObject([{ message: { content: 'So.' } }]);
  });

  it.each(['object', 'choice', 'empty'] as const)('throws at an error in the form %s', async (chatError) => {
    expect(await rejection(completed(failed(), { chatError }))).toMatchObject({
      message: expect.stringContaining('Too many of them') as unknown,
    });
  });

  // OpenAI has no finish reason `error`: LLM-C07 asks it of clients that name Mistral.
  it('takes the finish reason error for an end', async () => {
    const { choices } = await completed(failed(), { chat: 'mistral' });
    expect(choices).toMatchObject([{ finish_reason: 'error', message: { content: 'So' } }]);
  });
});
