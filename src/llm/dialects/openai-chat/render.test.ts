/** Chat Completions streams, event by event, against llm.md ("OpenAI Chat Completions", (a) to (e)). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../../../kit/base/index.ts';
import type { Answered } from '../../arbitrary/answer.ts';
import { bytesOf, contextOf, unitsOf } from '../shared/laws.test-helper.ts';
import { answerOf, call, cutCall, requestOf, text, thought, refusal } from '../openai/answers.test-helper.ts';
import { openaiChat } from './index.ts';

const request = requestOf('openai-chat', { includeUsage: false, obfuscation: false });

interface Chunk {
  readonly choices?: readonly { readonly delta: Json; readonly finish_reason: string | null }[];
  readonly usage?: Json;
}

const chunksOf = (answered: Answered): Chunk[] =>
  unitsOf(openaiChat, answered).map(({ data }) => data as unknown as Chunk);

/** Deltas, finish reasons and other members, in short form. */
const shortOf = (answered: Answered): unknown[] =>
  chunksOf(answered).map((chunk) => {
    const choice = chunk.choices?.[0];
    return choice === undefined ? chunk : (choice.finish_reason ?? choice.delta);
  });

const role = { role: 'assistant', content: '', refusal: null };
const delta = (index: number, piece: string) => ({ tool_calls: [{ index, function: { arguments: piece } }] });
const begun = (index: number, id: string) => ({
  tool_calls: [{ index, id, type: 'function', function: { name: 'get', arguments: '' } }],
});

describe('a text (a)', () => {
  const hello = answerOf(request, [text('Hel', 'lo')], { stop: 'end_turn' });

  it('is the role first, then content, then an empty delta with the finish reason, then [DONE]', () => {
    expect(shortOf(hello)).toEqual([role, { content: 'Hel' }, { content: 'lo' }, 'stop', '[DONE]']);
    expect(chunksOf(hello)[3]?.choices?.[0]?.delta).toEqual({});
  });

  it('has the fields of a chunk in each chunk, and the same id and time', () => {
    const chunks = chunksOf(hello).slice(0, -1);
    for (const chunk of chunks)
      expect(chunk).toEqual({
        id: expect.stringMatching(/^chatcmpl-/) as unknown,
        object: 'chat.completion.chunk',
        created: Date.UTC(2026, 0, 2, 3, 4, 5) / 1000,
        model: 'gpt-test',
        service_tier: 'default',
        system_fingerprint: expect.stringMatching(/^fp_/) as unknown,
        choices: [expect.objectContaining({ index: 0, logprobs: null })],
      });
    expect(new Set(chunks.map((chunk) => JSON.stringify({ ...chunk, choices: [] }))).size).toBe(1);
  });

  it('is sent as data: lines only', () => {
    const lines = new TextDecoder().decode(bytesOf(openaiChat, hello)).split('\n');
    expect(lines.filter((line) => line !== '').every((line) => line.startsWith('data: '))).toBe(true);
    expect(lines.at(-3)).toBe('data: [DONE]');
  });

  it('has usage only on request: null on every chunk, then one chunk without choices (LLM-S06)', () => {
    const usage = { inputTokens: 9, outputTokens: 4, cacheReadTokens: 20, thinkingTokens: 3 };
    const asked = answerOf(requestOf('openai-chat'), [text('Hello')], { stop: 'end_turn', usage });
    const chunks = chunksOf(asked);
    expect(chunks.slice(0, -2).map((chunk) => chunk.usage)).toEqual([null, null, null]);
    expect(chunks.at(-2)).toMatchObject({
      choices: [],
      usage: {
        prompt_tokens: 29,
        completion_tokens: 4,
        total_tokens: 33,
        prompt_tokens_details: { cached_tokens: 20 },
        completion_tokens_details: { reasoning_tokens: 3 },
      },
    });
    expect(chunksOf(hello).some((chunk) => typeof chunk === 'object' && 'usage' in chunk)).toBe(false);
  });

  it('is a refusal when the model refused', () => {
    const refused = answerOf(request, [refusal('I cannot.')], { stop: 'refusal' });
    expect(shortOf(refused).slice(1, 3)).toEqual([{ refusal: 'I cannot.' }, 'stop']);
  });

  it('has padding in every chunk, unless the variant or the request turns it off', () => {
    const plain = answerOf(requestOf('openai-chat'), [text('Hel', 'lo')], { stop: 'end_turn' });
    for (const chunk of chunksOf(plain).slice(0, -1))
      expect(chunk).toMatchObject({ obfuscation: expect.stringMatching(/^[0-9A-Za-z]{1,16}$/) as unknown });
    for (const quiet of [hello, { ...plain, variants: { obfuscation: false } }])
      expect(JSON.stringify(chunksOf(quiet))).not.toContain('obfuscation');
  });

  it('has the JSON of its data, for any text', () => {
    const arguments_ = fc.string({ unit: 'binary', minLength: 1 });
    fc.assert(
      fc.property(arguments_, fc.boolean(), (said, includeUsage) => {
        const asked = requestOf('openai-chat', { includeUsage });
        const parts = [thought('s', said), text(said), call('a', said)];
        const answer = answerOf(asked, parts, { stop: 'tool_use' }, { reasoning: 'reasoning' });
        for (const { data, json } of unitsOf(openaiChat, answer))
          if (json !== undefined) expect(json).toBe(JSON.stringify(data));
        expect(unitsOf(openaiChat, answer).filter(({ json }) => json !== undefined)).toHaveLength(3);
      }),
    );
  });
});

describe('thoughts (b)', () => {
  const thinking = (variants: Answered['variants']) =>
    shortOf(answerOf(request, [thought('sig', 'hm'), text('so')], { stop: 'end_turn' }, variants));

  it('are not in the stream of the official API', () => {
    expect(thinking({})).toEqual([role, { content: 'so' }, 'stop', '[DONE]']);
  });

  it('are in a separate field at compatible servers', () => {
    expect(thinking({ reasoning: 'reasoning_content' })[1]).toEqual({ reasoning_content: 'hm' });
    expect(thinking({ reasoning: 'reasoning' })[1]).toEqual({ reasoning: 'hm' });
  });
});

describe('calls (c)', () => {
  const two = answerOf(request, [call('a', '{"x"', ':1}'), call('b', '{"y"', ':2', '}')], {
    stop: 'tool_use',
  });

  it('have id and name in their first delta, and only index and arguments in later ones', () => {
    expect(shortOf(two)).toEqual([
      // 13 of 18 recorded first calls: the role comes with the call.
      { role: 'assistant', content: null, ...begun(0, 'a'), refusal: null },
      delta(0, '{"x"'),
      delta(0, ':1}'),
      begun(1, 'b'),
      delta(1, '{"y"'),
      delta(1, ':2'),
      delta(1, '}'),
      'tool_calls',
      '[DONE]',
    ]);
  });

  it('are interleaved in the variant, complete and after the earlier text', () => {
    const mixed = answerOf(
      request,
      [text('see'), call('a', '{"x"', ':1}'), call('b', '{"y"', ':2', '}')],
      { stop: 'tool_use' },
      { interleaved: true },
    );
    expect(shortOf(mixed)).toEqual([
      role,
      { content: 'see' },
      begun(0, 'a'),
      begun(1, 'b'),
      delta(0, '{"x"'),
      delta(1, '{"y"'),
      delta(0, ':1}'),
      delta(1, ':2'),
      delta(1, '}'),
      'tool_calls',
      '[DONE]',
    ]);
  });
});

describe('a cut call (d)', () => {
  const cut = (signal: 'honest' | 'lying' | 'missing' | 'contradictory') =>
    shortOf(answerOf(request, [cutCall('a', '{"x"')], { stop: 'max_tokens', signal })).slice(2);

  it('finishes with length, never with tool_calls (LLM-S10)', () => {
    expect(cut('honest')).toEqual(['length', '[DONE]']);
  });

  it('finishes with tool_calls when the script lies, as vLLM did', () => {
    expect(cut('lying')).toEqual(['tool_calls', '[DONE]']);
  });

  it('finishes without a reason, or with two, when the script says so', () => {
    expect(cut('missing')).toEqual([]);
    expect(cut('contradictory')).toEqual(['length', 'tool_calls', '[DONE]']);
  });
});

describe('an error in mid-stream (e)', () => {
  it('is an error object with message, type, code and param, and the last event (LLM-S14)', () => {
    const error = { type: 'rate_limit', message: 'slow down' };
    const broken = answerOf(request, [text('Hel')], { stop: 'error', error });
    expect(shortOf(broken)).toEqual([
      role,
      { content: 'Hel' },
      { error: { message: 'slow down', type: 'requests', param: null, code: 'rate_limit_exceeded' } },
    ]);
  });

  it('keeps a type that is not neutral', () => {
    const error = { type: 'insufficient_quota', message: 'pay' };
    const broken = answerOf(request, [text('Hel')], { stop: 'error', error });
    expect(shortOf(broken).at(-1)).toMatchObject({ error: { type: 'insufficient_quota', code: null } });
  });
});

describe('an answer that is not streamed', () => {
  it('is a chat.completion with one message', () => {
    const answer = answerOf(requestOf('openai-chat', { stream: false }), [text('see'), call('a', '{}')], {
      stop: 'tool_use',
    });
    const { status, body } = openaiChat.whole(answer.generation, contextOf(answer));
    expect(status).toBe(200);
    expect(body).toMatchObject({
      object: 'chat.completion',
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: 'see',
            refusal: null,
            tool_calls: [{ id: 'a', type: 'function', function: { name: 'get', arguments: '{}' } }],
          },
          finish_reason: 'tool_calls',
        },
      ],
      usage: { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 },
    });
  });

  it('is the error when one occurs in the middle', () => {
    const error = { type: 'overloaded', message: 'busy' };
    const answer = answerOf(request, [text('see')], { stop: 'error', error });
    const { status, body } = openaiChat.whole(answer.generation, contextOf(answer));
    expect([status, body]).toEqual([
      503,
      {
        error: {
          message: 'busy',
          type: 'service_unavailable_error',
          param: null,
          code: 'server_is_overloaded',
        },
      },
    ]);
  });
});
