/** Generators of messages of AWS event streams: headers of every type, with their edges, and payloads. */
import fc from 'fast-check';
import type { EventHeader, EventMessage, HeaderValue } from '../dialects/event-stream/index.ts';

const integer = (bits: number): fc.Arbitrary<number> =>
  fc.integer({ min: -(2 ** (bits - 1)), max: 2 ** (bits - 1) - 1 });

const longText = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String);

const headerValues: fc.Arbitrary<HeaderValue> = fc.oneof(
  fc.boolean().map((value): HeaderValue => ({ type: 'boolean', value })),
  integer(8).map((value): HeaderValue => ({ type: 'byte', value })),
  integer(16).map((value): HeaderValue => ({ type: 'short', value })),
  integer(32).map((value): HeaderValue => ({ type: 'integer', value })),
  longText.map((value): HeaderValue => ({ type: 'long', value })),
  longText.map((value): HeaderValue => ({ type: 'timestamp', value })),
  fc.uuid().map((value): HeaderValue => ({ type: 'uuid', value })),
  fc.string({ unit: 'grapheme' }).map((value): HeaderValue => ({ type: 'string', value })),
  fc.uint8Array({ maxLength: 40 }).map((value): HeaderValue => ({ type: 'binary', value })),
);

const names = fc.oneof(
  fc.constantFrom(':event-type', ':message-type', ':content-type', ':exception-type', '__proto__'),
  fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme-composite' }),
);

/** Headers with unique names. */
export const eventHeaders: fc.Arbitrary<readonly EventHeader[]> = fc.uniqueArray(
  fc.tuple(names, headerValues).map(([name, value]): EventHeader => ({ ...value, name })),
  { selector: ({ name }) => name, maxLength: 6 },
);

/** Messages that can be encoded. */
export const eventMessages: fc.Arbitrary<EventMessage> = fc.record({
  headers: eventHeaders,
  payload: fc.uint8Array({ maxLength: 200 }),
});
