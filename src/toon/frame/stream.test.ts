/** Messages out of streams: whatever the chunks, at every cut the same, and at a cost that is linear. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Framing } from '../../kit/world/index.ts';
import { toonFrames } from '../arbitrary.ts';
import { TOONEncoder } from './encoder.ts';
import { TOONStreamDecoder, toonFraming, toonFramingWith } from './stream.ts';
import type { StreamItem } from './stream.ts';

const encoder = new TOONEncoder({ now: () => 1700000000000 });
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const joined = (...parts: readonly Uint8Array[]): Uint8Array => new Uint8Array(Buffer.concat(parts));

/** A frame that declares so many bytes of payload, and has those that are given. */
function frame(payload: string, { version = 1, type = 6, length = payload.length } = {}): Uint8Array {
  const bytes = Buffer.alloc(18 + payload.length);
  bytes[0] = version;
  bytes[1] = type;
  bytes.writeUInt32LE(length, 2);
  bytes.write(payload, 18, 'latin1');
  return new Uint8Array(bytes);
}

const heartbeat = (id: number): Uint8Array => encoder.encode(6, {}, id);
const over = frame('', { length: 4294967295 });
const ids = (items: readonly StreamItem[]): (number | string)[] =>
  items.map(({ decoded }) => (decoded.ok ? decoded.header.sequenceId : decoded.error.code));

/** What comes of bytes that are cut at these places. */
function cutAt(bytes: Uint8Array, places: readonly number[], decoder = new TOONStreamDecoder()) {
  const edges = [
    0,
    ...places.map((place) => place % (bytes.length + 1)).toSorted((a, b) => a - b),
    bytes.length,
  ];
  const items = edges.slice(1).flatMap((end, i) => decoder.push(bytes.slice(edges[i], end)));
  return { items, decoder };
}

describe('a stream', () => {
  it('gives each message when it is whole (TOON-38), and waits for the rest (TOON-05)', () => {
    const decoder = new TOONStreamDecoder();
    const bytes = joined(heartbeat(1), heartbeat(2));
    expect(ids(decoder.push(bytes.subarray(0, 17)))).toEqual([]);
    expect(decoder.pending).toBe(17);
    expect(ids(decoder.push(bytes.subarray(17, 19)))).toEqual([]);
    expect(ids(decoder.push(bytes.subarray(19, 39)))).toEqual([1]);
    expect(decoder.pending).toBe(19);
    expect(ids(decoder.push(bytes.subarray(39)))).toEqual([2]);
    expect([decoder.pending, decoder.closed, decoder.end()]).toEqual([0, false, undefined]);
  });

  it('gives several of one chunk, each without the bytes behind it', () => {
    const items = new TOONStreamDecoder().push(joined(heartbeat(1), heartbeat(2), heartbeat(3)));
    expect(ids(items)).toEqual([1, 2, 3]);
    expect(items.map(({ decoded }) => decoded.ok && decoded.trailing)).toEqual([0, 0, 0]);
  });

  it('is blind to its chunks', () => {
    const junk = fc.constantFrom(
      frame('xy', { version: 2 }),
      frame('{}', { type: 9 }),
      frame('{', {}),
      frame('', {}),
      frame('{}', { length: 300 }),
      over,
      joined(over.subarray(0, 11)),
    );
    const parts = fc.array(fc.oneof({ weight: 5, arbitrary: toonFrames }, { weight: 1, arbitrary: junk }), {
      maxLength: 6,
    });
    const seen = ({ items, decoder }: ReturnType<typeof cutAt>): unknown => [
      items.map(({ bytes, decoded }) => [hex(bytes), decoded.ok || decoded.error]),
      decoder.pending,
      decoder.closed,
    ];
    fc.assert(
      fc.property(parts, fc.array(fc.nat(), { maxLength: 20 }), (all, places) => {
        const bytes = joined(...all);
        const whole = seen(cutAt(bytes, []));
        expect(seen(cutAt(bytes, places))).toEqual(whole);
        if (bytes.length > 4000) return;
        expect(
          seen(
            cutAt(
              bytes,
              Array.from({ length: bytes.length }, (_, i) => i),
            ),
          ),
        ).toEqual(whole);
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('skips frames of an unknown version or type by their length (TOON-39)', () => {
    const bytes = joined(
      heartbeat(1),
      frame(hex(heartbeat(9)), { version: 2 }),
      frame('Z{}', { type: 77 }),
      heartbeat(2),
    );
    expect(ids(cutAt(bytes, []).items)).toEqual([1, 'bad-version', 'bad-type', 2]);
  });

  it('goes on after a frame whose payload is no message', () => {
    const bytes = joined(frame('{'), heartbeat(1), frame(''), heartbeat(2));
    expect(ids(cutAt(bytes, [5, 20, 33]).items)).toEqual(['bad-json', 1, 'bad-json', 2]);
  });

  it('is closed by a length over the cap: its header is the last frame, and nothing after it is one (TOON-39)', () => {
    const { items, decoder } = cutAt(joined(heartbeat(1), over, heartbeat(2)), []);
    expect(ids(items)).toEqual([1, 'too-large']);
    expect(hex(items[1]?.bytes ?? new Uint8Array())).toBe(hex(over));
    expect([decoder.closed, decoder.pending]).toEqual([true, 0]);
    expect(decoder.push(heartbeat(3))).toEqual([]);
    expect(decoder.end()).toBeUndefined();
  });

  it('of bare JSON is closed with the likely mistake named (TOON-43)', () => {
    const [item] = new TOONStreamDecoder().push(new Uint8Array(Buffer.from('{"instruction":"hi"}\n')));
    expect(item?.decoded).toMatchObject({
      ok: false,
      error: { message: expect.stringContaining('bare JSON') as string },
    });
  });

  it('has a cap of its own where one is set', () => {
    const decoder = new TOONStreamDecoder({ maxPayload: 1 });
    expect(ids(decoder.push(heartbeat(1)))).toEqual(['too-large']);
    expect(ids(new TOONStreamDecoder({ maxPayload: 2 }).push(heartbeat(1)))).toEqual([1]);
    expect(() => new TOONStreamDecoder({ maxPayload: NaN })).toThrow(RangeError);
  });

  it('that ends in the midst of a frame says so (TOON-04, 05), and takes nothing more', () => {
    const decoder = new TOONStreamDecoder();
    decoder.push(heartbeat(1).subarray(0, 5));
    expect(decoder.end()?.decoded).toMatchObject({ ok: false, error: { code: 'too-short' } });
    expect([decoder.closed, decoder.pending, decoder.push(heartbeat(2))]).toEqual([true, 0, []]);
    const other = new TOONStreamDecoder();
    other.push(heartbeat(1).subarray(0, 19));
    expect(other.end()?.decoded).toMatchObject({ ok: false, error: { code: 'truncated' } });
  });

  it('keeps what is not whole apart from the chunk that brought it', () => {
    const decoder = new TOONStreamDecoder();
    const chunk = heartbeat(1);
    const rest = chunk.slice(10);
    decoder.push(chunk.subarray(0, 10));
    chunk.fill(0);
    expect(ids(decoder.push(rest))).toEqual([1]);
  });
});

describe('what a stream costs', () => {
  const long = encoder.encode(1, { instruction: 'ab'.repeat(110_000) }, 1, { compress: false });

  it('is linear, byte by byte and in large chunks', () => {
    const began = performance.now();
    expect(
      cutAt(
        long,
        Array.from({ length: long.length }, (_, i) => i),
      ).items.length,
    ).toBe(1);
    const many = joined(...Array.from({ length: 10_000 }, (_, i) => heartbeat(i)));
    expect(new TOONStreamDecoder().push(many).length).toBe(10_000);
    expect(
      cutAt(
        many,
        Array.from({ length: many.length }, (_, i) => i),
      ).items.length,
    ).toBe(10_000);
    // Some 0.2 s; to join the chunks at each of half a million cuts would take an hour.
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  it('is no memory for what a header only promises', () => {
    const used = (): number => process.memoryUsage().arrayBuffers;
    const before = used();
    const decoders = Array.from({ length: 200 }, () => new TOONStreamDecoder());
    for (const decoder of decoders) decoder.push(frame('{', { length: 16 * 1024 * 1024 }));
    expect(decoders.every(({ pending }) => pending === 19)).toBe(true);
    expect(used() - before).toBeLessThan(16 * 1024 * 1024);
  });
});

describe('the framer', () => {
  it('fits the framing of carriers, fresh for each connection', () => {
    const framing: Framing = toonFraming;
    const [one, other] = [framing(), framing()];
    expect(one.push(heartbeat(1).subarray(0, 9))).toEqual([]);
    expect(other.push(heartbeat(2)).map(hex)).toEqual([hex(heartbeat(2))]);
    expect(hex(one.end() ?? new Uint8Array())).toBe(hex(heartbeat(1).subarray(0, 9)));
    expect(other.end()).toBeUndefined();
  });

  it('gives the header of a frame over its cap, and then no more', () => {
    const framer = toonFramingWith({ maxPayload: 1 })();
    expect(framer.push(joined(heartbeat(1), heartbeat(2))).map(hex)).toEqual([
      hex(heartbeat(1).subarray(0, 18)),
    ]);
    expect(framer.push(heartbeat(3))).toEqual([]);
    expect(framer.end()).toBeUndefined();
  });
});
