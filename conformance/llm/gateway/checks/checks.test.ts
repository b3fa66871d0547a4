/** Answers that are lawful, though a check by position or by count would blame them. */
import { describe, expect, it } from 'vitest';
import type { TraceEvent } from '../../../../src/kit/base/index.ts';
import type { GatewayDialect, NeutralAnswer } from '../../../../src/llm/gateway/index.ts';
import { sameWords } from '../compare.ts';
import { openAbove, openBelow } from '../exchanges.ts';
import type { GatewayFact } from '../facts.ts';
import type { Answered } from './answered.ts';
import { sameCalls } from './calls.ts';
import { citations, refusal } from './content.ts';
import { difference, twinFacts } from './twins.ts';
import { works } from './works.ts';

const answer = (members: Partial<NeutralAnswer>): NeutralAnswer => ({
  text: '',
  borders: [],
  refusal: '',
  thoughts: [],
  calls: [],
  citations: [],
  starts: 1,
  terminals: 1,
  late: 0,
  ...members,
});

const paths: { readonly [D in GatewayDialect]: string } = {
  anthropic: '/v1/messages',
  'openai-chat': '/v1/chat/completions',
  'openai-responses': '/v1/responses',
  ollama: '/api/chat',
};

const opens = (dialect: GatewayDialect): TraceEvent => ({
  seq: 0,
  at: 0,
  wire: 'client',
  conn: 'c1',
  stream: 's1',
  from: 'client',
  to: 'target',
  kind: 'open',
  data: { ':path': paths[dialect] },
});

/** What a provider said, and what a client heard of it. */
function answeredOf(
  client: GatewayDialect,
  provider: GatewayDialect,
  sent: Partial<NeutralAnswer>,
  heard: Partial<NeutralAnswer>,
): Answered {
  const above = openAbove(opens(client), { case: 'case', claims: {} });
  const below = openBelow(opens(provider));
  if (above === undefined || below === undefined) throw new Error('expected exchanges');
  return { above, below, sent: answer(sent), heard: answer(heard) };
}

const messagesOf = (facts: readonly GatewayFact[]): readonly string[] =>
  facts.flatMap(({ message }) => message ?? []);

// Responses API, message: its content is a list of output_text and refusal, in any order.
describe('a refusal before a text', () => {
  const sent = answer({ text: 'a', refusal: 'no' });

  it('may be heard as text, in its place', () => {
    expect(sameWords(sent, answer({ text: 'noa' }))).toBe(true);
    expect(sameWords(sent, answer({ text: 'ano' }))).toBe(true);
    expect(sameWords(sent, answer({ text: 'no' }))).toBe(false);
    expect(sameWords(sent, answer({ text: 'nonoa' }))).toBe(false);
  });

  it('may be heard in another place in a body', () => {
    const twin = (text: string, streamed: boolean): Parameters<typeof twinFacts>[1] => ({
      sent,
      heard: answer({ text }),
      streamed,
      cut: false,
      noisy: false,
    });
    expect(messagesOf(twinFacts([twin('noa', true)], twin('ano', false)))).toEqual([]);
    expect(messagesOf(twinFacts([twin('noa', true)], twin('a', false)))).toHaveLength(1);
  });

  it('may have the words of the text', () => {
    const twice = answeredOf('ollama', 'openai-responses', { text: 'no', refusal: 'no' }, { text: 'nono' });
    expect(messagesOf(refusal(twice))).toEqual([]);
    const lost = answeredOf('ollama', 'openai-responses', { text: 'a', refusal: 'no' }, { text: 'nonoa' });
    expect(messagesOf(refusal(lost))).toHaveLength(1);
  });
});

// LLM-G10: arguments that are no JSON may come as they are, or no call does.
describe('a call that is no JSON, before one of the same tool', () => {
  const call = (text: string): NeutralAnswer['calls'][number] => ({ name: 'write', text, closed: true });
  const sent = { calls: [call('[1]'), call('{}')] };

  it('may be missing', () => {
    const answered = answeredOf('ollama', 'openai-chat', sent, { calls: [call('{}')] });
    expect(messagesOf(sameCalls(answered))).toEqual([]);
  });

  it('does not stand for the other one', () => {
    const none = answeredOf('ollama', 'openai-chat', sent, { calls: [] });
    expect(messagesOf(sameCalls(none))).toHaveLength(1);
  });
});

// Chat Completions, url_citation: it has places in the text.
it('of a text that was cut before its first character nothing is cited', () => {
  const cited = { citations: [{ url: 'https://example.com' }] };
  const cut = answeredOf('openai-chat', 'openai-responses', cited, {});
  expect(messagesOf(citations(cut))).toEqual([]);
  const lost = answeredOf('openai-chat', 'openai-responses', { ...cited, text: 'a' }, { text: 'a' });
  expect(messagesOf(citations(lost))).toHaveLength(1);
});

// LLM-G07: arguments have integers beyond 2^53. A difference names them with all digits.
it('two answers differ in a call with a long integer', () => {
  const made = (text: string): NeutralAnswer =>
    answer({ calls: [{ name: 'write', text: `{"big":${text}}`, closed: true }] });
  const long = '9007199254740993';
  expect(difference(made(long), made('1'))).toContain(long);
});

// No document says how long a gateway waits for a provider. On a busy machine, the kit's barriers hold one for long.
describe.each([
  ['before its answer', 2000, 2005, 2010],
  ['in its answer', 5, 1005, 1010],
  ['until the client hears an error', 5, 10, 1010],
])('a provider that was silent for a second %s', (_, first, second, heard) => {
  const failed = (most: number): readonly string[] => {
    const error = { type: 'timeout', message: 'the provider said nothing', status: 504 } as const;
    const stop = { reason: 'end_turn', word: 'end_turn' } as const;
    const answered = answeredOf('openai-chat', 'anthropic', { text: 'all', stop }, { terminals: 0, error });
    const { above, below } = answered;
    const event = (at: number, kind: 'headers' | 'message', data: TraceEvent['data']): TraceEvent => ({
      ...opens('anthropic'),
      ...{ at: Math.min(at, most), kind, data },
    });
    below.sent.take(event(first, 'message', {}));
    below.sent.take(event(second, 'message', {}));
    above.heard.take(event(heard, 'headers', { ':status': '200' }));
    return messagesOf(works(answered));
  };

  it('may be given up', () => expect(failed(Infinity)).toEqual([]));
  it('may not be given up earlier', () => expect(failed(500)).toHaveLength(1));
});
