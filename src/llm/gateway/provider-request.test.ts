/** What a request to a provider leaves out, and how its tools are called there. */
import { expect, test } from 'vitest';
import { providerRequest } from './provider-request.ts';
import type { GatewayDialect } from './dialects.ts';
import { readFullRequest } from './request/index.ts';
import type { JsonObject } from '../../kit/base/index.ts';

const asked = (
  provider: GatewayDialect,
  body: JsonObject,
  client: GatewayDialect = 'openai-chat',
): ReturnType<typeof providerRequest> =>
  providerRequest({ client, provider, url: '' }, readFullRequest(client, { model: 'm', ...body }), {});

const messages = [
  {
    role: 'user',
    content: [
      { type: 'text', text: 'Hi' },
      { type: 'image_url', image_url: { url: 'https://example.com/a.png' } },
    ],
  },
];

// LLM-G57, G65 and G70: what changes the answer is refused by its name; spec/llm/translation/requests.yaml has who has a word.
test.each<[GatewayDialect, GatewayDialect, JsonObject, readonly string[]]>([
  ['openai-chat', 'openai-responses', { messages: [], stop: ['END'] }, ['stop']],
  [
    'openai-chat',
    'anthropic',
    { messages: [], response_format: { type: 'json_object' } },
    ['response_format'],
  ],
  ['openai-chat', 'ollama', { messages }, ['image']],
  [
    'openai-responses',
    'openai-chat',
    { input: 'Hi', previous_response_id: 'resp_1' },
    ['previous_response_id'],
  ],
  ['openai-chat', 'anthropic', { messages, stop: ['END'], user: 'u', seed: 1 }, []],
])('%s to %s: what has no word', (client, provider, body, words) => {
  const { wordless } = asked(provider, body, client);
  expect(wordless).toHaveLength(words.length);
  for (const [i, word] of words.entries()) expect(wordless[i]).toContain(word);
});

// "name: ^[a-zA-Z0-9_-]{1,128}$" (Anthropic API, Messages, tools)
test('a name of a tool that Anthropic cannot carry is changed, and can be restored', () => {
  const tool = { type: 'function', function: { name: 'notes.read', parameters: {} } };
  const { body, names } = asked('anthropic', { messages: [], tools: [tool] }, 'ollama');
  const [[written, own] = []] = [...names];
  expect(own).toBe('notes.read');
  expect(written).toMatch(/^[a-zA-Z0-9_-]{1,128}$/);
  expect(JSON.stringify(body)).toContain(`"name":"${written}"`);
});
