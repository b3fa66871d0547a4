/** Messages of event streams against known bytes, and the refusals. Source: "Event stream encoding" of Amazon Lex. */
import { describe, expect, it } from 'vitest';
import { crc32, encodeMessage, eventMessageCodec, headerText } from './index.ts';
import type { EventMessage } from './index.ts';

const none = new Uint8Array(0);
const bytesOf = (hex: string): Uint8Array => Uint8Array.from(Buffer.from(hex, 'hex'));
const utf8 = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text));

/** Computed with Python's zlib.crc32 and struct. The first one is in the tests of aws-c-event-stream, too. */
const known: readonly (readonly [name: string, hex: string, message: EventMessage])[] = [
  ['no headers and no payload', '000000100000000005c248eb7d98c8ff', { headers: [], payload: none }],
  [
    'a payload alone',
    '0000001d00000000fd528c5a7b22666f6f223a22626172227d3e9c25b4',
    { headers: [], payload: utf8('{"foo":"bar"}') },
  ],
  [
    'an event of Bedrock',
    '000000760000005296d5fade0b3a6576656e742d7479706507000c6d65737361676553746172740d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b22726f6c65223a22617373697374616e74227d6fa8c599',
    {
      headers: [
        { name: ':event-type', type: 'string', value: 'messageStart' },
        { name: ':content-type', type: 'string', value: 'application/json' },
        { name: ':message-type', type: 'string', value: 'event' },
      ],
      payload: utf8('{"role":"assistant"}'),
    },
  ],
  [
    'a header of each type',
    '00000076000000652e685fd10379657300026e6f01046279746502ff0573686f727403fffe03696e7404fffffffd046c6f6e670580000000000000000362696e06000201020474657874070002c3a90474696d65080000019b76daa80002696409000102030405060708090a0b0c0d0e0f780c8c3802',
    {
      headers: [
        { name: 'yes', type: 'boolean', value: true },
        { name: 'no', type: 'boolean', value: false },
        { name: 'byte', type: 'byte', value: -1 },
        { name: 'short', type: 'short', value: -2 },
        { name: 'int', type: 'integer', value: -3 },
        { name: 'long', type: 'long', value: '-9223372036854775808' },
        { name: 'bin', type: 'binary', value: Uint8Array.of(1, 2) },
        { name: 'text', type: 'string', value: 'é' },
        { name: 'time', type: 'timestamp', value: '1767225600000' },
        { name: 'id', type: 'uuid', value: '00010203-0405-0607-0809-0a0b0c0d0e0f' },
      ],
      payload: utf8('x'),
    },
  ],
];

describe.each(known)('a message with %s', (_, hex, message) => {
  it('has these bytes', () => {
    expect(Buffer.from(encodeMessage(message)).toString('hex')).toBe(hex);
  });

  it('is read from them', () => {
    expect(eventMessageCodec.decode(bytesOf(hex))).toEqual({ ok: true, value: { message } });
  });
});

it('has the checksum of GZIP, whose check value for 123456789 is CBF43926', () => {
  expect(crc32(utf8('123456789'))).toBe(0xcbf43926);
  expect(crc32(utf8('6789'), crc32(utf8('12345')))).toBe(0xcbf43926);
});

/** A message with these bytes as headers, whatever they are. */
function withHeaders(headers: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(16 + headers.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, bytes.length);
  view.setUint32(4, headers.length);
  view.setUint32(8, crc32(bytes.subarray(0, 8)));
  bytes.set(headers, 12);
  view.setUint32(bytes.length - 4, crc32(bytes.subarray(0, bytes.length - 4)));
  return bytes;
}

/** A prelude with these lengths and the right checksum, and zeros up to 16 bytes. */
function withPrelude(total: number, headers: number): Uint8Array {
  const bytes = new Uint8Array(16);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, total);
  view.setUint32(4, headers);
  view.setUint32(8, crc32(bytes.subarray(0, 8)));
  return bytes;
}

const changed = (hex: string, at: number): Uint8Array => {
  const bytes = bytesOf(hex);
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes;
};

const payloadHex = known[1]?.[1] ?? '';
const header = (name: string, ...value: number[]): number[] => [name.length, ...utf8(name), ...value];

describe('a refusal names the fault and its offset', () => {
  it.each<[what: string, bytes: Uint8Array, code: string, path: string]>([
    ['no bytes', none, 'truncated', '@0'],
    ['fifteen bytes', new Uint8Array(15), 'truncated', '@15'],
    ['a changed length', changed(payloadHex, 3), 'prelude-checksum', '@8'],
    ['a changed checksum of the prelude', changed(payloadHex, 9), 'prelude-checksum', '@8'],
    ['a changed payload', changed(payloadHex, 14), 'message-checksum', '@25'],
    ['a changed checksum of the message', changed(payloadHex, 28), 'message-checksum', '@25'],
    ['a total length below 16', withPrelude(15, 0), 'bad-length', '@0'],
    ['a total length above 16 MiB', withPrelude(16 * 1024 * 1024 + 1, 0), 'too-large', '@0'],
    ['headers longer than the message', withPrelude(16, 1), 'bad-length', '@4'],
    ['headers above 128 KiB', withPrelude(1 << 20, 128 * 1024 + 1), 'too-large', '@4'],
    ['a message that was cut', bytesOf(payloadHex).subarray(0, 20), 'truncated', '@0'],
    ['bytes after the message', Uint8Array.from([...bytesOf(payloadHex), 0]), 'bad-length', '@0'],
    ['a name without a length', withHeaders(Uint8Array.of(0)), 'bad-header', '@12'],
    ['a name that runs over', withHeaders(Uint8Array.of(2, 97)), 'bad-header', '@12'],
    ['a name that is no UTF-8', withHeaders(Uint8Array.of(1, 0xff, 0)), 'bad-utf8', '@13'],
    ['a name without a type', withHeaders(Uint8Array.of(1, 97)), 'bad-header', '@14'],
    ['the type 10', withHeaders(Uint8Array.from(header('a', 10))), 'bad-header', '@14'],
    ['an integer that runs over', withHeaders(Uint8Array.from(header('a', 4, 0))), 'bad-header', '@15'],
    ['a text without a length', withHeaders(Uint8Array.from(header('a', 7, 0))), 'bad-header', '@15'],
    ['a text that runs over', withHeaders(Uint8Array.from(header('a', 7, 0, 2, 97))), 'bad-header', '@17'],
    ['a text of 32768 bytes', withHeaders(Uint8Array.from(header('a', 7, 128, 0))), 'too-large', '@15'],
    ['a text that is no UTF-8', withHeaders(Uint8Array.from(header('a', 7, 0, 1, 0xff))), 'bad-utf8', '@17'],
    [
      'a header that comes twice',
      withHeaders(Uint8Array.from([...header('a', 0), ...header('a', 1)])),
      'duplicate-header',
      '@15',
    ],
  ])('of %s', (_, bytes, code, path) => {
    expect(eventMessageCodec.decode(bytes)).toMatchObject({ ok: false, error: { code, path } });
  });
});

it('is not written with a name or a value that has no room', () => {
  const write = (name: string, value: string) => (): unknown =>
    encodeMessage({ headers: [{ name, type: 'string', value }], payload: none });
  expect(write('a'.repeat(255), 'b'.repeat(32_767))).not.toThrow();
  expect(write('a'.repeat(256), '')).toThrow('1 to 255 bytes; came 256');
  expect(write('', '')).toThrow('1 to 255 bytes; came 0');
  expect(write('a', 'b'.repeat(32_768))).toThrow('at most 32767 bytes');
});

it('has texts by the names of headers', () => {
  const message: EventMessage = {
    headers: [
      { name: ':event-type', type: 'string', value: 'metadata' },
      { name: 'n', type: 'integer', value: 1 },
    ],
    payload: none,
  };
  expect(headerText(message, ':event-type')).toBe('metadata');
  expect(headerText(message, 'n')).toBeUndefined();
  expect(headerText(message, ':message-type')).toBeUndefined();
});
