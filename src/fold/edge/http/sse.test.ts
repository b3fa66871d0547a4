import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SseParser, sseText } from './sse.ts';
import type { SseEvent } from './sse.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function parse(chunks: readonly Uint8Array[], limit = 1 << 20): readonly SseEvent[] {
  const parser = new SseParser(limit);
  return chunks.flatMap((chunk) => parser.push(chunk));
}

const bytewise = (text: string): readonly Uint8Array[] => [...bytes(text)].map((one) => Uint8Array.of(one));

// What the WHATWG's "Interpreting an event stream" says of each.
const cases: readonly (readonly [string, string, readonly SseEvent[]])[] = [
  ['one event', 'event: a\ndata: 1\n\n', [{ event: 'a', data: '1' }]],
  ['no event field', 'data: 1\n\n', [{ event: 'message', data: '1' }]],
  ['lines joined by LF', 'data: 1\ndata: 2\ndata\n\n', [{ event: 'message', data: '1\n2\n' }]],
  ['no space after the colon', 'event:a\ndata:1\n\n', [{ event: 'a', data: '1' }]],
  ['one space only is dropped', 'data:  1\n\n', [{ event: 'message', data: ' 1' }]],
  ['comments', ': hello\nevent: a\n:\ndata: 1\n: x\n\n', [{ event: 'a', data: '1' }]],
  ['unknown fields', 'id: 7\nretry: 10\nfoo\ndata: 1\n\n', [{ event: 'message', data: '1' }]],
  ['no data, no event', 'event: a\n\ndata: 1\n\n', [{ event: 'message', data: '1' }]],
  ['empty data is data', 'data\n\n', [{ event: 'message', data: '' }]],
  ['a byte order mark', '\uFEFFdata: 1\n\n', [{ event: 'message', data: '1' }]],
  ['an unfinished event is none', 'data: 1\n\ndata: 2\n', [{ event: 'message', data: '1' }]],
  ['beyond ASCII', 'event: ü\ndata: \u{1F600}\n\n', [{ event: 'ü', data: '\u{1F600}' }]],
];

describe('a stream of server-sent events', () => {
  for (const [name, text, events] of cases) {
    for (const [ending, written] of [
      ['LF', text],
      ['CRLF', text.replaceAll('\n', '\r\n')],
      ['CR', text.replaceAll('\n', '\r')],
    ] as const) {
      it(`${name}, with ${ending}: the same whole and byte by byte`, () => {
        expect(parse([bytes(written)])).toEqual(events);
        expect(parse(bytewise(written))).toEqual(events);
      });
    }
  }

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

  it('stops at an event beyond its limit, however it comes', () => {
    for (const text of ['data: '.padEnd(200, 'x'), 'data: 1234567890\n'.repeat(20), ':'.repeat(200)]) {
      const parser = new SseParser(100);
      const events = [...bytes(text)].flatMap((one) => parser.push(Uint8Array.of(one)));
      expect(events).toEqual([]);
      expect(parser.overflowed).toBe(true);
      expect(parser.push(bytes('\n\ndata: 1\n\n'))).toEqual([]);
    }
  });

  it('comments without end hold nothing', () => {
    const parser = new SseParser(100);
    for (let i = 0; i < 1000; i++) parser.push(bytes(': still here\n\n'));
    expect(parser.overflowed).toBe(false);
    for (let i = 0; i < 1000; i++) parser.push(bytes(': still here\n'));
    expect(parser.overflowed).toBe(false);
  });
});
