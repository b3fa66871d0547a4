/** Blocks of the provider's own, as the providers' SDKs read them: streamed and whole they are the same. */
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import { dialectOf } from '../../dialects/index.ts';
import { script } from '../../script/builder.ts';
import type { ScriptBuilder } from '../../script/builder.ts';
import { opened } from './simulated.test-helper.ts';

/** The blocks that the reference client keeps of an answer. */
async function keptOf(name: 'anthropic' | 'openai-responses', url: string, stream: boolean) {
  const dialect = dialectOf[name];
  const { path, headers, body } = dialect.writeRequest({
    dialect: name,
    model: 'm',
    messages: [...messages],
    tools: [],
    maxTokens: 500,
    stream,
    includeUsage: true,
  });
  const answer = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const bytes = new Uint8Array(await answer.arrayBuffer());
  if (!stream) return dialect.readWhole(answer.status, {}, bytes).response.blocks;
  const decoder = dialect.decoder();
  decoder.push(bytes);
  return decoder.end('clean').response.blocks;
}

const messages = [{ role: 'user' as const, content: 'Is it so?' }];

// @anthropic-ai/sdk 1.14, BetaContentBlock.
const fallback: JsonObject = {
  type: 'fallback',
  from: { model: 'a' },
  to: { model: 'b' },
  trigger: { type: 'refusal', category: 'cyber' },
};
const compaction: JsonObject = { type: 'compaction', content: 'They asked.', encrypted_content: 'ENCRYPTED' };
const upload: JsonObject = { type: 'container_upload', file_id: 'file_1' };

const iterations: Json = [{ type: 'compaction', input_tokens: 9, output_tokens: 3 }];

const anthropicAnswer = (): ScriptBuilder =>
  script()
    .providerBlock({ anthropic: compaction })
    .text('Well. ')
    .providerBlock({ anthropic: fallback })
    .serverTool('search', { q: 'so' }, { server: 'pages', result: [{ type: 'text', text: 'Yes.' }] })
    .serverTool('tool_search_tool_bm25', { query: 'weather' }, { result: { tool_references: [] } })
    .providerBlock({ anthropic: upload, 'openai-responses': { type: 'program', id: 'prg_1' } })
    .text('It is so.')
    .toolCall('look', { at: 'it' })
    .providerEnd({ anthropic: { usage: { iterations }, context_management: { applied_edits: [] } } });

describe('@anthropic-ai/sdk', () => {
  const body = { model: 'm', max_tokens: 500, messages };
  const clientAt = (url: string): Anthropic =>
    new Anthropic({ baseURL: url, apiKey: 'wireproof', maxRetries: 0 });

  it('reads the same blocks of a stream and of a body', async () => {
    const streamed = await clientAt((await opened(anthropicAnswer())).url)
      .beta.messages.stream(body)
      .finalMessage();
    const whole = await clientAt((await opened(anthropicAnswer())).url).beta.messages.create(body);
    for (const { content, stop_reason: stop, usage, context_management: edits } of [streamed, whole]) {
      expect([usage.iterations, edits]).toEqual([iterations, { applied_edits: [] }]);
      expect(content).toMatchObject([
        compaction,
        { type: 'text', text: 'Well. ' },
        fallback,
        { type: 'mcp_tool_use', name: 'search', server_name: 'pages', input: { q: 'so' } },
        { type: 'mcp_tool_result', is_error: false, content: [{ type: 'text', text: 'Yes.' }] },
        { type: 'server_tool_use', name: 'tool_search_tool_bm25', input: { query: 'weather' } },
        { type: 'tool_search_tool_result', content: { tool_references: [] } },
        upload,
        { type: 'text', text: 'It is so.' },
        { type: 'tool_use', name: 'look', input: { at: 'it' } },
      ]);
      expect(stop).toBe('tool_use');
    }
  });

  it('sends back what the reference client keeps', async () => {
    const { url } = await opened(anthropicAnswer());
    const { content } = await clientAt(url).beta.messages.create(body);
    for (const stream of [true, false]) {
      const kept = await keptOf('anthropic', (await opened(anthropicAnswer())).url, stream);
      expect(kept).toEqual(content);
    }
  });
});

// openai 7.59, ResponseOutputItem.
const items: readonly JsonObject[] = [
  { type: 'compaction', id: 'cmp_1', encrypted_content: 'ENCRYPTED' },
  { type: 'program', id: 'prg_1', call_id: 'call_p', code: 'look()', fingerprint: 'f' },
  { type: 'program_output', id: 'pro_1', call_id: 'call_p', result: 'so', status: 'completed' },
  { type: 'additional_tools', id: 'at_1', role: 'developer', tools: [] },
];

const withoutId = (item: object): object => ({ ...item, id: '' });

const responsesAnswer = (): ScriptBuilder =>
  items
    .reduce((made, item) => made.providerBlock({ 'openai-responses': item }), script())
    .serverTool('search', { q: 'so' }, { server: 'pages' })
    .text('It is so.');

describe('openai, responses', () => {
  const body = { model: 'm', input: messages };
  const clientAt = (url: string): OpenAI =>
    new OpenAI({ baseURL: `${url}/v1`, apiKey: 'wireproof', maxRetries: 0 });

  it('reads the same items of a stream and of a body', async () => {
    const client = clientAt((await opened(responsesAnswer())).url);
    const done: unknown[] = [];
    const types: string[] = [];
    for await (const event of await client.responses.create({ ...body, stream: true })) {
      types.push(event.type);
      if (event.type === 'response.output_item.done') done.push(event.item);
    }
    const { output, output_text: text } = await clientAt(
      (await opened(responsesAnswer())).url,
    ).responses.create(body);
    for (const list of [done, output])
      expect(list.slice(0, 5)).toMatchObject([
        ...items,
        { type: 'mcp_call', server_label: 'pages', name: 'search', arguments: '{"q":"so"}' },
      ]);
    expect(text).toBe('It is so.');
    expect(types).toContain('response.compaction.compacting');
  });

  it('has in its output what the reference client keeps', async () => {
    const { output } = await clientAt((await opened(responsesAnswer())).url).responses.create(body);
    for (const stream of [true, false]) {
      const kept = await keptOf('openai-responses', (await opened(responsesAnswer())).url, stream);
      // The ids of a stream are others than those of a body.
      expect(kept?.map(withoutId)).toEqual(output.map(withoutId));
    }
  });

  it('throws in its helper over an event of 2026 that its version does not know (LLM-C12)', async () => {
    const client = clientAt((await opened(responsesAnswer())).url);
    await expect(client.responses.stream(body).finalResponse()).rejects.toThrow(
      'Unhandled response stream event',
    );
  });
});
