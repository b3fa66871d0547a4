/** The form of Anthropic's responses: llm.md, "Anthropic (a) to (e)". */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Generation, Unit, Variants } from '../../messages.ts';
import {
  call,
  cut,
  generationOf,
  plainContext,
  text,
  thought,
  unitsFor,
} from '../shared/dialect.test-helper.ts';
import { anthropic } from './index.ts';

const names = (units: readonly Unit[]): readonly (string | undefined)[] => units.map((unit) => unit.event);

const ends = (units: readonly Unit[]): readonly unknown[] =>
  units.filter((unit) => unit.event === 'message_delta').map((unit) => unit.data);

/** The units of a generation, without the ping after message_start. */
const unitsOf = (generation: Generation, variants: Variants = {}): readonly Unit[] =>
  unitsFor(anthropic, generation, { startPing: false, ...variants });

test('a ping follows message_start, and the counts of the cache are numbers', () => {
  const [start, second] = unitsFor(anthropic, generationOf([text('Hi')]));
  expect(start?.data).toMatchObject({
    message: { usage: { cache_creation_input_tokens: 0, cache_read_input_tokens: 0 } },
  });
  expect(second).toEqual({ event: 'ping', data: { type: 'ping' } });
});

describe('(a) text', () => {
  const units = unitsOf(generationOf([text('Hel', 'lo')]));

  test('message_start, the block, its deltas, its stop, message_delta, message_stop', () => {
    expect(names(units)).toEqual([
      'message_start',
      'content_block_start',
      'content_block_delta',
      'content_block_delta',
      'content_block_stop',
      'message_delta',
      'message_stop',
    ]);
  });

  test('data has the type of its event', () => {
    for (const unit of units) expect(unit.data).toMatchObject({ type: unit.event });
  });

  test('the message begins without content and without a stop reason', () => {
    expect(units[0]?.data).toMatchObject({
      message: {
        id: expect.stringMatching(/^msg_/),
        type: 'message',
        role: 'assistant',
        content: [],
        model: 'wireproof-1',
        stop_reason: null,
        stop_sequence: null,
        usage: { input_tokens: 12 },
      },
    });
  });

  test('blocks and deltas carry their index', () => {
    expect(units.slice(1, 5).map((unit) => unit.data)).toEqual([
      { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hel' } },
      { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'lo' } },
      { type: 'content_block_stop', index: 0 },
    ]);
  });

  test('message_delta has the stop reason and the counts, with those of the prompt', () => {
    expect(ends(units)).toEqual([
      {
        type: 'message_delta',
        delta: { stop_reason: 'end_turn', stop_sequence: null, stop_details: null, container: null },
        usage: expect.objectContaining({ input_tokens: 12, output_tokens: 7 }),
      },
    ]);
  });

  test('the matched stop sequence is named', () => {
    const end = { stop: 'stop_sequence', stopSequence: 'END' } as const;
    expect(ends(unitsOf(generationOf([text('a')], end)))).toEqual([
      expect.objectContaining({
        delta: expect.objectContaining({ stop_reason: 'stop_sequence', stop_sequence: 'END' }),
      }),
    ]);
  });
});

test('(b) a thought is block 0: thinking_delta, one signature_delta, stop; text is block 1', () => {
  const units = unitsOf(generationOf([thought('c2ln', 'hm', 'm'), text('yes')]));
  expect(units.slice(1, 7).map((unit) => unit.data)).toEqual([
    {
      type: 'content_block_start',
      index: 0,
      content_block: { type: 'thinking', thinking: '', signature: '' },
    },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'hm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'thinking_delta', thinking: 'm' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'signature_delta', signature: 'c2ln' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'content_block_start', index: 1, content_block: { type: 'text', text: '' } },
  ]);
});

test('(c) a tool block starts with empty input, and its first delta is empty', () => {
  const generation = generationOf([call('toolu_1', 'look', '{"a"', ':1}')], { stop: 'tool_use' });
  const units = unitsOf(generation);
  expect(units[1]?.data).toMatchObject({
    content_block: { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
  });
  expect(units.slice(2, 5).map((unit) => unit.data)).toMatchObject([
    { index: 0, delta: { type: 'input_json_delta', partial_json: '' } },
    { index: 0, delta: { type: 'input_json_delta', partial_json: '{"a"' } },
    { index: 0, delta: { type: 'input_json_delta', partial_json: ':1}' } },
  ]);
  expect(ends(units)).toMatchObject([{ delta: { stop_reason: 'tool_use' } }]);
});

test('(c) a call without parameters has one delta, which is empty', () => {
  const generation = generationOf([call('toolu_1', 'now', '{', '}')], { stop: 'tool_use' });
  expect(unitsOf(generation).slice(2, 4)).toMatchObject([
    { data: { index: 0, delta: { type: 'input_json_delta', partial_json: '' } } },
    { data: { type: 'content_block_stop', index: 0 } },
  ]);
});

describe('(d) a call that was cut', () => {
  const parts = [cut(call('toolu_1', 'write', '{"title":"x"'))];
  const generation = generationOf(parts, { stop: 'max_tokens', cutCall: true });

  test('comes as the same blocks, and the limit as the stop reason', () => {
    const units = unitsOf(generation);
    expect(names(units).slice(-3)).toEqual(['content_block_stop', 'message_delta', 'message_stop']);
    expect(ends(units)).toMatchObject([{ delta: { stop_reason: 'max_tokens' } }]);
  });

  test('is not closed in the variant without block_stop', () => {
    expect(names(unitsOf(generation, { blockStop: false }))).not.toContain('content_block_stop');
  });

  test('with a lying signal has the reason tool_use', () => {
    const lying = { ...generation, end: { ...generation.end, signal: 'lying' as const } };
    expect(ends(unitsOf(lying))).toMatchObject([{ delta: { stop_reason: 'tool_use' } }]);
  });

  test('with a contradictory signal has both reasons', () => {
    const both = { ...generation, end: { ...generation.end, signal: 'contradictory' as const } };
    expect(ends(unitsOf(both))).toMatchObject([
      { delta: { stop_reason: 'tool_use' } },
      { delta: { stop_reason: 'max_tokens' } },
    ]);
  });

  test('without a signal has no terminal', () => {
    const missing = { ...generation, end: { ...generation.end, signal: 'missing' as const } };
    expect(names(unitsOf(missing)).at(-1)).toBe('content_block_delta');
  });

  test('in a whole response has its complete parameters', () => {
    const { body } = anthropic.whole(generation, plainContext('anthropic', generation));
    expect(body).toMatchObject({
      stop_reason: 'max_tokens',
      content: [{ type: 'tool_use', input: { title: 'x' } }],
    });
  });
});

describe('(e) errors', () => {
  const error = { type: 'overloaded', message: 'busy' };

  test('in the stream: a separate event, and nothing after it', () => {
    const units = unitsOf(generationOf([cut(text('a'))], { stop: 'error', error }));
    expect(units.at(-1)).toEqual({
      event: 'error',
      data: { type: 'error', error: { type: 'overloaded_error', message: 'busy' } },
    });
    expect(names(units)).not.toContain('message_stop');
  });

  test('before the stream: 529, the same body, a request id, and hints for retrying', () => {
    const hints = { ...error, retryAfter: 2, retryAfterMs: 2500, shouldRetry: true };
    expect(anthropic.errorBody(hints, 'req_1')).toEqual({
      status: 529,
      headers: {
        'request-id': 'req_1',
        'retry-after': '2',
        'retry-after-ms': '2500',
        'x-should-retry': 'true',
      },
      body: { type: 'error', error: { type: 'overloaded_error', message: 'busy' }, request_id: 'req_1' },
    });
  });

  test('its own status is used, and its own type is sent unchanged', () => {
    const own = anthropic.errorBody({ type: 'odd_error', message: 'x', status: 418 }, 'req_1');
    expect(own).toMatchObject({ status: 418, body: { error: { type: 'odd_error' } } });
  });

  test('a response that is not streamed is the error', () => {
    const generation = generationOf([text('a')], { stop: 'error', error });
    expect(anthropic.whole(generation, plainContext('anthropic', generation))).toMatchObject({
      status: 529,
      body: { type: 'error' },
    });
  });
});

test('count_tokens answers with input_tokens', () => {
  expect(anthropic.count?.path).toBe('/v1/messages/count_tokens');
  expect(anthropic.count?.answer(5)).toEqual({ input_tokens: 5 });
});

// Their JSON is built by hand; traces show the data.
test('the JSON of a delta equals its data, for any text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', minLength: 1 }), fc.nat(20), (said, before) => {
      const parts = [...Array.from({ length: before }, () => text('x')), thought('s', said), text(said)];
      const units = unitsOf(generationOf([...parts, call('toolu_1', 'write', said)]));
      const made = units.filter(({ json }) => json !== undefined);
      expect(made).toHaveLength(before + 3);
      for (const { json, data } of made) expect(json).toBe(JSON.stringify(data));
    }),
  );
});
