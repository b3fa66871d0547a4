/** Anthropic's own SDK against the streamer: how it reads the streamer's answers. */
import Anthropic from '@anthropic-ai/sdk';
import { describe, expect, it } from 'vitest';
import { script } from '../../script/builder.ts';
import { asked, opened } from './simulated.test-helper.ts';

const tools: Anthropic.Tool[] = [{ name: 'add', description: 'adds', input_schema: { type: 'object' } }];
const body = {
  model: 'm',
  max_tokens: 500,
  tools,
  messages: [{ role: 'user' as const, content: 'Hi' }],
};

const clientAt = (url: string, maxRetries = 0): Anthropic =>
  new Anthropic({ baseURL: url, apiKey: 'wireproof', maxRetries });

describe('@anthropic-ai/sdk', () => {
  it('reads text, in parts and as a whole', async () => {
    const llm = await opened(script().text('Hello, wörld 👋'));
    const stream = clientAt(llm.url).messages.stream(body);
    let text = '';
    stream.on('text', (part) => (text += part));
    const message = await stream.finalMessage();
    expect(text).toBe('Hello, wörld 👋');
    expect(message.content).toMatchObject([{ type: 'text', text: 'Hello, wörld 👋' }]);
    expect(message.stop_reason).toBe('end_turn');
  });

  it('reads an answer that is not streamed', async () => {
    const llm = await opened(script().text('Whole.').toolCall('add', { a: 1 }));
    const message = await clientAt(llm.url).messages.create(body);
    expect(message.content).toMatchObject([
      { type: 'text', text: 'Whole.' },
      { type: 'tool_use', name: 'add', input: { a: 1 } },
    ]);
    expect(message.stop_reason).toBe('tool_use');
  });

  it('reads thinking with its signature, then text', async () => {
    const llm = await opened(script().thinking('Hm.', { signature: 'sig-1' }).text('Yes.'));
    const message = await clientAt(llm.url).messages.stream(body).finalMessage();
    expect(message.content).toMatchObject([
      { type: 'thinking', thinking: 'Hm.', signature: 'sig-1' },
      { type: 'text', text: 'Yes.' },
    ]);
  });

  it('reads parallel tools, and the usage of the script', async () => {
    const parallel = script()
      .toolCall('add', { a: 1, b: 'x"y\\' })
      .toolCall('add', { a: 2 })
      .usage({ input: 11, output: 22, cacheRead: 3 });
    const llm = await opened(parallel);
    const message = await clientAt(llm.url).messages.stream(body).finalMessage();
    expect(message.content).toMatchObject([
      { type: 'tool_use', input: { a: 1, b: 'x"y\\' } },
      { type: 'tool_use', input: { a: 2 } },
    ]);
    // llm.md, Usage: what was read from the cache is counted apart from input_tokens.
    expect(message.usage).toMatchObject({ input_tokens: 11, cache_read_input_tokens: 3, output_tokens: 22 });
  });

  it('ends with max_tokens when a call was cut, at a parameter boundary', async () => {
    const cut = script().toolCall('add', { path: 'a', body: 'long' }).cutAt({ char: 20 });
    const llm = await opened(cut);
    const message = await clientAt(llm.url).messages.stream(body).finalMessage();
    expect(message.stop_reason).toBe('max_tokens');
    // llm.md, (d): by default the server buffers each parameter.
    expect(llm.requests[0]?.answer?.calls[0]).toMatchObject({ arguments: '{"path":"a"', complete: false });
  });

  it('honours max_tokens of the request', async () => {
    const llm = await opened(script().text('word '.repeat(100)));
    const message = await clientAt(llm.url)
      .messages.stream({ ...body, max_tokens: 7 })
      .finalMessage();
    expect(message.stop_reason).toBe('max_tokens');
    expect(message.usage.output_tokens).toBe(7);
  });

  it('throws an error before the stream, and retries when the server is overloaded', async () => {
    const overloaded = script()
      .error({ type: 'overloaded', message: 'busy', status: 529 })
      .turn()
      .text('Now.');
    const llm = await opened(overloaded);
    const error = await clientAt(llm.url)
      .messages.create(body)
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(error).toMatchObject({ status: 529, error: { error: { type: 'overloaded_error' } } });
    const again = await opened(overloaded);
    expect((await clientAt(again.url, 2).messages.create(body)).content).toMatchObject([{ text: 'Now.' }]);
    expect(asked(again)).toBe(2);
  });

  it('throws an error that comes in the middle of the stream', async () => {
    const llm = await opened(script().text('Part.').error({ type: 'overloaded', message: 'busy' }));
    const error = await clientAt(llm.url)
      .messages.stream(body)
      .finalMessage()
      .catch((cause: unknown) => cause);
    expect(error).toBeInstanceOf(Anthropic.APIError);
    expect(String(error)).toContain('overloaded_error');
  });

  it('throws when the connection is reset', async () => {
    const llm = await opened(script().text('Part.').with({ transport: 'reset' }));
    const outcome = await clientAt(llm.url)
      .messages.stream(body)
      .finalMessage()
      .then(
        () => 'fulfilled',
        () => 'rejected',
      );
    expect(outcome).toBe('rejected');
  });

  it('closes the connection when it is aborted; the streamer knows the flushed bytes', async () => {
    const llm = await opened(script().text('One two three four').with({ delay: '2s' }));
    const stream = clientAt(llm.url).messages.stream(body);
    await new Promise<void>((resolve) => stream.once('text', () => resolve()));
    stream.abort();
    await expect(stream.finalMessage()).rejects.toBeInstanceOf(Anthropic.APIUserAbortError);
    await llm.until(() => llm.requests[0]?.answer?.outcome === 'aborted');
    expect(llm.requests[0]?.answer?.bytes).toBeGreaterThan(0);
  });

  it('counts tokens as the usage of the same request says', async () => {
    const llm = await opened(script().text('Hello.'));
    const client = clientAt(llm.url);
    const { input_tokens: counted } = await client.messages.countTokens({
      model: body.model,
      tools,
      messages: body.messages,
    });
    const { usage } = await client.messages.stream(body).finalMessage();
    expect(usage.input_tokens).toBe(counted);
  });

  it('continues without a message thread after its first request for one is refused', async () => {
    const llm = await opened(script().toolCall('add', { a: 1 }).turn().text('Done.'));
    const message = await clientAt(llm.url).beta.messages.toolRunner({
      model: 'm',
      max_tokens: 500,
      messages: body.messages,
      tools: [
        {
          name: 'add',
          description: 'adds',
          input_schema: { type: 'object' },
          parse: (input: unknown) => input,
          run: () => '2',
        },
      ],
    });
    expect(message.content).toMatchObject([{ type: 'text', text: 'Done.' }]);
    // The first request was refused, and used no turn.
    expect(llm.requests.map(({ turn }) => turn)).toEqual([undefined, 0, 1]);
  });

  it('lists the model', async () => {
    const llm = await opened(script({ model: 'my-model' }).text('x'));
    const page = await clientAt(llm.url).models.list();
    expect(page.data).toMatchObject([{ id: 'my-model', type: 'model' }]);
  });
});
