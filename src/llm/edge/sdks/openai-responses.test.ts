/** OpenAI's own SDK against the streamer, in Responses: how it reads the streamer's answers. */
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import { script } from '../../script/builder.ts';
import { rejection } from './outcome.test-helper.ts';
import { asked, opened } from './simulated.test-helper.ts';

const tools: OpenAI.Responses.Tool[] = [
  { type: 'function', name: 'add', description: 'adds', parameters: { type: 'object' }, strict: false },
];
const body = { model: 'm', max_output_tokens: 500, tools, input: 'Hi' };

const responsesAt = (url: string, maxRetries = 0): OpenAI.Responses =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey: 'wireproof', maxRetries }).responses;

type Final = Awaited<ReturnType<ReturnType<OpenAI.Responses['stream']>['finalResponse']>>;

/** The final response of the SDK's helper. */
const final = (url: string, request = body): Promise<Final> =>
  responsesAt(url).stream(request).finalResponse();

describe('openai, responses', () => {
  it('reads text, in parts and as a whole', async () => {
    const llm = await opened(script().text('Hello, wörld 👋'));
    const stream = responsesAt(llm.url).stream(body);
    let text = '';
    stream.on('response.output_text.delta', ({ delta }) => (text += delta));
    const response = await stream.finalResponse();
    expect([text, response.output_text]).toEqual(['Hello, wörld 👋', 'Hello, wörld 👋']);
    expect(response.status).toBe('completed');
  });

  it('reads an answer that is not streamed', async () => {
    const llm = await opened(script().text('Whole.').toolCall('add', { a: 1 }));
    const response = await responsesAt(llm.url).create(body);
    expect(response.output_text).toBe('Whole.');
    expect(response.output).toMatchObject([
      { type: 'message', role: 'assistant' },
      { type: 'function_call', name: 'add', arguments: '{"a":1}', status: 'completed' },
    ]);
  });

  it('reads thinking as the summary of a reasoning item that comes first', async () => {
    const llm = await opened(script().thinking('Hm.').text('Yes.'));
    // llm.md, Responses (b).
    expect((await final(llm.url)).output).toMatchObject([
      { type: 'reasoning', summary: [{ type: 'summary_text', text: 'Hm.' }] },
      { type: 'message', content: [{ type: 'output_text', text: 'Yes.' }] },
    ]);
  });

  // The words of Open Responses, 2026-04-24, that OpenAI's API does not have.
  it('FACT of 6.49.0: its helper throws at response.reasoning.delta, and its stream hands the event on', async () => {
    const variants = { profile: 'open-responses' } as const;
    const thinking = script().thinking('Hm.').text('Yes.').times('always').with({ variants });
    const llm = await opened(thinking);
    const thrown = await rejection(final(llm.url));
    expect(String(thrown)).toMatch(/Unhandled response stream event: .*response\.reasoning\.delta/);
    const types: string[] = [];
    for await (const { type } of await responsesAt(llm.url).create({ ...body, stream: true }))
      types.push(type);
    expect(types).toContain('response.reasoning.delta');
    expect(types.at(-1)).toBe('response.completed');
  });

  it('reads text and calls of Open Responses, where [DONE] ends the stream', async () => {
    const variants = { profile: 'open-responses' } as const;
    const llm = await opened(script().text('Yes.').toolCall('add', { a: 1 }).with({ variants }));
    expect(await final(llm.url)).toMatchObject({
      status: 'completed',
      output: [
        { type: 'message', content: [{ type: 'output_text', text: 'Yes.' }] },
        { type: 'function_call', name: 'add', arguments: '{"a":1}', status: 'completed' },
      ],
    });
  });

  it('reads parallel calls, and the usage of the script', async () => {
    const parallel = script()
      .toolCall('add', { a: 1, b: 'x"y\\' }, { id: 'call_1' })
      .toolCall('add', { a: 2 }, { id: 'call_2' })
      .usage({ input: 11, output: 22, cacheRead: 3, thinking: 4 });
    const llm = await opened(parallel);
    const response = await final(llm.url);
    expect(response.output).toMatchObject([
      { type: 'function_call', call_id: 'call_1', name: 'add', arguments: '{"a":1,"b":"x\\"y\\\\"}' },
      { type: 'function_call', call_id: 'call_2', name: 'add', arguments: '{"a":2}' },
    ]);
    // Responses includes cached tokens in input_tokens; the neutral count does not.
    expect(response.usage).toMatchObject({
      input_tokens: 14,
      output_tokens: 22,
      total_tokens: 36,
      input_tokens_details: { cached_tokens: 3 },
      output_tokens_details: { reasoning_tokens: 4 },
    });
  });

  it('ends as incomplete when a call was cut, with any status of its item', async () => {
    for (const itemStatus of ['incomplete', 'in_progress'] as const) {
      const cut = script().toolCall('add', { path: 'a', body: 'long' }).cutAt({ char: 20 });
      const llm = await opened(cut.with({ variants: { itemStatus } }));
      const response = await final(llm.url);
      // llm.md, Responses (d).
      expect(response).toMatchObject({
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ type: 'function_call', status: itemStatus, arguments: '{"path":"a","body":"' }],
      });
      expect(llm.requests[0]?.answer?.calls[0]).toMatchObject({ complete: false });
    }
  });

  it('honours max_output_tokens of the request', async () => {
    const llm = await opened(script().text('word '.repeat(100)));
    const response = await final(llm.url, { ...body, max_output_tokens: 7 });
    expect(response.incomplete_details).toMatchObject({ reason: 'max_output_tokens' });
    expect(response.usage?.output_tokens).toBe(7);
  });

  it('throws an error before the stream, and retries when the server is overloaded', async () => {
    const overloaded = script()
      .error({ type: 'overloaded', message: 'busy', status: 503 })
      .turn()
      .text('Now.')
      .build();
    const llm = await opened(overloaded);
    const error = await rejection(responsesAt(llm.url).create(body));
    expect(error).toBeInstanceOf(OpenAI.InternalServerError);
    expect(error).toMatchObject({ status: 503, error: { message: 'busy' } });
    const again = await opened(overloaded);
    expect((await responsesAt(again.url, 2).create(body)).output_text).toBe('Now.');
    expect(asked(again)).toBe(2);
  });

  it.each(['both', 'nested'] as const)(
    'throws a nested error that comes in the middle of the stream (%s)',
    async (responsesError) => {
      const failing = script().text('Part.').error({ type: 'overloaded', message: 'busy' });
      const llm = await opened(failing.with({ variants: { responsesError } }));
      const error = await rejection(final(llm.url));
      expect(error).toBeInstanceOf(OpenAI.APIError);
      expect(error).toMatchObject({ error: { message: 'busy' } });
    },
  );

  it('throws when the connection is reset', async () => {
    const llm = await opened(script().text('Part.').with({ transport: 'reset', signal: 'missing' }));
    expect(await rejection(final(llm.url))).toBeInstanceOf(Error);
  });

  it('closes the connection when it is aborted; the streamer knows the flushed bytes', async () => {
    const llm = await opened(script().text('One two three four').barrier('never', { char: 8 }));
    const stream = responsesAt(llm.url).stream(body);
    await new Promise<void>((resolve) => stream.once('response.output_text.delta', () => resolve()));
    stream.abort();
    expect(await rejection(stream.finalResponse())).toBeInstanceOf(OpenAI.APIUserAbortError);
    await llm.until(() => llm.requests[0]?.answer?.outcome === 'aborted');
    // created, in_progress, the item and its part, 'One ' and 'two '.
    expect(llm.requests[0]?.answer).toMatchObject({ units: 6 });
    expect(llm.requests[0]?.answer?.bytes).toBeGreaterThan(0);
  });

  it('counts tokens as the usage of the same request says', async () => {
    const llm = await opened(script().text('Hello.'));
    const { model, input } = body;
    const { input_tokens: counted } = await responsesAt(llm.url).inputTokens.count({ model, input, tools });
    expect((await final(llm.url)).usage?.input_tokens).toBe(counted);
  });
});

describe('openai, responses: what version 6.49 does with streams that are not well', () => {
  it('resolves with a response that is in_progress when no terminal came', async () => {
    const llm = await opened(script().text('Part.').with({ signal: 'missing' }));
    // LLM-C06 is its caller's duty there.
    expect(await final(llm.url)).toMatchObject({ status: 'in_progress', output_text: 'Part.' });
  });

  it('rejects with the event, which is not an Error, after a flat error in the middle of the stream', async () => {
    const failing = script().text('Part.').error({ type: 'server', message: 'broke' });
    const llm = await opened(failing.with({ variants: { responsesError: 'flat' } }));
    const error = await rejection(final(llm.url));
    expect(error).not.toBeInstanceOf(Error);
    expect(error).toMatchObject({ type: 'error', message: 'broke' });
  });

  it('resolves when the response failed in the middle of the stream', async () => {
    const failing = script().text('Part.').error({ type: 'server', message: 'broke' });
    const llm = await opened(failing.with({ variants: { responsesError: 'failed' } }));
    // LLM-C07 is its caller's duty there.
    expect(await final(llm.url)).toMatchObject({ status: 'failed', error: { message: 'broke' } });
  });

  it('returns arguments that do not parse as text, under a false signal', async () => {
    const lying = script().toolCall('add', { a: 'long' }).cutAt({ char: 8 }).with({ signal: 'lying' });
    expect(await final((await opened(lying)).url)).toMatchObject({
      status: 'completed',
      output: [{ type: 'function_call', status: 'completed', arguments: '{"a":"lo' }],
    });
  });
});
