/** Bytes to messages: what is read, what is refused and why, what is noted. */
import { describe, expect, it } from 'vitest';
import { TOONDecoder } from './decoder.ts';
import { TOONEncoder } from './encoder.ts';
import { MessageType } from '../messages.ts';

const decoder = new TOONDecoder();
const bytes = (hex: string): Uint8Array => new Uint8Array(Buffer.from(hex, 'hex'));
const utf8 = (text: string): string => Buffer.from(text).toString('hex');

/** A frame of 1700000000000 and sequence id 1, with any payload in hex. */
function frame(type: number, payload: string, { version = 1, length = payload.length / 2 } = {}): Uint8Array {
  const head = Buffer.alloc(18);
  head[0] = version;
  head[1] = type;
  head.writeUInt32LE(length, 2);
  head.writeBigUInt64LE(1700000000000n, 6);
  head.writeUInt32LE(1, 14);
  return new Uint8Array(Buffer.concat([head, Buffer.from(payload, 'hex')]));
}

const heartbeat = frame(6, utf8('{}'));
const json = (type: number, text: string): Uint8Array => frame(type, utf8(text));

/** The code and the place of a refusal; undefined when there is none. */
function fault(input: Uint8Array, options = {}): readonly [string, string] | undefined {
  const decoded = new TOONDecoder(options).decode(input);
  return decoded.ok ? undefined : [decoded.error.code, decoded.error.path];
}

describe('a message', () => {
  it('of the known answers is read', () => {
    expect(decoder.decode(bytes('0106020000000068e5cf8b010000010000007b7d'))).toEqual({
      ok: true,
      header: { version: 1, type: 6, payloadLength: 2, timestamp: 1700000000000, sequenceId: 1 },
      payload: {},
      trailing: 0,
      notes: [],
    });
    const known = `0103330000000068e5cf8b01000007000000${utf8('Z{"success":true,"data":"')}${'ff78ff'.repeat(7)}ff78d7227d`;
    expect(decoder.decode(bytes(known))).toEqual({
      ok: true,
      header: { version: 1, type: 3, payloadLength: 51, timestamp: 1700000000000, sequenceId: 7 },
      payload: { success: true, data: 'x'.repeat(2000) },
      trailing: 0,
      notes: [],
      expandedLength: 2026,
    });
  });

  it('of the document is read without success in it when the type asks for none', () => {
    // The protocol's page has `data` alone, as HEARTBEAT-like payloads may; TOON-35 asks TOOL_RESULT for success.
    const payload = `5a7b2264617461223a22${'ff78ff'.repeat(7)}ff78d7227d`;
    expect(decoder.decode(frame(8, payload))).toMatchObject({
      ok: true,
      payload: { data: 'x'.repeat(2000) },
    });
    expect(fault(frame(3, payload))).toEqual(['bad-payload', 'success']);
  });

  it.each([
    ['2^53 − 1', 2n ** 53n - 1n, 9007199254740991],
    ['2^53', 2n ** 53n, 9007199254740992n],
    ['2^53 + 1', 2n ** 53n + 1n, 9007199254740993n],
    ['2^64 − 1', 2n ** 64n - 1n, 18446744073709551615n],
  ])('has a timestamp of %s exactly (TOON-28)', (_, stamp, expected) => {
    const input = Buffer.from(heartbeat);
    input.writeBigUInt64LE(stamp, 6);
    expect(decoder.decode(input)).toMatchObject({ ok: true, header: { timestamp: expected } });
  });

  it('may be a part of something larger', () => {
    const all = Buffer.concat([Buffer.alloc(7, 0xee), heartbeat]);
    expect(decoder.decode(all.subarray(7))).toMatchObject({ ok: true, trailing: 0 });
    expect(decoder.decode(new Uint8Array(all.buffer, all.byteOffset + 7, 20))).toMatchObject({ ok: true });
  });

  it('is read to its end; what follows is counted, and not looked at (TOON-09, 44)', () => {
    const longer = Uint8Array.from([...heartbeat, 0xff, 0x5a, 0x7b]);
    expect(decoder.decode(longer)).toMatchObject({ ok: true, payload: {}, trailing: 3, notes: [] });
  });

  it('may be compressed at any size (TOON-17), told by its first byte alone (TOON-18)', () => {
    expect(decoder.decode(frame(6, `5a${utf8('{}')}`))).toMatchObject({
      ok: true,
      payload: {},
      expandedLength: 2,
    });
    expect(decoder.decode(json(6, ' {"Z":"Z"}'))).toMatchObject({ ok: true, payload: { Z: 'Z' } });
  });

  it('has what JSON says, whatever its keys: none of them pollutes', () => {
    const text =
      '{"status":"x","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"a":1,"a":2}';
    const decoded = decoder.decode(json(4, text));
    expect(decoded.ok && JSON.stringify(decoded.payload)).toBe(text.replace('"a":1,', ''));
    expect(decoded.ok && Object.getPrototypeOf(decoded.payload)).toBe(Object.prototype);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe('a refusal', () => {
  it.each([
    ['nothing (TOON-04)', bytes(''), 'too-short', '@0'],
    ['17 bytes (TOON-04)', heartbeat.subarray(0, 17), 'too-short', '@0'],
    ['a header without its payload (TOON-05)', heartbeat.subarray(0, 18), 'truncated', '@18'],
    ['a payload without its last byte (TOON-05)', heartbeat.subarray(0, 19), 'truncated', '@19'],
    ['version 0 (TOON-06)', frame(6, utf8('{}'), { version: 0 }), 'bad-version', '@0'],
    ['version 2 (TOON-06)', frame(6, utf8('{}'), { version: 2 }), 'bad-version', '@0'],
    ['type 0 (TOON-07)', json(0, '{}'), 'bad-type', '@1'],
    ['type 9 (TOON-07)', json(9, '{}'), 'bad-type', '@1'],
    ['type 255 (TOON-07)', json(255, '{}'), 'bad-type', '@1'],
    ['version 2 that is cut off', frame(6, '', { version: 2, length: 100 }), 'bad-version', '@0'],
    ['4 GiB, on the header (TOON-26)', frame(6, '', { length: 4294967295 }), 'too-large', '@2'],
    ['16 MiB and a byte, on the header (TOON-26)', frame(6, '', { length: 16777217 }), 'too-large', '@2'],
    [
      '4 GiB of version 2, which nobody may skip (TOON-39)',
      frame(6, '', { version: 2, length: 4294967295 }),
      'too-large',
      '@2',
    ],
    ['no payload (TOON-11)', frame(6, ''), 'bad-json', '@18'],
    ['no payload but a message behind it', Uint8Array.from([...frame(6, ''), 0x5a]), 'bad-json', '@18'],
    ['malformed JSON (TOON-11)', json(6, '{'), 'bad-json', '@18'],
    ['two values (TOON-11)', json(6, '{}{}'), 'bad-json', '@18'],
    ['NaN (TOON-11)', json(4, '{"status":"x","progress":NaN}'), 'bad-json', '@18'],
    ['Infinity (TOON-11)', json(4, '{"status":"x","progress":-Infinity}'), 'bad-json', '@18'],
    ['a single quote (TOON-11)', json(6, "{'a':1}"), 'bad-json', '@18'],
    ['a byte order mark and nothing else', frame(6, 'efbbbf'), 'bad-json', '@18'],
    ['two byte order marks', frame(6, `efbbbfefbbbf${utf8('{}')}`), 'bad-json', '@18'],
    ['a compressed nothing', frame(6, '5a'), 'bad-json', '@18'],
    ['a triple that is cut off (TOON-24)', frame(6, `5a${utf8('{}')}ff20`), 'bad-rle', '@21'],
    ['a count of 0 (TOON-22)', frame(6, `5a${utf8('{}')}ff2000`), 'bad-rle', '@23'],
    ['a second magic (TOON-25)', frame(6, `5a5a${utf8('{}')}`), 'bad-json', '@18'],
    ['a missing field (TOON-35)', json(1, '{}'), 'bad-payload', 'instruction'],
    ['an array where a field is required (TOON-13)', json(1, '[]'), 'bad-payload', ''],
  ])('of %s', (_, input, code, path) => {
    expect(fault(input)).toEqual([code, path]);
    expect(decoder.validate(input)).toBe(false);
  });

  // RFC 3629: no lone continuation, no overlong form, no surrogate, nothing above U+10FFFF, nothing cut off.
  it.each([
    '80',
    'bf',
    'c080',
    'c1bf',
    'e08080',
    'eda080',
    'edbfbf',
    'f0808080',
    'f4908080',
    'f5808080',
    'fe',
    'ff',
    'c3',
    'e282',
    'f09d84',
  ])('of invalid UTF-8 (TOON-10): %s', (bad) => {
    const string = (inner: string): string => `${utf8('{"a":"')}${inner}${utf8('"}')}`;
    expect(fault(frame(6, string(bad)))).toEqual(['bad-utf8', '@18']);
    // Also after a U+FFFD that is one, and after characters of every length.
    expect(fault(frame(6, string(`${utf8('é€𝄞\uFFFDx')}${bad}`)))).toEqual(['bad-utf8', '@18']);
    if (!bad.includes('ff')) expect(fault(frame(6, `5a${string(bad)}`))).toEqual(['bad-utf8', '@18']);
    expect(fault(frame(6, `5a${utf8('{"a":"')}ff${bad.slice(0, 2)}04${utf8('"}')}`))).toEqual([
      'bad-utf8',
      '@18',
    ]);
  });

  it('says where UTF-8 ends', () => {
    const decoded = decoder.decode(frame(6, `${utf8('{"a":"é\uFFFD€𝄞')}80${utf8('"}')}`));
    // {"a":" is 6 bytes, then 2 + 3 + 3 + 4.
    expect(!decoded.ok && decoded.error.message).toBe(
      'expected UTF-8 in the payload; byte 18 of it, once expanded, is none',
    );
  });

  it('does not come where U+FFFD stands for itself', () => {
    for (const text of ['\uFFFD', 'é\uFFFD𝄞\uFFFD\uFFFDx', '\uFEFF'])
      expect(decoder.decode(json(4, JSON.stringify({ status: text })))).toMatchObject({
        ok: true,
        payload: { status: text },
      });
  });

  it('says what was expected and what came', () => {
    const message = (input: Uint8Array): string | false => {
      const decoded = decoder.decode(input);
      return !decoded.ok && decoded.error.message;
    };
    expect(message(bytes('0106'))).toBe('expected 18 bytes of header; came 2');
    expect(message(json(9, '{}'))).toBe('expected a message type from 1 to 8; came 9');
    expect(message(heartbeat.subarray(0, 19))).toBe('expected 2 bytes of payload; came 1');
    expect(message(json(6, '{]'))).toMatch(/^expected JSON in the payload; /);
  });

  it.each([
    '{}',
    '{"instruction":"hi"}',
    '{"toolName":"file_read","args":{"path":"src/services/user.ts"}}\n',
  ])('of bare JSON names the likely mistake (TOON-43): %s', (text) => {
    const decoded = decoder.decode(bytes(utf8(text)));
    expect(!decoded.ok && decoded.error.message).toContain(
      'this looks like bare JSON without the 18-byte header',
    );
  });

  it('of anything else does not', () => {
    for (const input of [bytes('7a'), frame(6, utf8('{'), { version: 2 }), json(9, '{}')]) {
      const decoded = decoder.decode(input);
      expect(!decoded.ok && decoded.error.message).not.toContain('bare');
    }
  });
});

describe('limits (TOON-26)', () => {
  const large = new TOONEncoder({ now: () => 0 }).encode(
    MessageType.INSTRUCTION,
    { instruction: ' '.repeat(2000) },
    1,
  );

  it('are options: the payload on the wire, and what it expands to', () => {
    expect(fault(large, { maxPayload: large.length - 18 })).toBeUndefined();
    expect(fault(large, { maxPayload: large.length - 19 })).toEqual(['too-large', '@2']);
    expect(fault(large, { maxExpanded: 2018 })).toBeUndefined();
    expect(fault(large, { maxExpanded: 2017 })?.[0]).toBe('too-large');
  });

  it('are whole numbers of bytes, and no more than a text can have', () => {
    for (const maxPayload of [NaN, -1, 0.5, Infinity, 2 ** 29])
      expect(() => new TOONDecoder({ maxPayload })).toThrow(RangeError);
    for (const maxExpanded of [NaN, -1]) expect(() => new TOONDecoder({ maxExpanded })).toThrow(RangeError);
  });

  it('hold before memory is taken: 4 GiB are refused on the header, a bomb by counting', () => {
    const used = (): number => process.memoryUsage().external + process.memoryUsage().arrayBuffers;
    const triples = Buffer.alloc(1048575, Buffer.from('ff41ff', 'hex'));
    const bomb = frame(6, `5a${triples.toString('hex')}`);
    const announced = frame(6, utf8('{}'), { length: 4294967295 });
    const before = used();
    let most = 0;
    for (let i = 0; i < 20; i++) {
      expect(fault(bomb)?.[0]).toBe('too-large');
      expect(fault(announced)).toEqual(['too-large', '@2']);
      most = Math.max(most, used() - before);
    }
    expect(most).toBeLessThan(16 * 1024 * 1024);
  });

  it("of depth are the parser's: what is too deep for it is refused, and nothing is thrown", () => {
    const deep = (n: number): Uint8Array => json(6, `{"a":${'['.repeat(n)}${']'.repeat(n)}}`);
    expect(fault(deep(300))).toBeUndefined();
    for (const input of [deep(1_000_000), json(6, '['.repeat(1_000_000)), json(6, '{"a":'.repeat(1_000_000))])
      expect(() => decoder.decode(input)).not.toThrow();
  });
});
