/** The note about a server that refuses every request. */
import { describe, expect, it } from 'vitest';
import type { Json, TraceEvent } from '../../../src/kit/base/index.ts';
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
