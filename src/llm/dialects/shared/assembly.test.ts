/** The rules that the decoders of all dialects share. */
import { describe, expect, test } from 'vitest';
import { Assembly, endedEarly } from './assembly.ts';

describe('calls', () => {
  test('are calls when their arguments are over and an object', () => {
    const assembly = new Assembly();
    const call = assembly.call('c1', 'run');
    assembly.input(call, '{"a"');
    assembly.input(call, ':1}');
    expect(assembly.whole(call)).toBe('call');
    expect(assembly.decoded().response.toolCalls).toEqual([{ id: 'c1', name: 'run', input: { a: 1 } }]);
    expect(assembly.drain().map((event) => event.type)).toEqual([
      'tool_start',
      'tool_input',
      'tool_input',
      'tool_call',
    ]);
    expect(assembly.drain()).toEqual([]);
  });

  test('are refused without a warning when their arguments are not JSON', () => {
    const assembly = new Assembly();
    const call = assembly.call('c1', 'run');
    assembly.input(call, '{"a"');
    expect(assembly.whole(call)).toBe('no-json');
    expect(assembly.decoded().response).toMatchObject({ toolCalls: [], warnings: [] });
  });

  test('that were cut are open, with their received arguments', () => {
    const assembly = new Assembly();
    const call = assembly.call('c1', 'run');
    assembly.input(call, '{"a"');
    assembly.cut(call);
    expect(assembly.decoded().response.open).toEqual({ id: 'c1', name: 'run', partial: '{"a"' });
  });

  test('that came as a value are refused together with their text', () => {
    const assembly = new Assembly();
    assembly.given({ id: 'c1', name: 'run' }, { a: 1 }, { kind: 'number', message: 'too large' });
    assembly.given({ id: 'c2', name: 'run' }, [1], undefined);
    assembly.given({ id: 'c3', name: 'run' }, {}, undefined);
    expect(assembly.decoded().response.toolCalls).toEqual([{ id: 'c3', name: 'run', input: {} }]);
    expect(assembly.decoded().response.warnings).toHaveLength(2);
  });
});

describe('usage', () => {
  test('is replaced, never added up (C13); invalid counts are ignored', () => {
    const assembly = new Assembly();
    assembly.usage({ inputTokens: 10, outputTokens: 1 });
    assembly.usage({ outputTokens: 5, cacheReadTokens: -1, thinkingTokens: 1.5, cacheWriteTokens: 'x' });
    expect(assembly.decoded().response.metadata.usage).toEqual({ inputTokens: 10, outputTokens: 5 });
  });

  test('that never came is absent', () => {
    const assembly = new Assembly();
    assembly.usage({ cacheReadTokens: 5 });
    expect(assembly.decoded().response.metadata).not.toHaveProperty('usage');
  });
});

describe('the stop reason', () => {
  test.each([
    ['max_tokens', 'tool_use', 'max_tokens'],
    ['tool_use', 'max_tokens', 'max_tokens'],
    ['context_window', 'tool_use', 'context_window'],
    ['tool_use', 'end_turn', 'end_turn'],
  ] as const)('of %s, then %s, is %s: a limit stays a limit (C04)', (first, second, counts) => {
    const assembly = new Assembly();
    assembly.stop(first);
    assembly.stop(second);
    expect(assembly.decoded().response.metadata.stopReason).toBe(counts);
    expect(assembly.decoded().response.warnings).toHaveLength(1);
  });

  test('is error after an error, and unknown without a reason', () => {
    const assembly = new Assembly();
    expect(assembly.decoded().response.metadata.stopReason).toBe('unknown');
    assembly.stop('end_turn');
    assembly.fail(endedEarly('clean', 'the end'));
    expect(assembly.decoded().response.metadata.stopReason).toBe('error');
  });
});

test('the first error counts, and nothing is added after it', () => {
  const assembly = new Assembly();
  assembly.text('a');
  assembly.refuse('first');
  assembly.refuse('second');
  assembly.text('b');
  const call = assembly.call('c1', 'run');
  call.partial = '{}';
  expect(assembly.whole(call)).toBe('refused');
  expect(assembly.decoded()).toMatchObject({
    response: { content: 'a', toolCalls: [] },
    error: { kind: 'protocol', message: 'first', retryable: false },
  });
});

describe('limits', () => {
  test('hold for text, thoughts and arguments together', () => {
    const assembly = new Assembly(300);
    assembly.text('x'.repeat(100));
    assembly.think('x'.repeat(36));
    expect(assembly.error).toBeUndefined();
    assembly.input(assembly.call('c1', 'run'), 'x'.repeat(100));
    expect(assembly.error?.message).toMatch(/at most 300 characters/);
  });

  test('also hold for parts without characters', () => {
    const assembly = new Assembly(10_000);
    for (let i = 0; i < 1000; i++) assembly.thought();
    expect(assembly.error?.kind).toBe('protocol');
  });

  test('hold for warnings: at most a hundred are kept', () => {
    const assembly = new Assembly();
    for (let i = 0; i < 1000; i++) assembly.warn(`warning ${i}`);
    expect(assembly.decoded().response.warnings).toHaveLength(100);
  });
});

test('thoughts and their signatures are kept in order', () => {
  const assembly = new Assembly();
  assembly.thought();
  assembly.think('a');
  assembly.sign('s1');
  assembly.thought();
  assembly.think('b');
  expect(assembly.decoded().response.thinking).toEqual([{ text: 'a', signature: 's1' }, { text: 'b' }]);
});

test('the error of a body that ended early names the end and the missing terminal (C06)', () => {
  expect(endedEarly('clean', '[DONE]')).toMatchObject({ kind: 'truncated-stream', retryable: true });
  expect(endedEarly('reset', '[DONE]')).toMatchObject({
    kind: 'connection',
    message: expect.stringContaining('[DONE]'),
  });
});
