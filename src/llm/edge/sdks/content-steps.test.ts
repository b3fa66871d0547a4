/** Refusals, hidden thoughts, citations, log probabilities and server tools, as the providers' SDKs read them. */
import Anthropic from '@anthropic-ai/sdk';
import { Ollama } from 'ollama';
import OpenAI from 'openai';
import { isDeepStrictEqual } from 'node:util';
import { describe, expect, it } from 'vitest';
import { script } from '../../script/builder.ts';
import type { ScriptBuilder } from '../../script/builder.ts';
import type { LlmRequest } from '../../messages.ts';
import { opened } from './simulated.test-helper.ts';

const page = { url: 'https://example.org/a', title: 'A', text: 'It is so.' };
const search = (): ScriptBuilder =>
  script()
    .redactedThinking('ENCRYPTED')
    .serverTool('web_search', { query: 'so' }, { result: [{ type: 'web_search_result', url: page.url }] })
    .text('It is so.', { citations: [page] });

const messages = [{ role: 'user' as const, content: 'Is it so?' }];

describe('@anthropic-ai/sdk', () => {
  const body = { model: 'm', max_tokens: 500, messages };
  const clientAt = (url: string): Anthropic =>
    new Anthropic({ baseURL: url, apiKey: 'wireproof', maxRetries: 0 });
  const content = [
    { type: 'redacted_thinking', data: 'ENCRYPTED' },
    { type: 'server_tool_use', name: 'web_search', input: { query: 'so' } },
    { type: 'web_search_tool_result', content: [{ type: 'web_search_result', url: page.url }] },
    {
      type: 'text',
      text: 'It is so.',
      citations: [{ type: 'web_search_result_location', url: page.url, title: 'A', cited_text: 'It is so.' }],
    },
  ];

  it('reads a search with its result and the sources of the answer, streamed and whole', async () => {
    const llm = await opened(search());
    const streamed = await clientAt(llm.url).messages.stream(body).finalMessage();
    const whole = await clientAt((await opened(search())).url).messages.create(body);
    for (const { content: blocks, stop_reason: stop, usage } of [streamed, whole]) {
      expect(blocks).toMatchObject(content);
      expect(stop).toBe('end_turn');
      expect(usage.server_tool_use).toMatchObject({ web_search_requests: 1 });
    }
  });

  it('sends all of it back, and the provider takes it', async () => {
    const returned = (request: LlmRequest): boolean =>
      isDeepStrictEqual(request.messages[1]?.thinking, [{ text: '', redacted: 'ENCRYPTED' }]);
    const llm = await opened(search().turn().text('Thanks.').when(returned));
    const first = await clientAt(llm.url).messages.stream(body).finalMessage();
    const history = [...messages, { role: 'assistant' as const, content: first.content }];
    const next = await clientAt(llm.url).messages.create({
      ...body,
      messages: [...history, { role: 'user', content: 'Good.' }],
    });
    expect(next.content).toMatchObject([{ type: 'text', text: 'Thanks.' }]);
  });

  it('reads a citation of a document, and a refusal by its stop reason', async () => {
    const cited = script().text('So.', {
      citations: [{ document: 1, title: 'D', text: 'so', start: 2, end: 4 }],
    });
    const message = await clientAt((await opened(cited)).url)
      .messages.stream(body)
      .finalMessage();
    expect(message.content).toMatchObject([
      { citations: [{ type: 'char_location', document_index: 1, start_char_index: 2, end_char_index: 4 }] },
    ]);
    const refused = await clientAt((await opened(script().refusal('No.'))).url).messages.create(body);
    expect([refused.stop_reason, refused.content]).toMatchObject([
      'refusal',
      [{ type: 'text', text: 'No.' }],
    ]);
  });
});

describe('openai, chat', () => {
  const body = { model: 'm', messages };
  const clientAt = (url: string): OpenAI =>
    new OpenAI({ baseURL: `${url}/v1`, apiKey: 'wireproof', maxRetries: 0 });

  it('reads a refusal, streamed and whole', async () => {
    const refused = script().refusal('I cannot do that.');
    const streamed = await clientAt((await opened(refused)).url)
      .chat.completions.stream(body)
      .finalChatCompletion();
    const whole = await clientAt((await opened(refused)).url).chat.completions.create(body);
    for (const { choices } of [streamed, whole])
      expect(choices).toMatchObject([
        { finish_reason: 'stop', message: { content: null, refusal: 'I cannot do that.' } },
      ]);
  });

  it('reads sources, streamed and whole, and nothing of a search', async () => {
    const annotations = [
      { type: 'url_citation', url_citation: { start_index: 0, end_index: 9, url: page.url, title: 'A' } },
    ];
    const stream = await clientAt((await opened(search())).url).chat.completions.create({
      ...body,
      stream: true,
    });
    const deltas: unknown[] = [];
    let text = '';
    for await (const { choices } of stream) {
      text += choices[0]?.delta.content ?? '';
      const delta: object = choices[0]?.delta ?? {};
      if ('annotations' in delta) deltas.push(delta.annotations);
    }
    expect([text, deltas]).toEqual(['It is so.', [annotations]]);
    const whole = await clientAt((await opened(search())).url).chat.completions.create(body);
    expect(whole.choices[0]?.message).toMatchObject({ content: 'It is so.', annotations });
    expect(whole.choices[0]?.message.tool_calls).toBeUndefined();
  });

  it('reads the same log probabilities, streamed and whole', async () => {
    const measured = script().text('So it is', { logprobs: 2 });
    const streamed = await clientAt((await opened(measured)).url)
      .chat.completions.stream(body)
      .finalChatCompletion();
    const whole = await clientAt((await opened(measured)).url).chat.completions.create(body);
    const content = whole.choices[0]?.logprobs?.content ?? [];
    expect(content.map(({ token }) => token)).toEqual(['So i', 't is']);
    expect(content.every(({ logprob, top_logprobs: top }) => logprob <= 0 && top.length === 2)).toBe(true);
    expect(streamed.choices[0]?.logprobs?.content).toEqual(content);
  });
});

describe('openai, responses', () => {
  const body = { model: 'm', input: 'Is it so?' };
  const responsesAt = (url: string): OpenAI.Responses =>
    new OpenAI({ baseURL: `${url}/v1`, apiKey: 'wireproof', maxRetries: 0 }).responses;

  it('reads a hidden thought, a search and the sources of the answer, streamed and whole', async () => {
    const streamed = await responsesAt((await opened(search())).url)
      .stream(body)
      .finalResponse();
    const whole = await responsesAt((await opened(search())).url).create(body);
    for (const { output } of [streamed, whole])
      expect(output).toMatchObject([
        { type: 'reasoning', summary: [], encrypted_content: 'ENCRYPTED' },
        { type: 'web_search_call', status: 'completed', action: { type: 'search', query: 'so' } },
        {
          type: 'message',
          content: [
            {
              type: 'output_text',
              text: 'It is so.',
              annotations: [
                { type: 'url_citation', start_index: 0, end_index: 9, url: page.url, title: 'A' },
              ],
            },
          ],
        },
      ]);
  });

  it('reads a refusal and log probabilities, streamed and whole', async () => {
    const answer = script().text('So it is', { logprobs: 1 }).refusal('No more.');
    const streamed = await responsesAt((await opened(answer)).url)
      .stream(body)
      .finalResponse();
    const whole = await responsesAt((await opened(answer)).url).create(body);
    for (const { output } of [streamed, whole]) {
      const parts = output.flatMap((item) => (item.type === 'message' ? item.content : []));
      expect(parts).toMatchObject([
        { type: 'output_text', text: 'So it is', logprobs: [{ token: 'So i' }, { token: 't is' }] },
        { type: 'refusal', refusal: 'No more.' },
      ]);
    }
  });
});

describe('ollama', () => {
  it('reads log probabilities', async () => {
    const llm = await opened(script().text('So it is', { logprobs: 0 }));
    const stream = await new Ollama({ host: llm.url }).chat({ model: 'm', messages, stream: true });
    const tokens: unknown[] = [];
    for await (const part of stream)
      tokens.push(...('logprobs' in part && Array.isArray(part.logprobs) ? part.logprobs : []));
    expect(tokens).toMatchObject([{ token: 'So i' }, { token: 't is' }]);
  });
});
