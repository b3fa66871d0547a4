/** Routes besides those of the dialects: prefixes, embeddings, prompts without messages, browsers. */
import OpenAI from 'openai';
import { AzureOpenAI } from 'openai';
import { Ollama } from 'ollama';
import { describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { script } from '../script/builder.ts';
import { opened } from './sdks/simulated.test-helper.ts';

const messages = [{ role: 'user' as const, content: 'Hi' }];

const post = (url: string, body: unknown, headers = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: { 'content-type': 'application/json', ...headers },
  });

describe('paths with a prefix', () => {
  it('of Azure are answered, with the model of the deployment', async () => {
    const llm = await opened(script().text('Hello.'));
    const azure = new AzureOpenAI({
      endpoint: llm.url,
      apiKey: 'x',
      apiVersion: '2024-10-21',
      deployment: 'my-gpt',
    });
    const answer = await azure.chat.completions.create({ model: 'my-gpt', messages });
    expect([answer.choices[0]?.message.content, answer.model]).toEqual(['Hello.', 'my-gpt']);
  });

  it.each([
    ['/openai/deployments/gpt/chat/completions?api-version=1', { messages }],
    ['/openrouter/api/v1/chat/completions', { model: 'm', messages }],
    ['/anthropic/v1/messages', { model: 'm', max_tokens: 9, messages }],
    ['/openai/v1/responses', { model: 'm', input: 'Hi' }],
    ['/ollama/api/chat', { model: 'm', messages, stream: false }],
  ])('%s', async (path, body) => {
    const llm = await opened(script().text('Hello.'));
    const response = await post(llm.url + path, body);
    expect([response.status, await response.text()]).toEqual([200, expect.stringContaining('Hello.')]);
  });

  it('that end otherwise are unknown', async () => {
    const llm = await opened(script().text('Hello.'));
    for (const path of ['/v1/mymessages', '/messages/more', '/v1/chat'])
      expect((await post(llm.url + path, {})).status).toBe(404);
  });
});

describe('a WebSocket', () => {
  it('is refused with 426 where no dialect has one, so that clients ask over HTTP', async () => {
    const llm = await opened(script().text('x'));
    // openai/codex, codex-rs/core/src/client.rs: only 426 lets it ask over HTTP at once.
    const statusAt = (path: string): Promise<number | undefined> =>
      new Promise((resolve) => {
        const socket = new WebSocket(`${llm.url.replace('http', 'ws')}${path}`);
        socket.on('unexpected-response', (_, response) => resolve(response.statusCode));
        socket.on('open', () => resolve(101));
        socket.on('error', () => {});
      });
    expect(await statusAt('/v1/chat/completions')).toBe(426);
    expect(await statusAt('/llm')).toBe(101);
    expect(await statusAt('/files/')).toBe(101);
  });
});

describe('embeddings', () => {
  it('are equal for equal texts, and of length 1', async () => {
    const llm = await opened(script().text('x'));
    const openai = new OpenAI({ baseURL: `${llm.url}/v1`, apiKey: 'x' });
    const { data, usage } = await openai.embeddings.create({
      model: 'e',
      input: ['a', 'b', 'a'],
      dimensions: 64,
    });
    const [a, b, again] = data.map(({ embedding }) => embedding);
    expect(a).toHaveLength(64);
    expect(a).toEqual(again);
    expect(a).not.toEqual(b);
    expect(Math.hypot(...(a ?? []))).toBeCloseTo(1);
    expect(usage.prompt_tokens).toBe(3);
    const plain = await openai.embeddings.create({
      model: 'e',
      input: 'a',
      dimensions: 64,
      encoding_format: 'float',
    });
    plain.data[0]?.embedding.forEach((x, i) => expect(x).toBeCloseTo(a?.[i] ?? NaN, 5));
  });

  it('of Ollama', async () => {
    const llm = await opened(script().text('x'));
    const ollama = new Ollama({ host: llm.url });
    const { embeddings } = await ollama.embed({ model: 'e', input: ['a', 'b'] });
    expect(embeddings.map(({ length }) => length)).toEqual([1536, 1536]);
    expect((await ollama.embeddings({ model: 'e', prompt: 'a' })).embedding).toEqual(embeddings[0]);
  });
});

describe('prompts without messages', () => {
  it('are answered by /v1/completions, whole and as a stream', async () => {
    const llm = await opened(script().match({ contains: 'Once' }).text('upon a time').times(2));
    const openai = new OpenAI({ baseURL: `${llm.url}/v1`, apiKey: 'x' });
    const whole = await openai.completions.create({ model: 'm', prompt: 'Once' });
    expect([whole.object, whole.choices[0]?.text, whole.choices[0]?.finish_reason]).toEqual([
      'text_completion',
      'upon a time',
      'stop',
    ]);
    let text = '';
    for await (const chunk of await openai.completions.create({ model: 'm', prompt: 'Once', stream: true }))
      text += chunk.choices[0]?.text ?? '';
    expect(text).toBe('upon a time');
  });

  it('are answered by /api/generate, whole and as a stream', async () => {
    const llm = await opened(script().match({ system: 'Brief' }).text('upon a time').times(2));
    const ollama = new Ollama({ host: llm.url });
    const asked = { model: 'm', prompt: 'Once', system: 'Brief' };
    expect(await ollama.generate(asked)).toMatchObject({
      response: 'upon a time',
      done: true,
      done_reason: 'stop',
    });
    let text = '';
    for await (const { response } of await ollama.generate({ ...asked, stream: true })) text += response;
    expect(text).toBe('upon a time');
  });
});

describe('other routes', () => {
  it('say which models run, and that the simulator is up', async () => {
    const llm = await opened(script({ model: 'my-model' }).text('x'));
    expect(await new Ollama({ host: llm.url }).ps()).toMatchObject({ models: [{ name: 'my-model' }] });
    expect(await (await fetch(`${llm.url}/health`)).json()).toEqual({ status: 'ok' });
  });

  it('let the pages of browsers read answers, and add nothing for other clients', async () => {
    const llm = await opened(script().text('x').times('always'));
    const origin = { origin: 'http://localhost:3000' };
    const asked = await fetch(`${llm.url}/v1/chat/completions`, {
      method: 'OPTIONS',
      headers: { ...origin, 'access-control-request-headers': 'authorization,x-stainless-os' },
    });
    expect([
      asked.status,
      asked.headers.get('access-control-allow-headers'),
      asked.headers.get('access-control-allow-origin'),
    ]).toEqual([204, 'authorization,x-stainless-os', '*']);
    for (const stream of [true, false]) {
      const body = { model: 'm', messages, stream };
      const [page, program] = [
        await post(`${llm.url}/v1/chat/completions`, body, origin),
        await post(`${llm.url}/v1/chat/completions`, body),
      ];
      expect([page, program].map(({ headers }) => headers.get('access-control-allow-origin'))).toEqual([
        '*',
        null,
      ]);
      await Promise.all([page.text(), program.text()]);
    }
  });
});
