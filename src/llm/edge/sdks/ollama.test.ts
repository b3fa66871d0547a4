/** Ollama's own client against the streamer: how it reads the streamer's answers. */
import { Ollama } from 'ollama';
import type { ChatResponse, Tool } from 'ollama';
import { describe, expect, it } from 'vitest';
import { script } from '../../script/builder.ts';
import { rejection } from './outcome.test-helper.ts';
import { asked, opened } from './simulated.test-helper.ts';

const tools: Tool[] = [{ type: 'function', function: { name: 'add', description: 'adds' } }];
const body = { model: 'm', tools, messages: [{ role: 'user', content: 'Hi' }] };
const streamed = { ...body, stream: true as const };

/** All parts of a streamed answer, and the error that ended them. */
async function parts(url: string, request = streamed): Promise<{ all: ChatResponse[]; error?: unknown }> {
  const all: ChatResponse[] = [];
  try {
    for await (const part of await new Ollama({ host: url }).chat(request)) all.push(part);
    return { all };
  } catch (error) {
    return { all, error };
  }
}

const textOf = (all: readonly ChatResponse[]): string => all.map(({ message }) => message.content).join('');
const callsOf = (all: readonly ChatResponse[]): unknown[] =>
  all.flatMap(({ message }) => message.tool_calls ?? []);

describe('ollama', () => {
  it('reads text in parts', async () => {
    const llm = await opened(script().text('Hello, wörld 👋').with({ split: 'byte' }));
    const { all, error } = await parts(llm.url);
    expect(error).toBeUndefined();
    expect(textOf(all)).toBe('Hello, wörld 👋');
    expect(all.at(-1)).toMatchObject({ done: true, done_reason: 'stop' });
  });

  it('reads an answer that is not streamed', async () => {
    const llm = await opened(script().text('Whole.').toolCall('add', { a: 1 }));
    const answer = await new Ollama({ host: llm.url }).chat(body);
    expect(answer.message).toMatchObject({
      content: 'Whole.',
      tool_calls: [{ function: { name: 'add', arguments: { a: 1 } } }],
    });
    // llm.md, Ollama: there is no reason for tools.
    expect(answer).toMatchObject({ done: true, done_reason: 'stop' });
  });

  it('reads thinking separately from text', async () => {
    const llm = await opened(script().thinking('Hm.').text('Yes.'));
    const { all } = await parts(llm.url);
    expect(all.map(({ message }) => message.thinking ?? '').join('')).toBe('Hm.');
    expect(textOf(all)).toBe('Yes.');
  });

  it('reads parallel calls with complete arguments, and the usage of the script', async () => {
    const parallel = script()
      .toolCall('add', { a: 1, b: 'x"y\\' })
      .toolCall('add', { a: 2 })
      .usage({ input: 11, output: 22 });
    const llm = await opened(parallel);
    const { all } = await parts(llm.url);
    expect(callsOf(all)).toMatchObject([
      { function: { name: 'add', arguments: { a: 1, b: 'x"y\\' } } },
      { function: { name: 'add', arguments: { a: 2 } } },
    ]);
    expect(all.at(-1)).toMatchObject({ prompt_eval_count: 11, eval_count: 22 });
  });

  it('ends with length when a call was cut, without any part of it', async () => {
    const llm = await opened(script().toolCall('add', { path: 'a', body: 'long' }).cutAt({ char: 20 }));
    const { all } = await parts(llm.url);
    expect(callsOf(all)).toEqual([]);
    expect(textOf(all)).toBe('');
    expect(all.at(-1)).toMatchObject({ done: true, done_reason: 'length' });
    expect(llm.requests[0]?.answer?.calls[0]).toMatchObject({
      arguments: '{"path":"a","body":"',
      complete: false,
    });
  });

  const cut = (ollama: 'leaked' | 'error-line' | 'error-500'): ReturnType<typeof script> =>
    script().toolCall('add', { path: 'a' }).cutAt({ char: 5 }).with({ variants: { ollama } });

  it('gets a cut call in the form of its server: leaked as content, or an error line without done', async () => {
    // llm.md, Ollama (d).
    const leaked = await parts((await opened(cut('leaked'))).url);
    expect(textOf(leaked.all)).toContain('{"pat');
    expect(callsOf(leaked.all)).toEqual([]);
    const line = await parts((await opened(cut('error-line'))).url);
    expect(String(line.error)).toContain('error parsing tool call');
  });

  it('gets HTTP 500 for a cut call when nothing else was sent', async () => {
    const status = await parts((await opened(cut('error-500'))).url);
    expect(status.error).toMatchObject({ name: 'ResponseError', status_code: 500 });
  });

  it('honours num_predict of the request', async () => {
    const llm = await opened(script().text('word '.repeat(100)));
    const { all } = await parts(llm.url, { ...streamed, ...{ options: { num_predict: 7 } } });
    expect(all.at(-1)).toMatchObject({ done_reason: 'length', eval_count: 7 });
  });

  it('throws an error before the stream, without a retry', async () => {
    const overloaded = script()
      .error({ type: 'overloaded', message: 'busy', status: 503 })
      .turn()
      .text('Now.');
    const llm = await opened(overloaded);
    const { error } = await parts(llm.url);
    expect(error).toMatchObject({ name: 'ResponseError', status_code: 503, error: 'busy' });
    expect(asked(llm)).toBe(1);
  });

  it('throws an error that comes in the middle of the stream, after the text before it', async () => {
    const llm = await opened(script().text('Part.').error({ type: 'overloaded', message: 'busy' }));
    const { all, error } = await parts(llm.url);
    expect(textOf(all)).toBe('Part.');
    expect(error).toMatchObject({ message: 'busy' });
  });

  it('throws when the connection is reset, or when no line has done', async () => {
    const reset = await opened(script().text('Part.').with({ transport: 'reset', signal: 'missing' }));
    expect((await parts(reset.url)).error).toBeInstanceOf(Error);
    const missing = await opened(script().text('Part.').with({ signal: 'missing' }));
    expect((await parts(missing.url)).error).toMatchObject({
      message: 'Did not receive done or success response in stream.',
    });
  });

  it('closes the connection when it is aborted; the streamer knows the flushed bytes', async () => {
    const llm = await opened(script().text('One two three four').barrier('never', { char: 8 }));
    const stream = await new Ollama({ host: llm.url }).chat(streamed);
    const read = async (): Promise<void> => {
      for await (const _ of stream) stream.abort();
    };
    expect(await rejection(read())).toMatchObject({ name: 'AbortError' });
    await llm.until(() => llm.requests[0]?.answer?.outcome === 'aborted');
    // 'One ' and 'two ': the text before the barrier.
    expect(llm.requests[0]?.answer).toMatchObject({ units: 2 });
    expect(llm.requests[0]?.answer?.bytes).toBeGreaterThan(0);
  });

  it('lists and shows the model', async () => {
    const llm = await opened(script({ model: 'my-model' }).text('x'));
    const client = new Ollama({ host: llm.url });
    expect((await client.list()).models).toMatchObject([{ name: 'my-model' }]);
    expect(await client.show({ model: 'my-model' })).toMatchObject({ details: { format: 'gguf' } });
  });
});

describe('ollama: what version 0.6.4 does with streams that are not well', () => {
  it('returns a cut call whose arguments parse, with the reason length', async () => {
    const flushed = script()
      .toolCall('add', { a: 1 })
      .cutAt({ json: 'after-last-brace' })
      .with({ variants: { ollama: 'flushed' } });
    const { all } = await parts((await opened(flushed)).url);
    expect(callsOf(all)).toMatchObject([{ function: { arguments: { a: 1 } } }]);
    expect(all.at(-1)).toMatchObject({ done_reason: 'length' });
  });

  it('rounds integers beyond 2^53 in arguments', async () => {
    const llm = await opened(script().rawToolCall('add', '{"a":9007199254740993}'));
    // LLM-C20.
    expect(callsOf((await parts(llm.url)).all)).toMatchObject([
      { function: { arguments: { a: 9007199254740992 } } },
    ]);
  });
});
