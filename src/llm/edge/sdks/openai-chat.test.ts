/** OpenAI's own SDK against the streamer, in Chat Completions: how it reads the streamer's answers. */
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { script } from '../../script/builder.ts';
import { rejection } from './outcome.test-helper.ts';
import { asked, opened } from './simulated.test-helper.ts';

const tools: OpenAI.Chat.ChatCompletionTool[] = [
  { type: 'function', function: { name: 'add', description: 'adds', parameters: { type: 'object' } } },
];
const body = {
  model: 'm',
  max_completion_tokens: 500,
  tools,
  messages: [{ role: 'user' as const, content: 'Hi' }],
};
const counted = { ...body, stream_options: { include_usage: true } };

const chatAt = (url: string, maxRetries = 0): OpenAI.Chat.Completions =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'wireproof', maxRetries }).chat.completions;

describe('openai, chat completions', () => {
  it('reads text, in parts and as a whole', async () => {
    const llm = await opened(script().text('Hello, wörld 👋'));
    const stream = chatAt(llm.url).stream(body);
    let text = '';
    stream.on('content', (part) => (text += part));
    const { choices } = await stream.finalChatCompletion();
    expect(text).toBe('Hello, wörld 👋');
    expect(choices).toMatchObject([{ message: { content: 'Hello, wörld 👋' }, finish_reason: 'stop' }]);
  });

  it('reads an answer that is not streamed', async () => {
    const llm = await opened(script().text('Whole.').toolCall('add', { a: 1 }));
    const { choices } = await chatAt(llm.url).create(body);
    expect(choices).toMatchObject([
      {
        message: { content: 'Whole.', tool_calls: [{ function: { name: 'add', arguments: '{"a":1}' } }] },
        finish_reason: 'tool_calls',
      },
    ]);
  });

  it('passes on the thoughts of compatible servers; the official API streams none', async () => {
    const thought = script().thinking('Hm.').text('Yes.');
    const deltas = async (url: string): Promise<unknown[]> => {
      const found = [];
      for await (const chunk of await chatAt(url).create({ ...body, stream: true }))
        found.push(...chunk.choices.map(({ delta }) => delta));
      return found;
    };
    const official = await opened(thought.build());
    // llm.md, Chat Completions (b).
    expect(JSON.stringify(await deltas(official.url))).not.toContain('Hm.');
    const compatible = await opened(thought.with({ variants: { reasoning: 'reasoning_content' } }));
    expect(await deltas(compatible.url)).toContainEqual({ reasoning_content: 'Hm.' });
  });

  it('reads parallel calls, in sequence or interleaved, and the usage of the script', async () => {
    const parallel = script()
      .toolCall('add', { a: 1, b: 'x"y\\' }, { id: 'call_1' })
      .toolCall('add', { a: 2 }, { id: 'call_2' })
      .usage({ input: 11, output: 22, cacheRead: 3, thinking: 4 });
    for (const interleaved of [false, true]) {
      const llm = await opened(parallel.with({ chunk: { size: 2 }, variants: { interleaved } }));
      const { choices, usage } = await chatAt(llm.url).stream(counted).finalChatCompletion();
      expect(choices[0]?.message.tool_calls).toMatchObject([
        { id: 'call_1', function: { name: 'add', arguments: '{"a":1,"b":"x\\"y\\\\"}' } },
        { id: 'call_2', function: { name: 'add', arguments: '{"a":2}' } },
      ]);
      // Chat Completions includes cached tokens in prompt_tokens; the neutral count does not.
      expect(usage).toMatchObject({
        prompt_tokens: 14,
        completion_tokens: 22,
        total_tokens: 36,
        prompt_tokens_details: { cached_tokens: 3 },
        completion_tokens_details: { reasoning_tokens: 4 },
      });
    }
  });

  it('has no usage without a request for it', async () => {
    const llm = await opened(script().text('Hello.'));
    expect((await chatAt(llm.url).stream(body).finalChatCompletion()).usage).toBeUndefined();
  });

  it('ends with length when a call was cut at any place', async () => {
    const llm = await opened(script().toolCall('add', { path: 'a', body: 'long' }).cutAt({ char: 20 }));
    const { choices } = await chatAt(llm.url).stream(body).finalChatCompletion();
    expect(choices).toMatchObject([
      {
        finish_reason: 'length',
        message: { tool_calls: [{ function: { arguments: '{"path":"a","body":"' } }] },
      },
    ]);
    expect(llm.requests[0]?.answer?.calls).toMatchObject([
      { arguments: '{"path":"a","body":"', complete: false },
    ]);
  });

  it('honours max_completion_tokens, and max_tokens, of the request', async () => {
    const llm = await opened(script().text('word '.repeat(100)).times('always'));
    const { max_completion_tokens: _, ...older } = counted;
    for (const request of [
      { ...counted, max_completion_tokens: 7 },
      { ...older, max_tokens: 7 },
    ]) {
      const { choices, usage } = await chatAt(llm.url).stream(request).finalChatCompletion();
      expect(choices[0]?.finish_reason).toBe('length');
      expect(usage?.completion_tokens).toBe(7);
    }
  });

  it('throws an error before the stream, and retries when the server is overloaded', async () => {
    const overloaded = script()
      .error({ type: 'overloaded', message: 'busy', status: 503 })
      .turn()
      .text('Now.')
      .build();
    const llm = await opened(overloaded);
    const error = await rejection(chatAt(llm.url).create(body));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 503, error: { message: 'busy' } });
    const again = await opened(overloaded);
    expect((await chatAt(again.url, 2).create(body)).choices).toMatchObject([
      { message: { content: 'Now.' } },
    ]);
    expect(asked(again)).toBe(2);
  });

  it('does not retry an invalid request', async () => {
    const llm = await opened(
      script().error({ type: 'invalid_request', message: 'no', status: 400 }).times(3),
    );
    expect(await rejection(chatAt(llm.url, 2).create(body))).toBeInstanceOf(OpenAI.BadRequestError);
    expect(asked(llm)).toBe(1);
  });

  it('throws an error that comes in the middle of the stream', async () => {
    const llm = await opened(script().text('Part.').error({ type: 'overloaded', message: 'busy' }));
    const error = await rejection(chatAt(llm.url, 2).stream(body).finalChatCompletion());
    expect(error).toBeInstanceOf(OpenAI.APIError);
    expect(error).toMatchObject({ error: { message: 'busy' } });
    expect(asked(llm)).toBe(1);
  });

  it('throws when the connection is reset', async () => {
    const llm = await opened(script().text('Part.').with({ transport: 'reset' }));
    expect(await rejection(chatAt(llm.url, 2).stream(body).finalChatCompletion())).toBeInstanceOf(Error);
    expect(asked(llm)).toBe(1);
  });

  it('closes the connection when it is aborted; the streamer knows the flushed bytes', async () => {
    const llm = await opened(script().text('One two three four').barrier('never', { char: 8 }));
    const stream = chatAt(llm.url).stream(body);
    await new Promise<void>((resolve) => stream.once('content', () => resolve()));
    stream.abort();
    expect(await rejection(stream.finalChatCompletion())).toBeInstanceOf(OpenAI.APIUserAbortError);
    await llm.until(() => llm.requests[0]?.answer?.outcome === 'aborted');
    // The role, 'One ' and 'two ': the text before the barrier.
    expect(llm.requests[0]?.answer).toMatchObject({ units: 3 });
    expect(llm.requests[0]?.answer?.bytes).toBeGreaterThan(0);
  });

  it('lists the model', async () => {
    const llm = await opened(script({ model: 'my-model' }).text('x'));
    const { data } = await new OpenAI({ baseURL: `${llm.url}/v1`, apiKey: 'wireproof' }).models.list();
    expect(data).toMatchObject([{ id: 'my-model', object: 'model' }]);
  });
});

describe('openai, chat completions: what version 6.49 does with streams that are not well', () => {
  it('throws from its helper when no finish_reason came, but not from the raw iterator', async () => {
    const missing = script().text('Part.').with({ signal: 'missing' }).times(2);
    const llm = await opened(missing);
    expect(String(await rejection(chatAt(llm.url).stream(body).finalChatCompletion()))).toContain(
      'missing finish_reason',
    );
    let text = '';
    for await (const { choices } of await chatAt(llm.url).create({ ...body, stream: true }))
      text += choices[0]?.delta.content ?? '';
    // LLM-C06 is its caller's duty there.
    expect(text).toBe('Part.');
  });

  it('returns arguments that do not parse as text', async () => {
    const lying = script().toolCall('add', { a: 'long' }).cutAt({ char: 8 }).with({ signal: 'lying' });
    const llm = await opened(lying);
    const { choices } = await chatAt(llm.url).stream(body).finalChatCompletion();
    expect(choices).toMatchObject([
      { finish_reason: 'tool_calls', message: { tool_calls: [{ function: { arguments: '{"a":"lo' } }] } },
    ]);
  });
});
