/** The reader of messages against the known answers of the requirement list and the source document's table. */
import { describe, expect, it } from 'vitest';
import { looksCompressed, readWire, typeNumbers } from './wire.ts';
import type { ParsedFrame } from './wire.ts';

const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

const read = (hex: string): ParsedFrame => {
  const wire = readWire(bytes(hex));
  if (typeof wire === 'string') throw new Error(wire);
  return wire;
};

/** A HEARTBEAT's header with any payload after it; the length is not looked at. */
const withPayload = (payload: string | Uint8Array): ParsedFrame =>
  read(`0106020000000068e5cf8b01000001000000${Buffer.from(payload).toString('hex')}`);

/** The known answers (toon.md, "Bytes"). */
const heartbeat = '0106020000000068e5cf8b010000010000007b7d';
const result = `0103240000000068e5cf8b010000070000005a7b2264617461223a22${'ff78ff'.repeat(7)}ff78d7227d`;

describe('the reader of messages', () => {
  it('reads the HEARTBEAT of the known answers', () => {
    expect(read(heartbeat)).toEqual({
      version: 1,
      type: 6,
      payloadLength: 2,
      timestamp: 1_700_000_000_000n,
      sequenceId: 1,
      rest: 2,
      compressed: false,
      expanded: 2,
      payload: { value: {} },
      peculiar: {},
    });
  });

  it('reads the TOOL_RESULT of the known answers, whose data is 2000 × x', () => {
    expect(read(result)).toMatchObject({
      version: 1,
      type: 3,
      payloadLength: 36,
      timestamp: 1_700_000_000_000n,
      sequenceId: 7,
      rest: 36,
      compressed: true,
      payload: { value: { data: 'x'.repeat(2000) } },
      peculiar: {},
    });
  });

  it('reads a message among other bytes as it is alone, and names them', () => {
    const { peculiar: after, ...found } = read(`${heartbeat}0a`);
    const { peculiar: none, ...alone } = read(heartbeat);
    expect([found, none]).toEqual([alone, {}]);
    expect(after).toEqual({ stray: 'expected one message and no other bytes; came 0a after it' });
    const before = read(`00000014${heartbeat}`);
    expect(before).toMatchObject({
      ...alone,
      peculiar: { stray: expect.stringContaining('00000014 before it') },
    });
  });

  it('does not take the rest of a payload for other bytes, when payloadLength is too small', () => {
    expect(withPayload('{"a":1}').peculiar).toEqual({});
    expect(read(heartbeat.replace('02000000', '01000000'))).toMatchObject({ rest: 2, peculiar: {} });
  });

  it('reads every field little-endian, at its offset ("Header Fields")', () => {
    expect(read('02ff010000800200000000000080030000c0')).toMatchObject({
      version: 2,
      type: 0xff,
      payloadLength: 0x8000_0001,
      timestamp: 0x8000_0000_0000_0002n,
      sequenceId: 0xc000_0003,
      rest: 0,
    });
  });

  it('reads all bytes after the first 18 as the payload, with any payloadLength', () => {
    expect(read(heartbeat.replace('010602', '0106ff'))).toMatchObject({
      payloadLength: 255,
      payload: { value: {} },
    });
  });

  it('TOON-04: there is no message in fewer than 18 bytes', () => {
    expect(readWire(bytes(heartbeat.slice(0, 34)))).toBe('expected a header of 18 bytes; came 17 in all');
    expect(typeof readWire(bytes(heartbeat.slice(0, 36)))).toBe('object');
  });

  it('gives the reason why a payload is not JSON', () => {
    expect(withPayload('').payload).toBe('the payload is empty');
    expect(withPayload('{"a":NaN}').payload).toBe('the payload is not JSON');
    expect(withPayload(bytes('7b22ff227d')).payload).toBe('the payload is not UTF-8');
    const cut = withPayload(bytes('5aff41'));
    expect([cut.expanded, cut.payload]).toEqual([undefined, 'a triple is cut off at byte 0 of the RLE text']);
  });

  it('TOON-12: sees a byte order mark, compressed or not, and reads the JSON behind it', () => {
    const mark = '\u{feff}{"a":1}';
    expect(withPayload(mark)).toMatchObject({
      payload: { value: { a: 1 } },
      peculiar: { bom: expect.any(String) },
    });
    const squeezed = withPayload(Buffer.concat([bytes('5a'), Buffer.from(mark)]));
    expect(squeezed.payload).toEqual({ value: { a: 1 } });
    expect(Object.keys(squeezed.peculiar)).toContain('bom');
  });

  it('TOON-14: compression of 1024 bytes is too early, of 1025 it is not', () => {
    const squeezed = (runs: string, rest: string): ParsedFrame => withPayload(bytes(`5a7b7d${runs}${rest}`));
    // {} and spaces: 2 + 4 × 255 = 1022.
    const full = 'ff20ff'.repeat(4);
    expect(squeezed(full, '2020')).toMatchObject({
      expanded: 1024,
      peculiar: { 'compressed-small': expect.any(String) },
    });
    expect(squeezed(full, '202020')).toMatchObject({ expanded: 1025, peculiar: {} });
  });

  it('TOON-15: magic and RLE may be as long as the payload, and no longer', () => {
    const text = `{}${' a'.repeat(600)}`;
    const squeezed = (rle: string): readonly string[] =>
      Object.keys(withPayload(Buffer.concat([bytes('5a'), Buffer.from(rle, 'latin1')])).peculiar);
    expect(squeezed(text)).toEqual(['compressed-not-shorter']);
    // A run of four in three bytes makes up for the magic: a tie.
    expect(squeezed(`${text}\u00ff\u0062\u0004`)).toEqual([]);
  });

  it('reports the peculiarities of the RLE', () => {
    const odd = withPayload(bytes(`5a7b7d${'ff20ff'.repeat(5)}ff2003`));
    expect(Object.keys(odd.peculiar)).toEqual(['run-split']);
  });

  it('TOON-16: recognises RLE without its magic', () => {
    const plain = `0103240000000068e5cf8b010000070000007b2264617461223a22${'ff78ff'.repeat(7)}ff78d7227d`;
    expect(looksCompressed(bytes(plain))).toBe(true);
    expect(looksCompressed(bytes(`${heartbeat}ff`))).toBe(false);
  });

  it('has the type numbers of the table ("Message Types")', () => {
    expect(Object.entries(typeNumbers).map(([name, number]) => `${number} ${name}`)).toEqual([
      '1 INSTRUCTION',
      '2 TOOL_CALL',
      '3 TOOL_RESULT',
      '4 STATUS',
      '5 ERROR',
      '6 HEARTBEAT',
      '7 CONTEXT_REQUEST',
      '8 CONTEXT_RESPONSE',
    ]);
  });
});
