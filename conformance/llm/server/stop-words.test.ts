/** The stop words of the lists, and the note about beta ones. */
import { expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { betaNote, stageOf } from './stop-words.ts';

/** A trace of a whole answer of Anthropic's with a stop reason. */
const stopped = (word: string): readonly TraceEvent[] => {
  const message: JsonObject = {
    ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'm', content: [] },
    ...{ stop_reason: word, stop_sequence: null, usage: { input_tokens: 1, output_tokens: 1 } },
  };
  const sent: readonly (readonly [string, TraceEvent['kind'], JsonObject])[] = [
    ['client', 'open', { ':carrier': 'http', ':method': 'POST', ':path': '/v1/messages' }],
    [
      'client',
      'message',
      { body: { model: 'm', max_tokens: 9, messages: [{ role: 'user', content: 'Hi' }] } },
    ],
    ['target', 'headers', { ':status': '200', 'content-type': 'application/json' }],
    ['target', 'message', { data: message }],
    ['target', 'end', { code: 0, message: '' }],
  ];
  return sent.map(([from, kind, data], seq) => {
    const to = from === 'target' ? 'client' : 'target';
    return { seq, at: seq, wire: 'llm', conn: 'c1', stream: 's1', from, to, kind, data };
  });
};

// @anthropic-ai/sdk 1.14: StopReason of messages, and BetaStopReason.
it('has the stage of each stop word: only the beta namespace of the SDK has compaction', () => {
  expect(stageOf('anthropic', 'end_turn')).toBe('stable');
  expect(stageOf('anthropic', 'compaction')).toBe('beta');
  expect(stageOf('anthropic', 'tool_calls')).toBeUndefined();
  expect(stageOf('openai-chat', 'tool_calls')).toBe('stable');
});

it('names the beta stop words that came, and says nothing of stable ones', () => {
  expect(betaNote([stopped('end_turn'), stopped('compaction')])).toContain(
    'the stop reason compaction is a beta word',
  );
  expect(betaNote([stopped('end_turn'), stopped('whatever')])).toBeUndefined();
});
