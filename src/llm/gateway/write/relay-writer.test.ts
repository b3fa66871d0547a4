/** An answer in the client's own dialect: what passes, and what the gateway adds where the provider does not end it. */
import { expect, test } from 'vitest';
import { exactJsonOf } from '../../../kit/base/index.ts';
import { frameText } from '../../dialects/shared/frame.ts';
import type { GatewayDialect } from '../dialects.ts';
import { RelayWriter } from './relay-writer.ts';

const writer = (dialect: GatewayDialect): RelayWriter =>
  new RelayWriter({ dialect, id: (prefix) => `${prefix}1` });

// LLM-G47: unknown members pass; RFC 8259, 6: the digits of a number are those that came.
test('a unit passes with its name, its unknown members and all digits of its numbers', () => {
  const data = exactJsonOf('{"type":"kit_noise","x":[18446744073709551615]}');
  const [unit] = writer('anthropic').take({
    do: 'raw',
    unit: { event: 'kit_noise', data },
    pieces: [],
  });
  expect(unit && frameText('sse', unit, 'lf')).toBe(
    'event: kit_noise\ndata: {"type":"kit_noise","x":[18446744073709551615]}\n\n',
  );
});

// HTML Living Standard, 9.2.6: an event without a name is a message.
test('a unit without a name gets none', () => {
  expect(
    writer('openai-chat').take({ do: 'raw', unit: { event: 'message', data: '[DONE]' }, pieces: [] }),
  ).toEqual([{ data: '[DONE]' }]);
});

// OpenAI API, Chat Completions, Streaming: "terminated by a data: [DONE] message".
test('a whole stream of Chat Completions gets its [DONE], once', () => {
  const one = writer('openai-chat');
  one.take({ do: 'raw', unit: { data: { choices: [] } }, pieces: [] });
  expect(one.take({ do: 'terminal' })).toEqual([{ data: '[DONE]' }]);
  const other = writer('openai-chat');
  other.take({ do: 'raw', unit: { data: '[DONE]' }, pieces: [] });
  expect(other.take({ do: 'terminal' })).toEqual([]);
});

// The forms of errors in mid-stream: Anthropic API, Errors; OpenAI API, Streaming events, error; Ollama API, Errors.
test.each<[GatewayDialect, object]>([
  ['anthropic', { event: 'error', data: { type: 'error', error: { message: 'gone' } } }],
  ['openai-chat', { data: { error: { message: 'gone' } } }],
  ['openai-responses', { event: 'error', data: { type: 'error', message: 'gone', sequence_number: 8 } }],
  ['ollama', { data: { error: 'gone' } }],
])(
  '%s: an error of the gateway has the form of the dialect, and that of the provider passes',
  (dialect, form) => {
    const error = { type: 'server', status: 502, message: 'gone' };
    const one = writer(dialect);
    one.take({ do: 'raw', unit: { data: { sequence_number: 7 } }, pieces: [] });
    expect(one.fail(error)).toMatchObject([form]);
    expect(one.over).toBe(true);
    const own = { event: 'error', data: { x: 1 } };
    expect(writer(dialect).fail(error, own)).toMatchObject([own]);
  },
);
