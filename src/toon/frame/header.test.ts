/** The header's 18 bytes, after the table of the document; and what no header can say. */
import { describe, expect, it } from 'vitest';
import {
  HEADER_SIZE,
  MAX_PAYLOAD,
  MAX_SEQUENCE_ID,
  TOON_VERSION,
  checkStamp,
  parseTimestamp,
  readPayloadLength,
  readSequenceId,
  readTimestamp,
  writeHeader,
} from './header.ts';
import { MessageType } from '../messages.ts';

const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));

function header(type: MessageType, length: number, timestamp: number | bigint, sequenceId: number): string {
  const into = new Uint8Array(HEADER_SIZE + 2).fill(0xee);
  writeHeader(into, 1, type, length, timestamp, sequenceId);
  expect([into[0], into[HEADER_SIZE + 1]]).toEqual([0xee, 0xee]);
  return Buffer.from(into.subarray(1, HEADER_SIZE + 1)).toString('hex');
}

describe('the header', () => {
  it('has the constants of the document', () => {
    expect([HEADER_SIZE, TOON_VERSION, MAX_SEQUENCE_ID, MAX_PAYLOAD]).toEqual([
      18,
      1,
      2 ** 32 - 1,
      16 * 2 ** 20,
    ]);
  });

  it('is packed and little-endian: version, type, payloadLength, timestamp, sequenceId', () => {
    expect(header(MessageType.HEARTBEAT, 2, 1700000000000, 1)).toBe('0106020000000068e5cf8b01000001000000');
    expect(header(MessageType.TOOL_RESULT, 36, 1700000000000, 7)).toBe(
      '0103240000000068e5cf8b01000007000000',
    );
    expect(header(MessageType.STATUS, 0x04030201, 0x0c0b0a09080706n, 0x100f0e0d)).toBe(
      '010401020304060708090a0b0c000d0e0f10',
    );
  });

  it.each([
    [0, '0000000000000000'],
    [4294967295, 'ffffffff00000000'],
    [4294967296, '0000000001000000'],
    [9007199254740991, 'ffffffffffff1f00'],
    [9007199254740992n, '0000000000002000'],
    [9007199254740993n, '0100000000002000'],
    [18446744073709551615n, 'ffffffffffffffff'],
  ])('has all 64 bits of the timestamp %s (TOON-28)', (timestamp, hex) => {
    expect(header(MessageType.STATUS, 0, timestamp, 0).slice(12, 28)).toBe(hex);
    expect(readTimestamp(bytes(`010400000000${hex}00000000`))).toBe(timestamp);
  });

  it('writes a small bigint as the number it is, and reads a number', () => {
    expect(header(MessageType.STATUS, 0, 5n, 0)).toBe(header(MessageType.STATUS, 0, 5, 0));
    expect(readTimestamp(bytes(header(MessageType.STATUS, 0, 5n, 0)))).toBe(5);
  });

  it('has the full range of lengths and sequence ids', () => {
    const most = bytes(header(MessageType.STATUS, 4294967295, 0, 4294967295));
    expect([readPayloadLength(most, 0), readSequenceId(most)]).toEqual([4294967295, 4294967295]);
  });
});

describe('what no header can say', () => {
  it.each([
    ['a type', [0, 0, 0]],
    ['a type', [9, 0, 0]],
    ['a type', [1.5, 0, 0]],
    ['a sequence id', [1, -1, 0]],
    ['a sequence id', [1, 4294967296, 0]],
    ['a sequence id', [1, 0.5, 0]],
    ['a sequence id', [1, NaN, 0]],
    ['a timestamp', [1, 0, -1]],
    ['a timestamp', [1, 0, 1.5]],
    ['a timestamp', [1, 0, NaN]],
    ['a timestamp', [1, 0, 9007199254740992]],
    ['a timestamp', [1, 0, -1n]],
    ['a timestamp', [1, 0, 18446744073709551616n]],
  ] as const)('is %s out of range: %o is refused (TOON-32)', (_, [type, sequenceId, timestamp]) => {
    expect(() => checkStamp(type, sequenceId, timestamp)).toThrow(RangeError);
  });

  it('is told with what was expected and what came', () => {
    expect(() => checkStamp(1, 4294967296, 0)).toThrow(
      'expected a sequence id from 0 to 4294967295; came 4294967296',
    );
  });

  it('is said by none at the limits', () => {
    expect(() => checkStamp(8, 4294967295, 18446744073709551615n)).not.toThrow();
    expect(() => checkStamp(1, 0, 9007199254740991)).not.toThrow();
  });
});

describe('a timestamp of digits', () => {
  it('is a number, or a bigint where that would round', () => {
    expect(parseTimestamp('0')).toBe(0);
    expect(parseTimestamp('1700000000000')).toBe(1700000000000);
    expect(parseTimestamp('9007199254740991')).toBe(9007199254740991);
    expect(parseTimestamp('9007199254740993')).toBe(9007199254740993n);
    expect(parseTimestamp('18446744073709551615')).toBe(18446744073709551615n);
  });

  it.each(['', '-1', '1.5', '1e3', ' 1', '0x1', '1n', '1'.repeat(21)])('is not %j', (digits) => {
    expect(() => parseTimestamp(digits)).toThrow(RangeError);
  });
});
