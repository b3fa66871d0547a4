/** What is written as server-sent events comes back from the kit's parser. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseParser } from '../../../kit/base/index.ts';
import type { SseEvent } from '../../../kit/base/index.ts';
import { sseText } from './sse.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function parse(chunks: readonly Uint8Array[]): readonly SseEvent[] {
  const parser = new SseParser(1 << 20);
  return chunks.flatMap((chunk) => parser.push(chunk));
}

describe('a stream of server-sent events', () => {
  it('gives back what was written, wherever it is cut', () => {
    const event = fc.record({ event: fc.stringMatching(/^[a-z_]{1,8}$/), data: fc.jsonValue() });
    fc.assert(
      fc.property(fc.array(event), fc.array(fc.nat(400)), (events, cuts) => {
        const all = bytes(events.map(({ event, data }) => sseText(event, data)).join(''));
        const at = [0, ...cuts.filter((cut) => cut < all.length).sort((a, b) => a - b), all.length];
        const chunks = at.slice(1).map((end, i) => all.subarray(at[i], end));
        expect(parse(chunks)).toEqual(
          events.map(({ event, data }) => ({ event, data: JSON.stringify(data) })),
        );
      }),
    );
  });

  it('a name cannot break out of its line', () => {
    expect(parse([bytes(sseText('a\ndata: forged', 1))])).toEqual([{ event: 'a data: forged', data: '1' }]);
  });
});
