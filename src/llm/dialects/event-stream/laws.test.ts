/** The laws of event streams: round trip, total, blind to how bytes are cut; and Amazon's own codec, both ways. */
import { EventStreamCodec, Int64 } from '@smithy/eventstream-codec';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { roundTrip, total } from '../../../kit/laws/index.ts';
import { eventMessages } from '../../arbitrary/event-stream.ts';
import { EventStreamReader, encodeMessage, eventMessageCodec } from './index.ts';
import type { EventHeader, EventItem, EventMessage } from './index.ts';

const runs = { numRuns: 1000, seed: 11 };

/** The items of bytes that come in pieces of these sizes, repeated. */
function itemsIn(bytes: Uint8Array, sizes: readonly number[], reader = new EventStreamReader()): EventItem[] {
  const items: EventItem[] = [];
  for (let at = 0, n = 0; at < bytes.length; n++) {
    const size = sizes[n % sizes.length] ?? 1;
    items.push(...reader.push(bytes.subarray(at, at + size)));
    at += size;
  }
  return items;
}

const streamOf = (messages: readonly EventMessage[]): Uint8Array =>
  new Uint8Array(Buffer.concat(messages.map(encodeMessage)));

const pieces = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 });

describe('the laws', () => {
  it('hold for one message', () => {
    fc.assert(roundTrip(eventMessageCodec, eventMessages), runs);
    fc.assert(total(eventMessageCodec, eventMessages.map(encodeMessage)), runs);
  });

  it('a stream has the same messages, however it is cut', () => {
    fc.assert(
      fc.property(fc.array(eventMessages, { maxLength: 5 }), pieces, (messages, sizes) => {
        const reader = new EventStreamReader();
        expect(itemsIn(streamOf(messages), sizes, reader)).toEqual(
          messages.map((message) => ({ ok: true, value: message })),
        );
        expect(reader.end()).toBeUndefined();
      }),
      runs,
    );
  });

  it('a stream that is changed at one byte has the same fault, however it is cut, and nothing after it', () => {
    const changes = fc.tuple(fc.nat(), fc.integer({ min: 1, max: 255 }));
    fc.assert(
      fc.property(
        fc.array(eventMessages, { minLength: 1, maxLength: 4 }),
        changes,
        pieces,
        (messages, [place, mask], sizes) => {
          const bytes = streamOf(messages);
          const at = place % bytes.length;
          bytes[at] = (bytes[at] ?? 0) ^ mask;
          const whole = itemsIn(bytes, [bytes.length]);
          expect(itemsIn(bytes, sizes)).toEqual(whole);
          // CRC-32 notices each change of one byte.
          const last = whole.at(-1);
          expect(last).toMatchObject({ ok: false, error: { code: expect.stringMatching(/checksum$/) } });
          expect(whole.slice(0, -1).every(({ ok }) => ok)).toBe(true);
        },
      ),
      runs,
    );
  });

  it('a stream that is cut off within a message says so, and one that ends after a message does not', () => {
    fc.assert(
      fc.property(eventMessages, fc.nat(), (message, place) => {
        const bytes = encodeMessage(message);
        const at = place % bytes.length;
        const reader = new EventStreamReader();
        expect(reader.push(bytes.subarray(0, at))).toEqual([]);
        expect(reader.end()?.code).toBe(at === 0 ? undefined : 'truncated');
        expect(reader.rest).toEqual(bytes.subarray(0, at));
      }),
      runs,
    );
  });
});

it('keeps no more than has come of a message with a large length', () => {
  const large = encodeMessage({ headers: [], payload: new Uint8Array(1 << 20) });
  const reader = new EventStreamReader();
  reader.push(large.subarray(0, 100));
  expect(reader.rest.buffer.byteLength).toBe(100);
  expect(itemsIn(large.subarray(100), [1 << 16], reader)).toHaveLength(1);
});

it('has a limit of its own', () => {
  const bytes = encodeMessage({ headers: [], payload: new Uint8Array(100) });
  expect(itemsIn(bytes, [7], new EventStreamReader(115))).toMatchObject([
    { ok: false, error: { code: 'too-large', path: '@0' } },
  ]);
  expect(itemsIn(bytes, [7], new EventStreamReader(116))).toMatchObject([{ ok: true }]);
});

type MessageHeaders = Parameters<EventStreamCodec['encode']>[0]['headers'];
type MessageHeaderValue = MessageHeaders[string];

/** A header as Amazon's codec has it. */
function theirs(header: EventHeader): MessageHeaderValue {
  switch (header.type) {
    case 'long':
      return { type: 'long', value: new Int64(eightBytes(header.value)) };
    case 'timestamp':
      return { type: 'timestamp', value: new Date(Number(header.value)) };
    default: {
      const { name: _, ...value } = header;
      return value;
    }
  }
}

function eightBytes(value: string): Uint8Array {
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigInt64(0, BigInt(value));
  return bytes;
}

const plain = (header: MessageHeaderValue): unknown =>
  header.type === 'long'
    ? { type: 'long', value: [...header.value.bytes] }
    : header.type === 'timestamp'
      ? { type: 'timestamp', value: header.value.getTime() }
      : header.type === 'binary'
        ? { type: 'binary', value: [...header.value] }
        : header;

/** Amazon's codec reads timestamps as numbers, and names as members of an object. */
const readable = eventMessages.filter(({ headers }) =>
  headers.every(
    ({ name, type, value }) =>
      name !== '__proto__' && (type !== 'timestamp' || Math.abs(Number(value)) <= 8.64e15),
  ),
);

describe('Amazon’s own codec', () => {
  const amazon = new EventStreamCodec(
    (bytes) => Buffer.from(bytes as Uint8Array).toString('utf8'),
    (text) => Buffer.from(text),
  );

  const headersOf = ({ headers }: EventMessage): MessageHeaders =>
    Object.fromEntries(headers.map((header) => [header.name, theirs(header)]));

  it('reads our messages', () => {
    fc.assert(
      fc.property(readable, (message) => {
        const { headers, body } = amazon.decode(encodeMessage(message));
        expect([...body]).toEqual([...message.payload]);
        const read = Object.entries(headers).map(([name, value]) => [name, plain(value)]);
        const sent = Object.entries(headersOf(message)).map(([name, value]) => [name, plain(value)]);
        expect(read).toEqual(sent);
      }),
      runs,
    );
  });

  it('writes messages that we read, byte for byte as we write them', () => {
    fc.assert(
      fc.property(readable, (message) => {
        const ordered = { ...message, headers: inObjectOrder(message) };
        const bytes = amazon.encode({ headers: headersOf(ordered), body: message.payload });
        expect(eventMessageCodec.decode(bytes)).toEqual({ ok: true, value: { message: ordered } });
        expect(encodeMessage(ordered)).toEqual(new Uint8Array(bytes));
      }),
      runs,
    );
  });

  it('refuses the checksums that we refuse', () => {
    fc.assert(
      fc.property(eventMessages, fc.nat(), (message, place) => {
        const bytes = encodeMessage(message);
        const at = place % bytes.length;
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        expect(eventMessageCodec.decode(bytes).ok).toBe(false);
        expect(() => amazon.decode(bytes)).toThrow();
      }),
      runs,
    );
  });

  /** Objects have names that are integers first. */
  const inObjectOrder = (message: EventMessage): readonly EventHeader[] =>
    Object.keys(headersOf(message)).flatMap((name) =>
      message.headers.filter((header) => header.name === name),
    );
});
