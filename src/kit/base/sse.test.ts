/** Server-sent events, by the rules and the examples of WHATWG HTML, "Parsing an event stream". */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SseParser } from './sse.ts';
import type { SseEvent } from './sse.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

const parse = (input: string | Uint8Array, limit = 1000): readonly SseEvent[] =>
  new SseParser(limit).push(typeof input === 'string' ? bytes(input) : input);

const data = (input: string): readonly string[] => parse(input).map((event) => event.data);

/** The same bytes, cut into pieces of these sizes, over and over. */
function inPieces(
  input: Uint8Array,
  sizes: readonly number[],
  limit = 1000,
): { events: SseEvent[]; over: boolean } {
  const parser = new SseParser(limit);
  const events: SseEvent[] = [];
  for (let at = 0, n = 0; at < input.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    events.push(...parser.push(input.subarray(at, at + size)));
    at += size;
  }
  return { events, over: parser.overflowed };
}

describe('the examples of the specification', () => {
  test('data lines of one event are joined by line feeds', () => {
    expect(data('data: YHOO\ndata: +2\ndata: 10\n\n')).toEqual(['YHOO\n+2\n10']);
  });

  test('a comment, an id, and a leading space: only one space is dropped', () => {
    const stream =
      ': test stream\n\ndata: first event\nid: 1\n\ndata:second event\nid\n\ndata:  third event\n\n';
    expect(data(stream)).toEqual(['first event', 'second event', ' third event']);
  });

  test('a data line without a value is data, and what has no empty line behind it is dropped', () => {
    expect(data('data\n\ndata\ndata\n\ndata:')).toEqual(['', '\n']);
  });

  test('with and without the space after the colon it is the same', () => {
    expect(data('data:test\n\ndata: test\n\n')).toEqual(['test', 'test']);
  });
});

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

describe('what the specification says of each', () => {
  for (const [name, text, events] of cases) {
    for (const [ending, written] of [
      ['LF', text],
      ['CRLF', text.replaceAll('\n', '\r\n')],
      ['CR', text.replaceAll('\n', '\r')],
    ] as const) {
      test(`${name}, with ${ending}: the same whole and byte by byte`, () => {
        expect(parse(written)).toEqual(events);
        expect(inPieces(bytes(written), [1]).events).toEqual(events);
      });
    }
  }
});

describe('the rules', () => {
  test('the event name stands for its event only; without one it is message', () => {
    expect(parse('event: ping\ndata: 1\n\ndata: 2\n\n')).toEqual([
      { event: 'ping', data: '1' },
      { event: 'message', data: '2' },
    ]);
  });

  test('an event without data is none, and its name is forgotten', () => {
    expect(parse('event: ping\n\ndata: 1\n\n')).toEqual([{ event: 'message', data: '1' }]);
  });

  test('other fields, also those that only begin like one, are read over', () => {
    expect(parse('database: 1\nevents: 2\nretry: 3\nx\n DATA: 4\ndata: 5\n\n')).toEqual([
      { event: 'message', data: '5' },
    ]);
  });

  test.each([
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ])('%s ends a line', (_name, end) => {
    expect(parse(`event: a${end}data: 1${end}data: 2${end}${end}`)).toEqual([{ event: 'a', data: '1\n2' }]);
  });

  test('a line that ends with CR is there at once, without waiting whether LF follows', () => {
    const parser = new SseParser(1000);
    expect(parser.push(bytes('data: 1\r\r'))).toEqual([{ event: 'message', data: '1' }]);
    expect(parser.push(bytes('\ndata: 2\r'))).toEqual([]);
    expect(parser.push(bytes('\n\r\n'))).toEqual([{ event: 'message', data: '2' }]);
  });

  test('one byte order mark at the start is dropped, others are content', () => {
    expect(data('\uFEFFdata: \uFEFFx\n\n')).toEqual(['\uFEFFx']);
    expect(data('\uFEFF\uFEFFdata: 1\n\n')).toEqual([]);
  });

  test('bytes that are no UTF-8 become U+FFFD', () => {
    expect(parse(new Uint8Array([...bytes('data: '), 0xe2, 0x82, 0x0a, 0x0a]))[0]?.data).toBe('\uFFFD');
  });
});

describe('limits', () => {
  test('a line beyond the limit ends the reading; what came before it is given', () => {
    const parser = new SseParser(20);
    expect(parser.push(bytes(`data: 1\n\ndata: ${'x'.repeat(20)}\n\ndata: 2\n\n`))).toEqual([
      { event: 'message', data: '1' },
    ]);
    expect(parser.overflowed).toBe(true);
    expect(parser.push(bytes('data: 3\n\n'))).toEqual([]);
  });

  test.each(['data: 12345\n', 'data\n'])('an endless run of %j is too large some day', (line) => {
    const parser = new SseParser(100);
    for (let i = 0; i < 200; i++) parser.push(bytes(line));
    expect(parser.overflowed).toBe(true);
  });

  test.each(['data: '.padEnd(400, 'x'), 'data: 1234567890\n'.repeat(20), ':'.repeat(400)])(
    'an event beyond the limit stops the reading, byte by byte as well: %j',
    (text) => {
      const parser = new SseParser(100);
      expect([...bytes(text)].flatMap((one) => parser.push(Uint8Array.of(one)))).toEqual([]);
      expect(parser.overflowed).toBe(true);
      expect(parser.push(bytes('\n\ndata: 1\n\n'))).toEqual([]);
    },
  );

  test.each([': nothing\n', ': nothing\n\n'])('an endless run of %j is not', (comment) => {
    const parser = new SseParser(100);
    for (let i = 0; i < 1000; i++) parser.push(bytes(comment));
    expect(parser.overflowed).toBe(false);
    expect(parser.push(bytes('data: 1\n\n'))).toHaveLength(1);
  });

  test('a line that never ends is refused without being kept', () => {
    const parser = new SseParser(100);
    for (let i = 0; i < 400; i++) parser.push(bytes('x'));
    expect(parser.overflowed).toBe(true);
  });
});

const fragment = fc.oneof(
  fc.constantFrom(
    'data: ',
    'data:',
    'data',
    'event: ',
    ': ',
    '\n',
    '\r',
    '\r\n',
    '\n\n',
    '\uFEFF',
    'é',
    '😀',
    'x',
  ),
  fc.string({ maxLength: 8 }),
);
const stream = fc.array(fragment, { maxLength: 40 }).map((parts) => bytes(parts.join('')));
const anyBytes = fc.oneof(stream, fc.uint8Array({ maxLength: 60 }));
const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 });

test('any cutting gives the same events, and the same overflow', () => {
  fc.assert(
    fc.property(anyBytes, sizes, fc.integer({ min: 4, max: 60 }), (input, cuts, limit) => {
      expect(inPieces(input, cuts, limit)).toEqual(inPieces(input, [Math.max(1, input.length)], limit));
    }),
    { numRuns: 2000 },
  );
});

test('CR, CRLF and LF give the same events', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('data: a', 'data:', 'event: b', ': c', '', '')), (lines) => {
      const [lf, crlf, cr] = ['\n', '\r\n', '\r'].map((end) =>
        parse(lines.map((line) => line + end).join('')),
      );
      expect(crlf).toEqual(lf);
      expect(cr).toEqual(lf);
    }),
  );
});

test('a long event in one-byte pieces costs no more than its length', () => {
  const parser = new SseParser(1 << 20);
  const piece = bytes('x');
  parser.push(bytes('data: '));
  for (let i = 0; i < 300_000; i++) parser.push(piece);
  expect(parser.push(bytes('\n\n'))[0]?.data).toHaveLength(300_000);
});
