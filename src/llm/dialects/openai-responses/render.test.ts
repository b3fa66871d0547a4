/** Responses streams, event by event, against llm.md ("OpenAI Responses", (a) to (e)). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '../../../kit/base/index.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import type { Variants } from '../../messages.ts';
import { bytesOf, contextOf, unitsOf } from '../shared/laws.test-helper.ts';
import { answerOf, call, cutCall, requestOf, text, thought, refusal } from '../openai/answers.test-helper.ts';
import { openaiResponses } from './index.ts';

const request = requestOf('openai-responses', {
  system: 'be short',
  maxTokens: 50,
  obfuscation: false,
});

const eventsOf = (answered: Answered): JsonObject[] =>
  unitsOf(openaiResponses, answered).map(({ data }) => data as JsonObject);
const typesOf = (answered: Answered): Json[] => eventsOf(answered).map(({ type = null }) => type);
/** An event without the common fields, and without the item's seeded id. */
const bare = (event: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(event).filter(([key]) => !['type', 'sequence_number', 'item_id'].includes(key)),
  );
const find = (events: readonly JsonObject[], type: string): JsonObject[] =>
  events.filter((event) => event['type'] === type).map(bare);

describe('a text (a)', () => {
  const hello = answerOf(request, [text('Hel', 'lo')], { stop: 'end_turn' });
  const events = eventsOf(hello);

  it('is a message that is added and done, with its part and deltas between', () => {
    expect(typesOf(hello)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.content_part.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.content_part.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it('is sent as named events, numbered from 0, without [DONE]', () => {
    const wire = new TextDecoder().decode(bytesOf(openaiResponses, hello)).split('\n\n');
    expect(wire[0]).toMatch(
      /^event: response\.created\ndata: \{"type":"response\.created","sequence_number":0,/,
    );
    expect(wire.at(-2)).toMatch(/^event: response\.completed\n/);
    expect(wire.at(-1)).toBe('');
    expect(events.map((event) => event['sequence_number'])).toEqual(Array.from(events.keys()));
  });

  it('has the same text in its deltas, parts, item and response (LLM-S07)', () => {
    const part = { type: 'output_text', annotations: [], logprobs: [], text: 'Hello' };
    expect(find(events, 'response.output_text.delta').map(({ delta }) => delta)).toEqual(['Hel', 'lo']);
    expect(find(events, 'response.output_text.done')).toEqual([
      { output_index: 0, content_index: 0, text: 'Hello', logprobs: [] },
    ]);
    expect(find(events, 'response.content_part.done')).toEqual([{ output_index: 0, content_index: 0, part }]);
    const item = { type: 'message', role: 'assistant', status: 'completed', content: [part] };
    expect(find(events, 'response.output_item.done')).toMatchObject([{ output_index: 0, item }]);
    expect(find(events, 'response.completed')).toMatchObject([{ response: { output: [item] } }]);
    const ids = new Set(events.flatMap(({ item_id: id }) => (id === undefined ? [] : [id])));
    expect(ids.size).toBe(1);
  });

  it('contains the response: empty and in progress at first, complete at the end', () => {
    const common = {
      id: expect.stringMatching(/^resp_/) as unknown,
      object: 'response',
      created_at: Date.UTC(2026, 0, 2, 3, 4, 5) / 1000,
      model: 'gpt-test',
      instructions: 'be short',
      max_output_tokens: 50,
      error: null,
      incomplete_details: null,
    };
    for (const type of ['response.created', 'response.in_progress'])
      expect(find(events, type)).toMatchObject([
        { response: { ...common, status: 'in_progress', output: [], usage: null } },
      ]);
    expect(find(events, 'response.completed')).toMatchObject([
      {
        response: {
          ...common,
          status: 'completed',
          usage: { input_tokens: 9, output_tokens: 4, total_tokens: 13 },
        },
      },
    ]);
  });

  it('is a part of the type refusal when the model refused', () => {
    const refused = eventsOf(answerOf(request, [refusal('No.')], { stop: 'refusal' }));
    expect(find(refused, 'response.refusal.delta')).toEqual([
      { output_index: 0, content_index: 0, delta: 'No.' },
    ]);
    expect(find(refused, 'response.refusal.done')).toEqual([
      { output_index: 0, content_index: 0, refusal: 'No.' },
    ]);
    expect(find(refused, 'response.completed')).toMatchObject([
      { response: { output: [{ content: [{ type: 'refusal', refusal: 'No.' }] }] } },
    ]);
  });

  it('has padding in its deltas, unless the variant or the request turns it off', () => {
    const plain = answerOf(requestOf('openai-responses'), [text('Hel', 'lo')], { stop: 'end_turn' });
    for (const quiet of [hello, { ...plain, variants: { obfuscation: false } }])
      expect(JSON.stringify(eventsOf(quiet))).not.toContain('obfuscation');
    for (const event of eventsOf(plain))
      expect('obfuscation' in event).toBe(String(event['type']).endsWith('.delta'));
  });
});

it('a delta has the JSON of its data, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.boolean(), (said, obfuscation) => {
      const parts = [thought('s', said), text(said), call('a', said)];
      const answer = answerOf(requestOf('openai-responses'), parts, { stop: 'tool_use' }, { obfuscation });
      const units = unitsOf(openaiResponses, answer).filter(({ json }) => json !== undefined);
      expect(units).toHaveLength(3);
      for (const { data, json } of units) expect(json).toBe(JSON.stringify(data));
    }),
  );
});

describe('thoughts (b)', () => {
  it('are a reasoning item before the rest, with their signature as encrypted_content', () => {
    const answer = answerOf(request, [thought('c2ln', 'hm', '…'), text('so')], { stop: 'end_turn' });
    expect(typesOf(answer).slice(2, 9)).toEqual([
      'response.output_item.added',
      'response.reasoning_summary_part.added',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.delta',
      'response.reasoning_summary_text.done',
      'response.reasoning_summary_part.done',
      'response.output_item.done',
    ]);
    const [reasoning, message] = find(eventsOf(answer), 'response.output_item.done');
    expect(reasoning).toMatchObject({
      output_index: 0,
      item: {
        type: 'reasoning',
        summary: [{ type: 'summary_text', text: 'hm…' }],
        encrypted_content: 'c2ln',
      },
    });
    expect(message).toMatchObject({ output_index: 1, item: { type: 'message' } });
  });
});

// Open Responses, Specification of 2026-04-24: Streaming HTTP Responses; Items are streamable, 2; Required item fields.
describe('the profile open-responses', () => {
  const variants = { profile: 'open-responses' } as const;
  const thinking = answerOf(
    request,
    [thought('c2ln', 'hm', '…'), text('so')],
    { stop: 'end_turn' },
    variants,
  );

  it('ends a stream with [DONE], also behind an error', () => {
    const last = (answered: Answered) =>
      unitsOf(openaiResponses, answered)
        .slice(-2)
        .map(({ data }) => (typeof data === 'string' ? data : (data as JsonObject)['type']));
    expect(last(thinking)).toEqual(['response.completed', '[DONE]']);
    const error = { type: 'rate_limit', message: 'slow down' };
    const failing = answerOf(request, [text('Hel')], { stop: 'error', error }, variants);
    expect(last(failing)).toEqual(['response.failed', '[DONE]']);
    expect(last({ ...failing, variants: { ...variants, responsesError: 'nested' } })).toEqual([
      'error',
      '[DONE]',
    ]);
  });

  it('has no [DONE] where the signal of the end is missing', () => {
    const cut = answerOf(request, [text('Hel')], { stop: 'max_tokens', signal: 'missing' }, variants);
    expect(unitsOf(openaiResponses, cut).at(-1)?.data).not.toBe('[DONE]');
  });

  it('has thoughts in a part of their item, which has a status', () => {
    expect(typesOf(thinking).slice(2, 9)).toEqual([
      'response.output_item.added',
      'response.content_part.added',
      'response.reasoning.delta',
      'response.reasoning.delta',
      'response.reasoning.done',
      'response.content_part.done',
      'response.output_item.done',
    ]);
    expect(find(eventsOf(thinking), 'response.reasoning.done')).toEqual([
      { output_index: 0, content_index: 0, text: 'hm…' },
    ]);
    expect(find(eventsOf(thinking), 'response.output_item.done')[0]).toMatchObject({
      item: {
        type: 'reasoning',
        status: 'completed',
        summary: [],
        content: [{ type: 'reasoning_text', text: 'hm…' }],
        encrypted_content: 'c2ln',
      },
    });
  });
});

describe('calls (c)', () => {
  const answer = answerOf(request, [call('call_1', '{"x"', ':1}')], { stop: 'tool_use' });
  const events = eventsOf(answer);

  it('are separate items, with the arguments in deltas and complete', () => {
    expect(typesOf(answer).slice(2)).toEqual([
      'response.output_item.added',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.delta',
      'response.function_call_arguments.done',
      'response.output_item.done',
      'response.completed',
    ]);
    const item = { type: 'function_call', call_id: 'call_1', name: 'get' };
    expect(find(events, 'response.output_item.added')).toMatchObject([
      { output_index: 0, item: { ...item, arguments: '', status: 'in_progress' } },
    ]);
    expect(find(events, 'response.function_call_arguments.delta')).toEqual([
      { output_index: 0, delta: '{"x"' },
      { output_index: 0, delta: ':1}' },
    ]);
    expect(find(events, 'response.function_call_arguments.done')).toEqual([
      { output_index: 0, name: 'get', arguments: '{"x":1}' },
    ]);
    expect(find(events, 'response.output_item.done')).toMatchObject([
      { item: { ...item, arguments: '{"x":1}', status: 'completed' } },
    ]);
  });
});

describe('a cut call (d)', () => {
  const cut = (signal: 'honest' | 'lying' | 'missing' | 'contradictory', variants: Variants = {}) =>
    eventsOf(answerOf(request, [cutCall('call_1', '{"x"')], { stop: 'max_tokens', signal }, variants)).slice(
      4,
    );

  it('is done as incomplete, and the response is incomplete because of max_output_tokens (LLM-S10)', () => {
    const [item, end, ...rest] = cut('honest');
    expect(item).toMatchObject({
      type: 'response.output_item.done',
      item: { status: 'incomplete', arguments: '{"x"' },
    });
    expect(end).toMatchObject({
      type: 'response.incomplete',
      response: {
        status: 'incomplete',
        incomplete_details: { reason: 'max_output_tokens' },
        output: [{ status: 'incomplete', arguments: '{"x"' }],
        usage: { output_tokens: 4 },
      },
    });
    expect(rest).toEqual([]);
  });

  it('is done as in_progress, or after its arguments were done, in the variants', () => {
    expect(cut('honest', { itemStatus: 'in_progress' })[0]).toMatchObject({
      item: { status: 'in_progress' },
    });
    expect(cut('honest', { argumentsDone: true })[0]).toMatchObject({
      type: 'response.function_call_arguments.done',
      arguments: '{"x"',
    });
  });

  it('is marked as complete when the script lies', () => {
    const [, item, end] = cut('lying');
    expect(item).toMatchObject({ item: { status: 'completed', arguments: '{"x"' } });
    expect(end).toMatchObject({ type: 'response.completed', response: { status: 'completed' } });
  });

  it('ends without a terminal, or with an event that contradicts its response, when the script says so', () => {
    expect(cut('missing')).toEqual([]);
    expect(cut('contradictory').at(-1)).toMatchObject({
      type: 'response.completed',
      response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } },
    });
  });
});

describe('an error in mid-stream (e)', () => {
  const error = { type: 'rate_limit', message: 'slow down' };
  const last = (variants: Variants) =>
    eventsOf(answerOf(request, [text('Hel')], { stop: 'error', error }, variants)).at(-1);

  it('is nested, and a failed response follows it', () => {
    const answer = answerOf(request, [text('Hel')], { stop: 'error', error });
    expect(eventsOf(answer).slice(-2)).toMatchObject([
      { type: 'error', sequence_number: 8, error: { code: 'rate_limit_exceeded', message: 'slow down' } },
      {
        type: 'response.failed',
        sequence_number: 9,
        response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'slow down' } },
      },
    ]);
  });

  it('is flat, as in the SDK, in the variant', () => {
    expect(last({ responsesError: 'flat' })).toEqual({
      type: 'error',
      sequence_number: 8,
      code: 'rate_limit_exceeded',
      message: 'slow down',
      param: null,
    });
  });

  it('is only nested, or only a failed response, in the variants', () => {
    expect(last({ responsesError: 'nested' })).toEqual({
      type: 'error',
      sequence_number: 8,
      error: { message: 'slow down', type: 'requests', param: null, code: 'rate_limit_exceeded' },
    });
    expect(last({ responsesError: 'failed' })).toMatchObject({
      type: 'response.failed',
      response: { status: 'failed', error: { code: 'rate_limit_exceeded', message: 'slow down' } },
    });
  });
});

describe('an answer that is not streamed', () => {
  it('is the response itself', () => {
    const answer = answerOf(request, [text('see'), call('call_1', '{}')], { stop: 'tool_use' });
    expect(openaiResponses.whole(answer.generation, contextOf(answer))).toMatchObject({
      status: 200,
      body: {
        object: 'response',
        status: 'completed',
        output: [
          { type: 'message', content: [{ type: 'output_text', text: 'see' }] },
          { type: 'function_call', call_id: 'call_1', arguments: '{}', status: 'completed' },
        ],
      },
    });
  });
});

describe('the counting endpoint', () => {
  it('answers with input_tokens', () => {
    expect(openaiResponses.count?.path).toBe('/v1/responses/input_tokens');
    expect(openaiResponses.count?.answer(7)).toEqual({ object: 'response.input_tokens', input_tokens: 7 });
  });
});
