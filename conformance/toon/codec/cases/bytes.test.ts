/** The builder of vectors against the document's tables and the known answers of spec/toon/README.md, digit by digit. */
import { describe, expect, it } from 'vitest';
import {
  compressed,
  header,
  hex,
  littleEndian,
  message,
  rle,
  run,
  typeByte,
  typeNames,
  utf8,
} from './bytes.ts';

describe('the header', () => {
  it('has 18 bytes, little-endian: version, type, payloadLength, timestamp, sequenceId', () => {
    const bytes = header({
      version: 1,
      typeByte: 2,
      payloadLength: 0x0304_0506,
      timestamp: 0x0708_090a_0b0c_0d0en,
      sequenceId: 0x0f10_1112,
    });
    expect(hex(bytes)).toBe('0102060504030e0d0c0b0a0908071211100f');
    expect(bytes.length).toBe(18);
  });

  it('takes every field to its limit', () => {
    const most = {
      version: 255,
      typeByte: 255,
      payloadLength: 2 ** 32 - 1,
      timestamp: 2n ** 64n - 1n,
      sequenceId: 2 ** 32 - 1,
    };
    expect(hex(header(most))).toBe('ff'.repeat(18));
    expect(hex(littleEndian(0x0102n, 4))).toBe('02010000');
  });

  it('has the types of the table "Message Types"', () => {
    expect(typeNames.map((name) => typeByte[name])).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  });
});

describe('a message', () => {
  it('is the known HEARTBEAT', () => {
    expect(hex(message('HEARTBEAT', '{}'))).toBe('0106020000000068e5cf8b010000010000007b7d');
  });

  it('is the known TOOL_RESULT of 2000 x, compressed: 2026 bytes of JSON, 51 on the wire', () => {
    const json = `{"success":true,"data":"${'x'.repeat(2000)}"}`;
    expect(json.length).toBe(2026);
    expect(hex(message('TOOL_RESULT', compressed(json), { sequenceId: 7 }))).toBe(
      [
        '0103330000000068e5cf8b01000007000000',
        '5a7b2273756363657373223a747275652c2264617461223a22',
        'ff78ff'.repeat(7),
        'ff78d7227d',
      ].join(''),
    );
  });

  it('counts bytes, not characters', () => {
    expect(hex(message('HEARTBEAT', '\u00e9')).slice(4, 12)).toBe('02000000');
    expect(hex(utf8('\u00e9\u20ac\u{1f600}'))).toBe('c3a9e282acf09f9880');
  });
});

describe('run-length encoding', () => {
  it.each([
    [1, '41'],
    [3, '414141'],
    [4, 'ff4104'],
    [255, 'ff41ff'],
    [256, 'ff41ff41'],
    [257, 'ff41ff4141'],
    [511, 'ff41ffff41ff41'],
  ])('of a run of %i', (count, bytes) => {
    expect(hex(rle(run(0x41, count)))).toBe(bytes);
  });

  it.each([
    [1, 'ffff01'],
    [2, 'ffff02'],
    [3, 'ffff03'],
    [256, 'ffffffffff01'],
  ])('of %i × 0xFF', (count, bytes) => {
    expect(hex(rle(run(0xff, count)))).toBe(bytes);
  });

  it('of nothing is nothing', () => {
    expect(rle([])).toEqual([]);
  });
});
