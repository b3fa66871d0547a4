/** Messages of traces and scenarios to bytes and back. */
import { describe, expect, it } from 'vitest';
import { toonCodec, toonCodecWith } from './codec.ts';
import type { ToonMessage } from './messages.ts';

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const bytes = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, 'hex'));
const heartbeat = { type: 'HEARTBEAT', sequenceId: 1, timestamp: '1700000000000', payload: {} } as const;
const wire = '0106020000000068e5cf8b010000010000007b7d';

describe('the codec', () => {
  it('writes and reads the known answer', () => {
    expect(hex(toonCodec.encode(heartbeat))).toBe(wire);
    expect(toonCodec.decode(bytes(wire))).toEqual({
      ok: true,
      value: { message: { ...heartbeat, payloadLength: 2 } },
    });
  });

  it('writes the known answer of compression: TOOL_RESULT 7 whose data is 2000 × x', () => {
    // The protocol's page has `data` alone; TOON-35 asks a TOOL_RESULT for success, so that it is written, and not read.
    const payload = { data: 'x'.repeat(2000) };
    const known = { ...heartbeat, type: 'TOOL_RESULT', sequenceId: 7, payload } as unknown as ToonMessage;
    const coded = `5a7b2264617461223a22${'ff78ff'.repeat(7)}ff78d7227d`;
    expect(hex(toonCodec.encode(known))).toBe(`0103240000000068e5cf8b01000007000000${coded}`);
    expect(toonCodec.decode(toonCodec.encode(known))).toMatchObject({
      error: { code: 'bad-payload', path: 'success' },
    });
  });

  it('gives both lengths of what was compressed', () => {
    const long: ToonMessage = {
      ...heartbeat,
      type: 'TOOL_RESULT',
      payload: { success: true, data: 'x'.repeat(2000) },
    };
    expect(toonCodec.decode(toonCodec.encode(long))).toEqual({
      ok: true,
      value: { message: { ...long, payloadLength: 51, expandedLength: 2026 } },
    });
    expect(toonCodec.decode(toonCodec.encode({ ...long, compress: false }))).toEqual({
      ok: true,
      value: { message: { ...long, payloadLength: 2026 } },
    });
  });

  it('keeps 64 bits of timestamp as digits (TOON-28)', () => {
    for (const timestamp of ['0', '9007199254740991', '9007199254740993', '18446744073709551615'])
      expect(toonCodec.decode(toonCodec.encode({ ...heartbeat, timestamp }))).toMatchObject({
        ok: true,
        value: { message: { timestamp } },
      });
  });

  it('joins its notes, with what was behind the message as the last', () => {
    expect(toonCodec.decode(bytes(`${wire.slice(0, -4).replace('02', '06')}efbbbf205b5d00`))).toMatchObject({
      ok: true,
      value: {
        note: 'bom: the payload begins with a byte order mark; not-object: the payload is no JSON object; trailing: 1 bytes after the message',
      },
    });
  });

  it('sends payloads that peers must refuse: scenarios need them', () => {
    const wrong = { ...heartbeat, type: 'INSTRUCTION', payload: {} } as unknown as ToonMessage;
    expect(toonCodec.decode(toonCodec.encode(wrong))).toMatchObject({
      ok: false,
      error: { code: 'bad-payload', path: 'instruction' },
    });
  });

  it('sends no header that says something else (TOON-32)', () => {
    for (const wrong of [
      { type: 'PING' },
      { sequenceId: -1 },
      { sequenceId: 2 ** 32 },
      { timestamp: '-1' },
      { timestamp: '18446744073709551616' },
    ])
      expect(() => toonCodec.encode({ ...heartbeat, ...wrong } as ToonMessage)).toThrow(RangeError);
  });

  it('has limits of its own where they are set', () => {
    const small = toonCodecWith({ maxPayload: 1 });
    expect(small.decode(bytes(wire))).toMatchObject({ ok: false, error: { code: 'too-large' } });
  });
});
