/** The note about a server that refuses every request. */
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject, TraceEvent } from '../../../src/kit/base/index.ts';
import { refusalNote } from './refusals.ts';

const event = (
  stream: string,
  kind: TraceEvent['kind'],
  data: { readonly [name: string]: Json },
): TraceEvent => ({
  ...{ seq: 0, at: 0, wire: 'llm', conn: stream, stream, kind, data },
  ...(kind === 'open' ? { from: 'prober', to: 'target' } : { from: 'target', to: 'prober' }),
});

/** One request and its answer. */
const exchange = (method: string, status: number, error = 'no'): readonly TraceEvent[] => [
  event('s', 'open', { ':method': method }),
  event('s', 'headers', { ':status': String(status) }),
  event('s', 'message', { data: { error } }),
];

describe('the note about refusals', () => {
  it('names the number, the first status and body, and advises on the key', () => {
    expect(refusalNote([exchange('GET', 200), exchange('POST', 401, 'bad key'), exchange('POST', 400)])).toBe(
      'the server refused all 2 requests; the first answer was 401 {"error":"bad key"}; give an API key: --token-env NAME, or operator.token_env',
    );
  });

  const asked = (body: JsonObject, status: number): readonly TraceEvent[] => [
    event('s', 'open', { ':method': 'POST', ':path': '/v1/chat/completions' }),
    { ...event('s', 'message', { body }), from: 'prober', to: 'target' },
    event('s', 'headers', { ':status': String(status) }),
    event('s', 'message', { data: { error: { message: 'broken' } } }),
  ];
  const body = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] };
  const stream = { ...body, stream: true };

  it('says that every request was answered with the failure of the server', () => {
    expect(refusalNote([asked(body, 500), asked(stream, 500)])).toBe(
      'every request was answered with 500: {"error":{"message":"broken"}}; the log of the server may say why',
    );
  });

  it('says that every stream was, though whole answers come, and wrong requests are refused', () => {
    const wrong = asked({ ...stream, messages: 17 }, 400);
    const unknown = asked({ ...stream, model: 'wireproof-no-such-model' }, 404);
    const notes = refusalNote([asked(body, 200), asked(stream, 500), asked(stream, 500), wrong, unknown]);
    expect(notes).toContain('every request for a stream was answered with 500: {"error"');
    expect(refusalNote([asked(body, 200), wrong, unknown])).toBeUndefined();
    expect(refusalNote([asked(stream, 200), asked(stream, 500)])).toBeUndefined();
  });

  it('says why no request got an answer, such as from a port that speaks no HTTP', () => {
    const ended = (message: string): readonly TraceEvent[] => [
      event('s', 'open', { ':method': 'POST' }),
      event('s', 'end', { code: 13, message }),
    ];
    expect(refusalNote([ended('the bytes are not HTTP'), ended('')])).toBe(
      'no request got an answer; the first connection ended so: the bytes are not HTTP; is this the port of the model server?',
    );
    expect(refusalNote([ended('the bytes are not HTTP'), exchange('POST', 200)])).toBeUndefined();
  });

  it('advises on the model', () => {
    expect(refusalNote([exchange('POST', 404)])).toContain('name a model (--model NAME)');
  });

  it.each([
    ['one request was answered', [exchange('POST', 401), exchange('POST', 200)]],
    ['nothing was asked', [exchange('GET', 404)]],
    ['nothing was answered', [[event('s', 'open', { ':method': 'POST' })]]],
  ])('there is none when %s', (_, traces) => {
    expect(refusalNote(traces)).toBeUndefined();
  });
});
