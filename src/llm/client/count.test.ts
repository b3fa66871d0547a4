/**
 * Counts of a prompt before it is sent (tokens.md: "exact counts from the provider when it has them"): the paths and the
 * forms are those of the SDKs, and the simulated provider counts as it does for the usage of a response (LLM-S16).
 */
import { describe, expect, it } from 'vitest';
import { Host, Network, VirtualClock, seededRandom } from '../../kit/world/index.ts';
import { script } from '../script/builder.ts';
import { streamer } from '../streamer/streamer.ts';
import { countPrompt, defaultTokenizer } from '../dialects/shared/tokenizer.ts';
import { requestBodyCodec, responseWriteCodec } from '../dialects/shared/units.ts';
import type { Decoded, DialectName, LlmRequest } from '../messages.ts';
import { ClientCall } from './call.ts';
import type { CallOutput } from './call.ts';
import { countingOf } from './wire.ts';

const requestOf = (dialect: DialectName): LlmRequest => ({
  dialect,
  model: 'm',
  system: 'You are terse.',
  messages: [
    { role: 'user', content: 'Add one and two.' },
    { role: 'assistant', content: '', toolCalls: [{ id: 'call_1', name: 'add', input: { a: 1, b: 2 } }] },
    { role: 'user', content: 'Well?', toolResults: [{ id: 'call_1', content: '3', isError: false }] },
  ],
  tools: [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object', properties: {} } }],
  maxTokens: 100,
  stopSequences: ['STOP'],
  stream: true,
  includeUsage: true,
});

const begin = (dialect: DialectName) => countingOf(dialect)?.(requestOf(dialect), 'http://x/v1', { k: 'v' });
const text = (bytes: Uint8Array | undefined): unknown => JSON.parse(Buffer.from(bytes ?? []).toString());
const bytes = (message: object): Uint8Array => Buffer.from(JSON.stringify(message));

/** Counts at the simulated provider. */
function countAtProvider(dialect: DialectName): Decoded | undefined {
  const clock = new VirtualClock();
  const network = new Network(clock, seededRandom('n'), { delay: { min: 0, max: 1 }, orderly: true });
  const provider = new Host({
    role: streamer({ script: script().text('Hi.').build(), random: seededRandom }),
    clock,
    receives: requestBodyCodec,
    sends: responseWriteCodec,
  });
  network.listen(provider.accept);
  const converse = countingOf(dialect);
  if (converse === undefined) return undefined;
  const request = requestOf(dialect);
  const retries = { attempts: 1, base: 1, most: 1, patience: 1 };
  const random = seededRandom('r');
  const call = new ClientCall({ baseUrl: 'http://x', request, retries, idle: 1000, random, converse });
  let decoded: Decoded | undefined;
  let link: ReturnType<Network['dial']> | undefined;
  const listener = {
    headers: (metadata: { readonly [name: string]: string }) => act(call.headers(metadata)),
    message: (chunk: Uint8Array) => act(call.bytes(chunk)),
    halfClose: () => act(call.ended(true)),
    ended: () => act(call.ended(true)),
    drained() {},
    ping() {},
  };
  function act(outputs: readonly CallOutput[]): void {
    for (const output of outputs) {
      if (output.do === 'dial') link = network.dial({ metadata: output.metadata }, listener);
      else if (output.do === 'send') link?.send(output.bytes);
      else if (output.do === 'half_close') link?.halfClose();
      else if (output.do === 'done') decoded = output.decoded;
    }
  }
  act(call.start());
  clock.run(() => decoded !== undefined, 10_000);
  return decoded;
}

describe.each(['anthropic', 'openai-responses', 'lmstudio'] as const)('a count with %s', (dialect) => {
  it('is the one of the provider, as the input tokens of a usage', () => {
    const { response, error } = countAtProvider(dialect) ?? {};
    expect(error).toBeUndefined();
    expect(response?.content).toBe('');
    const { inputTokens = 0, outputTokens } = response?.metadata.usage ?? {};
    expect(outputTokens).toBe(0);
    // LM Studio counts the text of the model's template, which has words of its own.
    if (dialect === 'lmstudio') expect(inputTokens).toBeGreaterThan(10);
    else expect(inputTokens).toBe(countPrompt(requestOf(dialect), defaultTokenizer));
  });
});

describe('the body of a count', () => {
  // @anthropic-ai/sdk, MessageCountTokensParams: no max_tokens, no stop_sequences, no stream.
  it('is that of Anthropic, POST /v1/messages/count_tokens', () => {
    const { metadata, first } = begin('anthropic') ?? {};
    expect(metadata).toMatchObject({
      ':method': 'POST',
      ':url': 'http://x/v1/messages/count_tokens',
      k: 'v',
    });
    expect(metadata?.['anthropic-version']).toBeDefined();
    expect(Object.keys(text(first?.[0]) as object)).toEqual(['model', 'system', 'messages', 'tools']);
  });

  // openai, InputTokenCountParams: no store, no stream, no max_output_tokens, no include.
  it('is that of OpenAI, POST /v1/responses/input_tokens', () => {
    const { metadata, first } = begin('openai-responses') ?? {};
    expect(metadata).toMatchObject({ ':method': 'POST', ':url': 'http://x/v1/responses/input_tokens' });
    expect(Object.keys(text(first?.[0]) as object)).toEqual(['model', 'instructions', 'input', 'tools']);
  });

  // @lmstudio/sdk, createLLMBackendInterface: applyPromptTemplate gives `formatted`, countTokens `tokenCount`.
  it('is two calls at LM Studio', () => {
    const count = countingOf('lmstudio')?.(requestOf('lmstudio'), 'http://x', {});
    expect(count?.metadata[':url']).toBe('ws://x/llm');
    const [template] = count?.take(bytes({ success: true })).send ?? [];
    expect(text(template)).toMatchObject({
      type: 'rpcCall',
      endpoint: 'applyPromptTemplate',
      callId: 1,
      parameter: { specifier: { type: 'query', query: { identifier: 'm' } } },
    });
    const formatted = { type: 'rpcResult', callId: 1, result: { formatted: 'abc' } };
    expect(text(count?.take(bytes(formatted)).send[0])).toMatchObject({
      type: 'rpcCall',
      endpoint: 'countTokens',
      callId: 2,
      parameter: { inputString: 'abc' },
    });
    count?.take(bytes({ type: 'communicationWarning', warning: 'odd' }));
    expect(count?.done).toBe(false);
    count?.take(bytes({ type: 'rpcResult', callId: 2, result: { tokenCount: 33 } }));
    expect(count?.end('clean').response.metadata.usage?.inputTokens).toBe(33);
  });
});

describe('no count', () => {
  // Neither API has an endpoint that counts.
  it.each(['ollama', 'openai-chat'] as const)('is had of %s', (dialect) => {
    expect(countingOf(dialect)).toBeUndefined();
  });

  it.each([
    ['a server without the endpoint', 404, 'not found', { kind: 'provider', status: 404 }],
    ['an answer that is no count', 200, '{"input_tokens":"9"}', { kind: 'protocol' }],
    ['an answer below zero', 200, '{"input_tokens":-1}', { kind: 'protocol' }],
    ['an answer that is no JSON', 200, '<html>', { kind: 'protocol' }],
  ])('comes of %s', (_, status, body, error) => {
    for (const dialect of ['anthropic', 'openai-responses'] as const) {
      const count = begin(dialect);
      count?.headers({ ':status': String(status) });
      count?.take(Buffer.from(body));
      expect(count?.end('clean').error).toMatchObject(error);
    }
  });

  it.each([
    ['a refused authentication', [{ success: false, error: 'no' }], 'provider'],
    [
      'a refused call',
      [{ success: true }, { type: 'rpcError', callId: 1, error: { title: 'no such endpoint' } }],
      'provider',
    ],
    ['a result that is none', [{ success: true }, { type: 'rpcResult', callId: 1, result: {} }], 'provider'],
    ['a connection that is lost', [{ success: true }], 'connection'],
  ])('comes of %s at LM Studio', (_, messages, kind) => {
    const count = begin('lmstudio');
    for (const message of messages) count?.take(bytes(message));
    expect(count?.end('reset').error).toMatchObject({ kind });
  });
});
