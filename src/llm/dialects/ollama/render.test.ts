/** The form of Ollama's responses: llm.md, "Ollama (a) to (e)". */
import { describe, expect, test } from 'vitest';
import type { Generation, Variants } from '../../messages.ts';
import {
  call,
  cut,
  generationOf,
  plainContext,
  text,
  thought,
  unitsFor,
} from '../shared/dialect.test-helper.ts';
import { frameUnit } from '../shared/frame.ts';
import { ollama } from './index.ts';

const lines = (generation: Generation, variants?: Variants): readonly unknown[] =>
  unitsFor(ollama, generation, variants).map((unit) => unit.data);

const head = { model: 'wireproof-1', created_at: '2026-01-02T03:04:05.000Z' };

describe('(a) text', () => {
  test('one line per piece, then a line with done, the reason, counts and durations', () => {
    expect(lines(generationOf([text('Hel', 'lo')]))).toEqual([
      { ...head, message: { role: 'assistant', content: 'Hel' }, done: false },
      { ...head, message: { role: 'assistant', content: 'lo' }, done: false },
      {
        ...head,
        message: { role: 'assistant', content: '' },
        done: true,
        done_reason: 'stop',
        total_duration: expect.any(Number),
        load_duration: expect.any(Number),
        prompt_eval_count: 12,
        prompt_eval_duration: expect.any(Number),
        eval_count: 7,
        eval_duration: expect.any(Number),
      },
    ]);
  });

  test('zero counts are omitted', () => {
    const [last] = lines(generationOf([], { usage: { inputTokens: 3, outputTokens: 0 } }));
    expect(last).toMatchObject({ prompt_eval_count: 3 });
    expect(last).not.toHaveProperty('eval_count');
  });

  test('a limit is `length`', () => {
    expect(lines(generationOf([text('a')], { stop: 'max_tokens' })).at(-1)).toMatchObject({
      done_reason: 'length',
    });
  });
});

test('(b) thoughts are in `message.thinking`', () => {
  expect(lines(generationOf([thought('c2ln', 'hm'), text('a')]))[0]).toMatchObject({
    message: { role: 'assistant', content: '', thinking: 'hm' },
  });
});

describe('(c) calls', () => {
  test('come whole in one line, then `stop`', () => {
    const parts = [call('call_1', 'look', '{"a"', ':1}'), call('call_2', 'look', '{}')];
    const [first, second, last, ...others] = lines(generationOf(parts, { stop: 'tool_use' }));
    expect(first).toMatchObject({
      message: { tool_calls: [{ id: 'call_1', function: { index: 0, name: 'look', arguments: { a: 1 } } }] },
      done: false,
    });
    expect(second).toMatchObject({ message: { tool_calls: [{ id: 'call_2', function: { index: 1 } }] } });
    expect(last).toMatchObject({ done: true, done_reason: 'stop' });
    expect(others).toEqual([]);
  });

  test('with a number that a double cannot hold are sent unchanged, in one line', () => {
    const parts = [call('call_1', 'look', '{\n"id": 9007199254740993}')];
    const [unit] = unitsFor(ollama, generationOf(parts, { stop: 'tool_use' }));
    const line = new TextDecoder().decode(frameUnit('ndjson', unit ?? { data: null }, 'lf'));
    expect(line).toContain('"arguments":{ "id": 9007199254740993}');
    expect(line.indexOf('\n')).toBe(line.length - 1);
    expect(JSON.parse(line)).toMatchObject({ message: { tool_calls: [{ function: { name: 'look' } }] } });
  });
});

describe('(d) a call that was cut', () => {
  const parts = [text('a'), cut(call('call_1', 'write', '{"title":"x'))];
  const generation = generationOf(parts, { stop: 'max_tokens', cutCall: true });
  const done = expect.objectContaining({ done: true, done_reason: 'length' });

  test('is silently dropped', () => {
    expect(lines(generation).slice(1)).toEqual([done]);
  });

  test('leaks as content', () => {
    const leaked = '{"name": "write", "arguments": {"title":"x';
    expect(lines(generation, { ollama: 'leaked' }).slice(1)).toEqual([
      expect.objectContaining({ message: { role: 'assistant', content: leaked } }),
      done,
    ]);
  });

  test('is flushed if it parses, else dropped', () => {
    expect(lines(generation, { ollama: 'flushed' }).slice(1)).toEqual([done]);
    const whole = generationOf([cut(call('call_1', 'write', '{"a":1}'))], { stop: 'max_tokens' });
    expect(lines(whole, { ollama: 'flushed' })).toEqual([
      expect.objectContaining({
        message: {
          role: 'assistant',
          content: '',
          tool_calls: [{ id: 'call_1', function: { index: 0, name: 'write', arguments: { a: 1 } } }],
        },
      }),
      done,
    ]);
  });

  test('is an error line, and no done', () => {
    expect(lines(generation, { ollama: 'error-line' }).slice(1)).toEqual([
      { error: expect.stringMatching(/^error parsing tool call/) },
    ]);
  });

  test('is HTTP 500 if nothing was sent, else an error line', () => {
    const variants = { ollama: 'error-500' } as const;
    const alone = generationOf([cut(call('call_1', 'write', '{"title":"x'))], { stop: 'max_tokens' });
    expect(ollama.instead?.(alone, plainContext('ollama', alone, variants))).toMatchObject({
      status: 500,
      body: { error: expect.stringMatching(/^error parsing tool call/) },
    });
    expect(ollama.instead?.(generation, plainContext('ollama', generation, variants))).toBeUndefined();
    expect(lines(generation, variants).at(-1)).toEqual({ error: expect.any(String) });
  });

  test('in a response that is not streamed, is dropped or HTTP 500', () => {
    expect(ollama.whole(generation, plainContext('ollama', generation))).toMatchObject({
      status: 200,
      body: { message: { role: 'assistant', content: 'a' }, done: true, done_reason: 'length' },
    });
    const failed = ollama.whole(generation, plainContext('ollama', generation, { ollama: 'error-500' }));
    expect(failed).toMatchObject({ status: 500, body: { error: expect.any(String) } });
  });
});

describe('signals', () => {
  const end = { stop: 'max_tokens' } as const;

  test('lying: `stop`, the reason of a tool call', () => {
    const all = lines(generationOf([text('a')], { ...end, signal: 'lying' }));
    expect(all.at(-1)).toMatchObject({ done: true, done_reason: 'stop' });
  });

  test('missing: no line with done', () => {
    expect(lines(generationOf([text('a')], { ...end, signal: 'missing' }))).toHaveLength(1);
  });

  test('contradictory: two reasons, one of them before the end', () => {
    const all = lines(generationOf([text('a')], { ...end, signal: 'contradictory' }));
    expect(all.slice(-2)).toMatchObject([
      { done: false, done_reason: 'stop' },
      { done: true, done_reason: 'length' },
    ]);
  });
});

describe('(e) errors', () => {
  const error = { type: 'overloaded', message: 'server busy' };

  test('in the stream: an error line under HTTP 200', () => {
    expect(lines(generationOf([text('a')], { stop: 'error', error })).at(-1)).toEqual({
      error: 'server busy',
    });
  });

  test('before the stream: a status and the same object', () => {
    expect(ollama.errorBody(error, 'req_1')).toEqual({
      status: 503,
      headers: {},
      body: { error: 'server busy' },
    });
  });
});
