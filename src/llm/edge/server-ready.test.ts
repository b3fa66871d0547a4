/** The wait for a server that loads its model: llama.cpp, tools/server/README.md, GET /health: 503 while the model loads. */
import { describe, expect, it } from 'vitest';
import type { Dial } from '../../kit/world/index.ts';
import { untilLoaded } from './server-ready.ts';

const nothing = (): void => {};

/** Answers each request with the next status; undefined loses the connection. Further ones get the last. */
function server(...statuses: readonly (string | undefined)[]): { readonly dial: Dial; asked: number } {
  const here: { dial: Dial; asked: number } = {
    asked: 0,
    dial: ({ metadata }, events) => {
      const status = statuses[Math.min(here.asked++, statuses.length - 1)];
      expect(metadata[':path']).toBe('/v1/models');
      return {
        conn: 'c1',
        stream: 's1',
        headers: nothing,
        send: () => true,
        close: nothing,
        pause: nothing,
        resume: nothing,
        halfClose: () =>
          queueMicrotask(() => {
            if (status !== undefined) events.headers({ ':status': status });
            events.ended({ code: 0, message: '' });
          }),
      };
    },
  };
  return here;
}

const signal = new AbortController().signal;
const waiting = { patience: 60_000, signal };

describe('a server that listens', () => {
  it('is waited for while it answers 503, and the report says so', async () => {
    const loading = server('503', '503', '200');
    expect(await untilLoaded(loading.dial, '/v1/models', waiting)).toMatch(/answered 503 at \/v1\/models/);
    expect(loading.asked).toBe(3);
  });

  it.for([['200'], ['401'], ['404'], [undefined]])('is not waited for: %s', async ([status]) => {
    const one = server(status);
    expect(await untilLoaded(one.dial, '/v1/models', waiting)).toBeUndefined();
    expect(one.asked).toBe(1);
  });

  it('is not waited for beyond the patience', async () => {
    const stuck = server('503');
    await untilLoaded(stuck.dial, '/v1/models', { patience: 0, signal });
    expect(stuck.asked).toBeLessThan(4);
  });

  it('is not waited for after an interrupt', async () => {
    const stuck = server('503');
    await untilLoaded(stuck.dial, '/v1/models', { patience: 60_000, signal: AbortSignal.abort() });
    expect(stuck.asked).toBe(1);
  });
});
