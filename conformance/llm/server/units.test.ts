/** The units in traces that replace the bytes of an answer. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Metadata } from '../../../src/kit/base/index.ts';
import type { LinkEvents } from '../../../src/kit/world/index.ts';
import { blockSplitter } from './blocks.ts';
import type { Framing } from './blocks.ts';
import { readBlock, unitWire } from './units.ts';

/** The units of a body that comes in these pieces. */
function shown(
  headers: Metadata,
  pieces: readonly Uint8Array[],
  ending: 'clean' | 'reset' = 'clean',
): unknown[] {
  const wire = unitWire();
  const all: unknown[] = [];
  let inner: LinkEvents | undefined;
  const link = {
    conn: 'c1',
    stream: 's1',
    headers() {},
    send: () => true,
    halfClose() {},
    close() {},
    pause() {},
    resume() {},
  };
  const events: LinkEvents = {
    headers() {},
    message(bytes) {
      const read = wire.codec.decode(bytes);
      all.push(read.ok ? read.value.message : read.error.code);
    },
    halfClose() {},
    ended: () => all.push('over'),
    drained() {},
    ping() {},
  };
  wire.dial((_, outer) => ((inner = outer), link))({ metadata: { ':carrier': 'http' } }, events);
  inner?.headers(headers);
  for (const piece of pieces) inner?.message(piece);
  inner?.ended(ending === 'clean' ? { code: 0, message: '' } : undefined);
  return all;
}

const bytes = (text: string): Buffer => Buffer.from(text, 'utf8');
const sse: Metadata = { ':status': '200', 'content-type': 'text/event-stream; charset=utf-8' };
const ndjson: Metadata = { ':status': '200', 'content-type': 'application/x-ndjson' };

describe('the units of a body', () => {
  it('are events, with names, comments and data over several lines (HTML standard, 9.2.6)', () => {
    const body = ': hi\n\nevent: ping\ndata: {"a":\ndata: 1}\n\nid: 7\n\ndata:[DONE]\n\n';
    expect(shown(sse, [bytes(body)])).toEqual([
      { comment: 'hi' },
      { event: 'ping', data: { a: 1 } },
      { data: '[DONE]' },
      'over',
    ]);
  });

  it('are the same with each of the line ends, and after a byte order mark', () => {
    const body = '\uFEFFdata: {"a":1}\n\nevent: b\ndata: 2\n\n';
    const expected = [{ data: { a: 1 } }, { event: 'b', data: 2 }, 'over'];
    for (const end of ['\n', '\r\n', '\r'])
      expect(shown(sse, [bytes(body.replaceAll('\n', end))])).toEqual(expected);
  });

  it('are lines of NDJSON; the last line may have no line end', () => {
    expect(shown(ndjson, [bytes('{"a":1}\r\n\n{"b":2}')])).toEqual([
      { data: { a: 1 } },
      { data: { b: 2 } },
      'over',
    ]);
  });

  it('are the same for any chunking of the bytes', () => {
    const line = fc.constantFrom(
      'data: {"a":"é☃"}',
      'event: x',
      ': c',
      '',
      'data: [1',
      'data: ]',
      '{"a":1}',
      'é',
    );
    const end = fc.constantFrom('\n', '\r\n', '\r');
    const cases = fc.tuple(
      fc.constantFrom(sse, ndjson),
      fc.array(fc.tuple(line, end).map((pair) => pair.join(''))).map((lines) => bytes(lines.join(''))),
      fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
    );
    fc.assert(
      fc.property(cases, ([headers, body, sizes]) => {
        const pieces: Uint8Array[] = [];
        for (let from = 0, i = 0; from < body.length; i++) {
          const size = sizes[i % sizes.length] ?? 1;
          pieces.push(body.subarray(from, from + size));
          from += size;
        }
        expect(shown(headers, pieces)).toEqual(shown(headers, [body]));
      }),
    );
  });

  it('are undecodable when they are not UTF-8 or not JSON', () => {
    expect(shown(sse, [Buffer.from('data: "\xE9"\n\n', 'latin1'), bytes("data: {'a': 1}\n\n")])).toEqual([
      'not-utf8',
      'not-json',
      'over',
    ]);
  });

  it('are incomplete when the body ends inside them', () => {
    expect(shown(sse, [bytes('data: 1\n\ndata: 2\n')])).toEqual([{ data: 1 }, 'cut', 'over']);
    expect(shown(ndjson, [bytes('{"a":1}\n{"b"')], 'reset')).toEqual([{ data: { a: 1 } }, 'cut', 'over']);
    expect(shown(ndjson, [bytes('{"a":1}\n{"b"')])).toEqual([{ data: { a: 1 } }, 'not-json', 'over']);
  });

  it('are recognised by their first byte when the content type is unknown', () => {
    const plain: Metadata = { ':status': '200', 'content-type': 'text/plain' };
    expect(shown(plain, [bytes('data: 1\n\n')])).toEqual([{ data: 1 }, 'over']);
    expect(shown(plain, [bytes('{"a":1}\n{"b":2}\n')])).toEqual([
      { data: { a: 1 } },
      { data: { b: 2 } },
      'over',
    ]);
  });

  it('are one body when the request was refused, with any content type', () => {
    expect(shown({ ...sse, ':status': '400' }, [bytes('{"error":\n\n{}}')])).toEqual([
      { data: { error: {} } },
      'over',
    ]);
  });
});

describe('a splitter of blocks', () => {
  it('returns no more blocks after a block beyond the limit', () => {
    for (const cutting of ['sse', 'ndjson', 'whole'] satisfies Framing[]) {
      const cutter = blockSplitter(cutting, 10);
      expect(cutter.push(bytes('data: 12345678901234567890'))).toEqual([]);
      expect(cutter.overflowed).toBe(true);
      expect(cutter.push(bytes('\n\ndata: 1\n\n'))).toEqual([]);
      expect(cutter.end()).toBeUndefined();
    }
  });

  it('leaves out empty blocks', () => {
    expect(blockSplitter('sse', 100).push(bytes('\n\n\r\n\n'))).toEqual([]);
    expect(readBlock('sse', bytes('event: nothing\n\n'))).toBeUndefined();
  });
});
