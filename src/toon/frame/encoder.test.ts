/** Messages to bytes: known answers, when they are compressed, and what is refused. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TOONDecoder } from './decoder.ts';
import { TOONEncoder } from './encoder.ts';
import { HEADER_SIZE, readPayloadLength } from './header.ts';
import { MessageType } from '../messages.ts';

const encoder = new TOONEncoder({ now: () => 1700000000000 });
const decoder = new TOONDecoder();
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
const payloadOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.subarray(HEADER_SIZE));

/** A TOOL_RESULT whose JSON is so many bytes long. */
function result(size: number, filling: string): { success: true; data: string } {
  const bare = JSON.stringify({ success: true, data: '' }).length;
  return { success: true, data: filling.repeat(size).slice(0, size - bare) };
}

describe('known answers', () => {
  it('HEARTBEAT 1 at 1700000000000', () => {
    expect(hex(encoder.encode(MessageType.HEARTBEAT, {}, 1))).toBe(
      '0106020000000068e5cf8b010000010000007b7d',
    );
  });

  it('TOOL_RESULT 7 whose data is 2000 × x, with success as TOON-35 has it', () => {
    // spec/toon/README.md, "Compression".
    const bytes = encoder.encode(MessageType.TOOL_RESULT, { success: true, data: 'x'.repeat(2000) }, 7);
    expect(hex(bytes)).toBe(
      '0103330000000068e5cf8b010000070000005a7b2273756363657373223a747275652c2264617461223a22' +
        `${'ff78ff'.repeat(7)}ff78d7227d`,
    );
  });

  it('the header counts the payload as it is on the wire (TOON-03)', () => {
    for (const data of ['', 'x', 'é', '𝄞'.repeat(100), 'x'.repeat(5000)]) {
      const bytes = encoder.encode(MessageType.TOOL_RESULT, { success: true, data }, 7);
      expect(readPayloadLength(bytes, 0)).toBe(bytes.length - HEADER_SIZE);
    }
  });

  it('the payload is UTF-8 without a byte order mark (TOON-12), and just what JSON.stringify gives', () => {
    const payload = { status: 'é𝄞\uFEFF\uD800', progress: 0.1 + 0.2 };
    const bytes = encoder.encode(MessageType.STATUS, payload, 0);
    expect(payloadOf(bytes).toString('utf8')).toBe(JSON.stringify(payload));
    expect(bytes[HEADER_SIZE]).toBe(0x7b);
  });
});

describe('compression', () => {
  const isCompressed = (bytes: Uint8Array): boolean => bytes[HEADER_SIZE] === 0x5a;

  it('begins above 1024 bytes (TOON-14)', () => {
    const encode = (size: number): Uint8Array =>
      encoder.encode(MessageType.TOOL_RESULT, result(size, 'x'), 1);
    expect(encode(1024).length).toBe(HEADER_SIZE + 1024);
    expect(isCompressed(encode(1024))).toBe(false);
    expect(isCompressed(encode(1025))).toBe(true);
  });

  it('counts bytes, not characters', () => {
    // 520 × é is 1040 bytes of UTF-8, and has no run; the spaces have one.
    const payload = { instruction: 'é'.repeat(520) + ' '.repeat(40) };
    expect(isCompressed(encoder.encode(MessageType.INSTRUCTION, payload, 1))).toBe(true);
    const small = { instruction: 'é'.repeat(300) + ' '.repeat(40) };
    expect(isCompressed(encoder.encode(MessageType.INSTRUCTION, small, 1))).toBe(false);
  });

  it('is left out where magic and code are not shorter than the payload (TOON-15)', () => {
    const plain = 'ab'.repeat(600);
    const encode = (data: string): Uint8Array =>
      encoder.encode(MessageType.TOOL_RESULT, { success: true, data }, 1);
    expect(isCompressed(encode(plain))).toBe(false);
    // One run of 4 wins one byte, which the magic takes: a tie. One of 5 wins a byte in all; so do two of 4.
    expect(isCompressed(encode(`${plain}xxxx`))).toBe(false);
    expect(isCompressed(encode(`${plain}xxxxx`))).toBe(true);
    expect(isCompressed(encode(`xxxx${plain}yyyy`))).toBe(true);
    expect(payloadOf(encode(`${plain}xxxx`)).toString()).toBe(`{"success":true,"data":"${plain}xxxx"}`);
  });

  it('is never the payload with more bytes, whatever it is', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom('x', 'é', 'ab', '    '), fc.nat(400))), (parts) => {
        const data = parts.map(([text, count]) => text.repeat(count)).join('');
        const payload = { success: true, data };
        const size = Buffer.byteLength(JSON.stringify(payload));
        const bytes = encoder.encode(MessageType.TOOL_RESULT, payload, 1);
        if (isCompressed(bytes)) expect(bytes.length).toBeLessThan(HEADER_SIZE + size);
        else expect(bytes.length).toBe(HEADER_SIZE + size);
        const decoded = decoder.decode(bytes);
        expect(decoded).toMatchObject({ ok: true, payload, notes: [] });
      }),
      { seed: 7, numRuns: 500 },
    );
  });

  it('can be switched off, for one message or for all (TOON-27)', () => {
    const payload = result(5000, 'x');
    const plain = new TOONEncoder({ now: () => 0, compress: false });
    expect(plain.encode(MessageType.TOOL_RESULT, payload, 1).length).toBe(HEADER_SIZE + 5000);
    expect(isCompressed(plain.encode(MessageType.TOOL_RESULT, payload, 1, { compress: true }))).toBe(true);
    expect(isCompressed(encoder.encode(MessageType.TOOL_RESULT, payload, 1, { compress: false }))).toBe(
      false,
    );
  });
});

describe('what an encoder gives', () => {
  it('does not change afterwards, however much is encoded after it', () => {
    const payloads = Array.from({ length: 3000 }, (_, i) => ({
      status: `${i} `.repeat(i % 120),
      progress: 0,
    }));
    const frames = payloads.map((payload, i) => encoder.encode(MessageType.STATUS, payload, i));
    frames.forEach((frame, i) => {
      expect(decoder.decode(frame)).toMatchObject({ ok: true, payload: payloads[i], trailing: 0 });
    });
  });

  it('is memory of its own: to write into one message changes no other', () => {
    const frames = Array.from({ length: 300 }, (_, i) => encoder.encode(MessageType.HEARTBEAT, {}, i));
    for (const frame of frames.filter((_, i) => i % 2 === 0)) frame.fill(0xee);
    frames.forEach((frame, i) => {
      if (i % 2 === 1) expect(decoder.decode(frame)).toMatchObject({ ok: true, header: { sequenceId: i } });
    });
  });

  it('cannot be transferred away from under other messages', () => {
    const frames = Array.from({ length: 5 }, (_, i) => encoder.encode(MessageType.HEARTBEAT, {}, i));
    const { buffer } = frames[2] ?? new Uint8Array();
    try {
      structuredClone(buffer, { transfer: [buffer as ArrayBuffer] });
    } catch {
      // Refused from Node 21 on; Node 20 makes a copy.
    }
    expect(frames.map((frame) => decoder.validate(frame))).toEqual([true, true, true, true, true]);
    expect(decoder.validate(encoder.encode(MessageType.HEARTBEAT, {}, 6))).toBe(true);
  });

  it('does not hold on to what compression saved', () => {
    const bytes = encoder.encode(MessageType.INSTRUCTION, { instruction: ' '.repeat(1_000_000) }, 1);
    expect(bytes.length).toBeLessThan(12_000);
    expect(bytes.buffer.byteLength).toBeLessThan(100_000);
  });
});

describe('inputs out of range are refused (TOON-32)', () => {
  const encode = (...input: readonly unknown[]) => {
    return () => Reflect.apply(encoder.encode, encoder, input) as unknown;
  };

  it.each([
    ['type 0', [0, {}, 1]],
    ['type 9', [9, {}, 1]],
    ['a type by name', ['STATUS', {}, 1]],
    ['sequence id −1', [6, {}, -1]],
    ['sequence id 2^32', [6, {}, 2 ** 32]],
    ['no sequence id', [6, {}]],
    ['timestamp −1', [6, {}, 1, { timestamp: -1 }]],
    ['half a millisecond', [6, {}, 1, { timestamp: 0.5 }]],
    ['a number above 2^53 − 1, which may be rounded (TOON-28)', [6, {}, 1, { timestamp: 2 ** 53 }]],
    ['timestamp 2^64', [6, {}, 1, { timestamp: 2n ** 64n }]],
  ])('%s', (_, input) => {
    expect(encode(...input)).toThrow(RangeError);
  });

  it.each([
    ['null', [6, null, 1]],
    ['an array', [6, [], 1]],
    ['a text', [6, '{}', 1]],
    ['nothing', [6, undefined, 1]],
    ['an INSTRUCTION without instruction (TOON-35)', [1, {}, 1]],
    ['a TOOL_CALL without args (TOON-35)', [2, { toolName: 'x' }, 1]],
    ['what writes itself as nothing', [6, { toJSON: () => undefined }, 1]],
  ])('%s as payload', (_, input) => {
    expect(encode(...input)).toThrow(TypeError);
  });

  it('but not an integer of 64 bits, which is written with all its digits (TOON-56)', () => {
    const bytes = new TOONEncoder().encode(6, { n: 2512292042121000001n as unknown as number }, 1);
    expect(new TextDecoder().decode(bytes.subarray(18))).toBe('{"n":2512292042121000001}');
  });

  it('a payload that holds itself', () => {
    const payload: Record<string, unknown> = {};
    payload['self'] = payload;
    expect(encode(6, payload, 1)).toThrow(TypeError);
  });

  it('a clock that gives no time', () => {
    expect(() => new TOONEncoder({ now: () => NaN }).encode(6, {}, 1)).toThrow(RangeError);
  });

  it('but nothing at the limits', () => {
    for (const timestamp of [0, 9007199254740991, 9007199254740993n, 18446744073709551615n]) {
      const decoded = decoder.decode(encoder.encode(6, {}, 4294967295, { timestamp }));
      expect(decoded).toMatchObject({ ok: true, header: { timestamp, sequenceId: 4294967295 } });
    }
  });
});

describe('the helpers', () => {
  const began = Date.now();

  it.each([
    ['INSTRUCTION', TOONEncoder.encodeInstruction('...', 1), { instruction: '...' }],
    [
      'TOOL_CALL',
      TOONEncoder.encodeToolCall('file_read', { path: '...' }, 2),
      { toolName: 'file_read', args: { path: '...' } },
    ],
    ['STATUS', TOONEncoder.encodeStatus('working', 0.5, 3), { status: 'working', progress: 0.5 }],
    [
      'TOOL_RESULT',
      TOONEncoder.encodeToolResult(true, ['x'], 12, 4),
      { success: true, data: ['x'], duration: 12 },
    ],
    ['ERROR', TOONEncoder.encodeError('TOOL_FAILED', 'no', 5), { code: 'TOOL_FAILED', message: 'no' }],
    ['HEARTBEAT', TOONEncoder.encodeHeartbeat(6), {}],
    [
      'CONTEXT_REQUEST',
      TOONEncoder.encodeContextRequest({ type: 'file', path: 'a' }, 7),
      { type: 'file', path: 'a' },
    ],
    ['CONTEXT_RESPONSE', TOONEncoder.encodeContextResponse({ content: 'b' }, 8), { content: 'b' }],
  ] as const)('make a %s of now', (name, bytes, payload) => {
    const decoded = decoder.decode(bytes);
    expect(decoded).toMatchObject({ ok: true, payload, header: { version: 1, type: MessageType[name] } });
    if (!decoded.ok) return;
    expect(Math.abs(Number(decoded.header.timestamp) - began)).toBeLessThan(10_000);
  });

  it('take progress from 0 to 1 (TOON-36), and a duration from 0', () => {
    for (const progress of [45, -0.1, 1.01, NaN])
      expect(() => TOONEncoder.encodeStatus('working', progress, 3)).toThrow(RangeError);
    for (const duration of [-1, NaN, Infinity])
      expect(() => TOONEncoder.encodeToolResult(true, null, duration, 3)).toThrow(RangeError);
  });
});
