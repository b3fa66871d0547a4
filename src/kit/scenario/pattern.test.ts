/** The reason of a failed wait names a refusal over HTTP. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, TraceEvent } from '../base/index.ts';
import { awaitFailure, refusalText } from './pattern.ts';

const event = (seq: number, kind: TraceEvent['kind'], data: JsonObject): TraceEvent => ({
  ...{ seq, at: seq, wire: 'x', conn: 'c', stream: 's', from: 'target', to: 'kit' },
  ...{ kind, data },
});

const refused = [
  event(0, 'headers', { ':status': '404' }),
  event(1, 'message', { data: { error: { message: 'no such path' } } }),
  event(2, 'end', { code: 0 }),
];

describe('a refusal over HTTP', () => {
  it('is named with its status and body', () => {
    expect(refusalText('target', refused)).toBe('404 {"error":{"message":"no such path"}}');
    const wait = { await: { from: 'target' }, pattern: { from: 'target' }, within: 5, at: 1, busy: 0 };
    expect(awaitFailure(wait, refused)).toBe(
      'no message came from target within 5 ms (step 1); came 404 {"error":{"message":"no such path"}}',
    );
  });

  it('may have no body', () => {
    expect(refusalText('target', [...refused.slice(0, 1), ...refused.slice(2)])).toBe('404');
  });

  it('is none when a later request was answered', () => {
    expect(refusalText('target', [...refused, event(3, 'headers', { ':status': '200' })])).toBeUndefined();
  });
});
