/** The client's decoder of Responses: streams as servers have sent them, written by hand (LLM-C04 to C18). */
import { describe, expect, it } from 'vitest';
import { streamOf } from '../openai/answers.test-helper.ts';
import { begun, callItem, completed, ended, incomplete, read, text } from './events.test-helper.ts';
import { openaiResponses } from './index.ts';

describe('the end', () => {
  it.each([
    [completed, 'end_turn', 'completed'],
    [incomplete('max_output_tokens'), 'max_tokens', 'max_output_tokens'],
    [incomplete('content_filter'), 'content_filter', 'content_filter'],
  ])('%j', (terminal, reason, raw) => {
    const decoder = openaiResponses.decoder();
    decoder.push(streamOf(text('a'), terminal));
    expect(decoder.done).toBe(true);
    expect(decoder.rawStop).toBe(raw);
    expect(decoder.end('clean').response.metadata.stopReason).toBe(reason);
  });

  it('for an unknown reason is unknown, with a warning (LLM-C18)', () => {
    const { response } = read(text('a'), incomplete('boredom'));
    expect(response.metadata.stopReason).toBe('unknown');
    expect(response.warnings).toEqual([expect.stringContaining('"boredom"')]);
  });

  it('that contradicts itself is the limit, with a warning', () => {
    const { response } = read(begun(0), {
      ...ended('completed', { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
    });
    expect(response.metadata.stopReason).toBe('max_tokens');
    expect(response.warnings).toHaveLength(1);
  });

  it('without a terminal is an error, also after [DONE] (LLM-C06)', () => {
    expect(read(text('a')).error?.kind).toBe('truncated-stream');
    expect(read(text('a'), '[DONE]').error?.kind).toBe('truncated-stream');
    expect(read(text('a'), completed, '[DONE]').error).toBeUndefined();
  });

  it('is a refusal when a part was a refusal', () => {
    const refusal = { type: 'response.refusal.delta', output_index: 0, content_index: 0, delta: 'No.' };
    expect(read(refusal, completed).response).toMatchObject({
      content: 'No.',
      metadata: { stopReason: 'refusal' },
    });
  });
});

// Open Responses, schema of 2026-04-24: ResponseReasoningDeltaStreamingEvent; Error Types.
describe('the words of Open Responses', () => {
  it('are thoughts, once, although the item repeats them', () => {
    const item = { id: 'rs_1', type: 'reasoning', status: 'completed', summary: [] };
    const at = { item_id: 'rs_1', output_index: 0, content_index: 0 };
    const part = { type: 'reasoning_text', text: 'hm' };
    const { response, error } = read(
      { type: 'response.output_item.added', output_index: 0, item: { ...item, status: 'in_progress' } },
      { type: 'response.content_part.added', ...at, part: { ...part, text: '' } },
      { type: 'response.reasoning.delta', ...at, delta: 'h' },
      { type: 'response.reasoning.delta', ...at, delta: 'm' },
      { type: 'response.reasoning.done', ...at, text: 'hm' },
      { type: 'response.content_part.done', ...at, part },
      { type: 'response.output_item.done', output_index: 0, item: { ...item, content: [part] } },
      completed,
      '[DONE]',
    );
    expect([response.thinking, response.warnings, error]).toEqual([[{ text: 'hm' }], [], undefined]);
  });

  it('say that a request may be tried again, after too many', () => {
    const { error } = read({ type: 'error', error: { type: 'too_many_requests', message: 'slow down' } });
    expect(error).toMatchObject({ type: 'rate_limit', retryable: true });
  });
});

describe('an error in mid-stream (LLM-C07)', () => {
  it.each([
    [{ type: 'error', code: 'server_error', message: 'busy', param: null, sequence_number: 3 }],
    [{ type: 'error', error: { type: 'server_error', code: null, message: 'busy', param: null } }],
    [{ error: { type: 'server_error', code: null, message: 'busy', param: null } }],
    [ended('failed', { error: { code: 'server_error', message: 'busy' } })],
  ])('%j', (event) => {
    const { response, error } = read(text('Hel'), event, text('lo'));
    expect(error).toEqual({ kind: 'provider', type: 'server', message: 'busy', retryable: true });
    expect(response.content).toBe('Hel');
    expect(response.metadata.stopReason).toBe('error');
  });
});

describe('thoughts', () => {
  const reasoning = (item: object) => ({
    type: 'response.output_item.done',
    output_index: 0,
    item: { type: 'reasoning', ...item },
  });
  const summary = (delta: string, at = 0) => ({
    type: 'response.reasoning_summary_text.delta',
    output_index: at,
    summary_index: 0,
    delta,
  });

  it('are kept with their signature (LLM-C14)', () => {
    const added = {
      type: 'response.output_item.added',
      output_index: 0,
      item: { type: 'reasoning', summary: [] },
    };
    const whole = reasoning({
      summary: [{ type: 'summary_text', text: 'hm, so' }],
      encrypted_content: 'c2ln',
    });
    expect(read(added, summary('hm, '), summary('so'), whole, completed).response.thinking).toEqual([
      { text: 'hm, so', signature: 'c2ln' },
    ]);
    expect(read(whole, completed).response.thinking).toEqual([{ text: 'hm, so', signature: 'c2ln' }]);
  });

  it('without text are kept only when they have a signature', () => {
    expect(read(reasoning({ summary: [], encrypted_content: 'c2ln' }), completed).response.thinking).toEqual([
      { text: '', signature: 'c2ln' },
    ]);
    expect(read(reasoning({ summary: [] }), completed).response.thinking).toBeUndefined();
  });

  it('of open models come as reasoning text', () => {
    const delta = { type: 'response.reasoning_text.delta', output_index: 0, content_index: 0, delta: 'hm' };
    expect(read(delta, completed).response.thinking).toEqual([{ text: 'hm' }]);
  });
});

describe('the rest', () => {
  it('is ignored: unknown events, items and fields (LLM-C12)', () => {
    const { response, error } = read(
      { type: 'response.queued' },
      { type: 'response.web_search_call.searching', output_index: 0 },
      { type: 'response.output_item.done', output_index: 0, item: { type: 'web_search_call' } },
      { ...text('a', 1), obfuscation: 'xyz' },
      ended('completed', {
        usage: { input_tokens: 30, output_tokens: 5, input_tokens_details: { cached_tokens: 20 } },
      }),
    );
    expect(error).toBeUndefined();
    expect(response).toEqual({
      content: 'a',
      toolCalls: [],
      metadata: {
        usage: { inputTokens: 10, outputTokens: 5, cacheReadTokens: 20 },
        stopReason: 'end_turn',
        modelInfo: 'm',
      },
      warnings: [],
    });
  });

  it('reads a text that came only in one piece', () => {
    const item = { type: 'message', content: [{ type: 'output_text', text: 'Hello' }] };
    expect(
      read({ type: 'response.output_item.done', output_index: 0, item }, completed).response.content,
    ).toBe('Hello');
  });
});

describe('an answer that is not streamed', () => {
  const whole = (status: number, body: unknown) =>
    openaiResponses.readWhole(status, {}, Buffer.from(JSON.stringify(body)));

  it('is read by its items and its status', () => {
    const output = [
      { type: 'message', content: [{ type: 'output_text', text: 'see' }] },
      callItem(1, '{"x', 'incomplete'),
    ];
    const { response, error } = whole(200, {
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      output,
    });
    expect(error).toBeUndefined();
    expect(response).toMatchObject({
      content: 'see',
      toolCalls: [],
      open: { id: 'call_1', name: 'get', partial: '{"x' },
      metadata: { stopReason: 'max_tokens' },
    });
  });

  it('is an error when it failed, is not over, or has an error status', () => {
    expect(
      whole(200, { status: 'failed', error: { code: 'server_error', message: 'no' }, output: [] }).error,
    ).toMatchObject({ kind: 'provider', type: 'server' });
    expect(whole(200, { status: 'in_progress', output: [] }).error?.kind).toBe('truncated-stream');
    expect(whole(404, { error: { code: 'model_not_found', message: 'no' } }).error).toMatchObject({
      status: 404,
      type: 'not_found',
      retryable: false,
    });
  });
});
