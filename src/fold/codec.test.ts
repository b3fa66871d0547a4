/** The codec against the protobuf encoding (protobuf.dev, "Encoding" and "JSON Mapping"), byte by byte. */
import { describe, expect, it } from 'vitest';
import type { Codec } from '../kit/base/index.ts';
import { agentCodec, serverCodec } from './codec.ts';
import type { AgentMessage, ServerMessage } from './messages.ts';

const hex = (...parts: string[]): Buffer => Buffer.from(parts.join('').replaceAll(' ', ''), 'hex');
/** Bytes as a plain Uint8Array, which protobufjs reads by other code than a Buffer. */
const plain = (bytes: Uint8Array): Uint8Array => new Uint8Array(bytes);

function decoded<M>(codec: Codec<M>, bytes: Uint8Array): M {
  const result = codec.decode(bytes);
  if (!result.ok) throw new Error(result.error.message);
  return result.value.message;
}

function noteOf<M>(codec: Codec<M>, bytes: Uint8Array): string | undefined {
  const result = codec.decode(bytes);
  return result.ok ? result.value.note : `refused: ${result.error.message}`;
}

/** A field of wire type 2 around bytes, and fields behind one another. */
const field = (tag: string, body: Uint8Array): Buffer => Buffer.concat([hex(tag), varint(body.length), body]);
function varint(n: number): Buffer {
  const bytes: number[] = [];
  for (; n > 0x7f; n = Math.floor(n / 128)) bytes.push((n % 128) | 0x80);
  return Buffer.from([...bytes, n]);
}
const utf8 = (text: string): Buffer => Buffer.from(text);
const inResponse = (...fields: Buffer[]): Buffer => field('12', Buffer.concat(fields));

describe('canonical messages', () => {
  it('have no default values, but the oneof member and the optional that were sent', () => {
    expect(decoded(agentCodec, inResponse(field('0a', utf8('')), field('1a', utf8(''))))).toEqual({
      response: { text: '' },
    });
    const state = field('6a', Buffer.concat([field('0a', utf8('')), hex('10 00'), field('1a', utf8(''))]));
    expect(decoded(agentCodec, inResponse(state))).toEqual({ response: { tool_state: { detail: '' } } });
    expect(decoded(agentCodec, hex('22 02 10 00'))).toEqual({ injection_ack: {} });
  });

  it('take the last of a field that was set twice', () => {
    const twice = inResponse(field('0a', utf8('first')), field('0a', utf8('second')), field('1a', utf8('x')));
    expect(decoded(agentCodec, twice)).toEqual({ response: { request_id: 'second', text: 'x' } });
    const reset = inResponse(field('0a', utf8('first')), field('0a', utf8('')), field('1a', utf8('x')));
    expect(decoded(agentCodec, reset)).toEqual({ response: { text: 'x' } });
  });

  it('read fields in any order', () => {
    const swapped = inResponse(field('1a', utf8('hi')), field('0a', utf8('r1')));
    expect(decoded(agentCodec, swapped)).toEqual({ response: { request_id: 'r1', text: 'hi' } });
  });

  it('keep a 64-bit integer exact, as a string', () => {
    for (const ms of ['9223372036854775807', '-9223372036854775808', '9007199254740993', '-1', '1']) {
      const bytes = agentCodec.encode({ heartbeat: { timestamp_ms: ms } });
      expect(decoded(agentCodec, bytes)).toEqual({ heartbeat: { timestamp_ms: ms } });
    }
    const max = hex('1a 0a 08 ff ff ff ff ff ff ff ff 7f');
    expect(decoded(agentCodec, max)).toEqual({ heartbeat: { timestamp_ms: '9223372036854775807' } });
  });

  it('keep an enum number that the schema does not know', () => {
    const bytes = inResponse(field('6a', Buffer.concat([field('0a', utf8('t')), hex('10 63')])));
    expect(decoded(agentCodec, bytes)).toEqual({ response: { tool_state: { id: 't', state: 99 } } });
    expect(Buffer.from(agentCodec.encode(decoded(agentCodec, bytes)))).toEqual(bytes);
  });

  it('keep a negative count', () => {
    const usage = { response: { usage: { input_tokens: -5 } } };
    expect(decoded(agentCodec, agentCodec.encode(usage))).toEqual(usage);
  });

  it('keep bytes as base64', () => {
    const file = { response: { file: { data: Buffer.from([0, 255, 254]).toString('base64') } } };
    expect(decoded(agentCodec, agentCodec.encode(file))).toEqual(file);
  });

  it('keep a text of 3 MiB', () => {
    for (const text of ['x'.repeat(3 << 20), 'é'.repeat(3 << 19), '𝄞'.repeat(3 << 18)]) {
      const bytes = agentCodec.encode({ response: { request_id: 'r', text } });
      expect(bytes.length).toBeGreaterThan(3 << 20);
      expect(decoded(agentCodec, bytes).response?.text === text).toBe(true);
    }
  });

  it('keep a text of any length around the lengths at which a varint grows', () => {
    for (const n of [0, 1, 39, 40, 41, 127, 128, 129, 16383, 16384, 16385]) {
      const message: AgentMessage = { response: { text: 'ü'.repeat(n) } };
      expect(decoded(agentCodec, agentCodec.encode(message))).toEqual(message);
    }
  });
});

describe('a map', () => {
  const secrets = (...entries: Buffer[]): Buffer =>
    field('0a', Buffer.concat(entries.map((e) => field('42', e))));
  const entry = (key: string, value: string): Buffer =>
    Buffer.concat([field('0a', utf8(key)), field('12', utf8(value))]);

  it('keeps every key, "__proto__" and "" too', () => {
    const message = decoded(
      serverCodec,
      secrets(entry('__proto__', 'x'), entry('constructor', 'y'), entry('', 'z')),
    );
    const map = message.welcome?.secrets ?? {};
    expect(Object.keys(map)).toEqual(['__proto__', 'constructor', '']);
    expect(Object.getOwnPropertyDescriptor(map, '__proto__')?.value).toBe('x');
    expect(Object.getPrototypeOf(map)).toBe(Object.prototype);
    expect(decoded(serverCodec, serverCodec.encode(message))).toEqual(message);
  });

  it('reads key and value in either order, absent ones as empty, and takes the last of a key', () => {
    const swapped = Buffer.concat([field('12', utf8('v')), field('0a', utf8('k'))]);
    expect(decoded(serverCodec, secrets(swapped)).welcome?.secrets).toEqual({ k: 'v' });
    expect(decoded(serverCodec, secrets(hex(''))).welcome?.secrets).toEqual({ '': '' });
    expect(decoded(serverCodec, secrets(entry('k', 'a'), entry('k', 'b'))).welcome?.secrets).toEqual({
      k: 'b',
    });
  });
});

describe('what decoding would hide is noted', () => {
  it('unknown fields of every wire type, with their number and place', () => {
    const text = field('1a', utf8('x'));
    for (const unknown of [
      'f8 01 05',
      'f9 01 01 02 03 04 05 06 07 08',
      'fa 01 02 68 69',
      'fd 01 01 02 03 04',
    ]) {
      expect(noteOf(agentCodec, inResponse(text, hex(unknown)))).toBe('unknown field 31 at response');
      expect(noteOf(agentCodec, Buffer.concat([inResponse(text), hex(unknown)]))).toBe('unknown field 31');
    }
    const nested = inResponse(field('22', Buffer.concat([field('0a', utf8('t')), hex('a0 06 01')])));
    expect(noteOf(agentCodec, nested)).toBe('unknown field 100 at response.tool_use');
  });

  it('a known field that came with another wire type', () => {
    expect(noteOf(agentCodec, inResponse(hex('18 05')))).toBe('field 3 with wire type 0 at response');
    expect(decoded(agentCodec, inResponse(hex('18 05')))).toEqual({ response: {} });
  });

  it('a oneof of which two members were set', () => {
    const two = inResponse(field('1a', utf8('x')), field('3a', utf8('y')));
    expect(noteOf(agentCodec, two)).toMatch(/2 members of event set/);
    const same = inResponse(field('1a', utf8('x')), field('1a', utf8('y')));
    expect(noteOf(agentCodec, same)).toMatch(/2 members of event set/);
    const payloads = Buffer.concat([inResponse(field('1a', utf8('x'))), hex('1a 00')]);
    expect(noteOf(agentCodec, payloads)).toMatch(/2 members of payload set/);
  });

  it('and nothing of one message is noted at the next', () => {
    expect(noteOf(agentCodec, hex('f8 01 05'))).toBe('unknown field 31');
    expect(noteOf(agentCodec, hex('f8 01'))).toMatch(/^refused/);
    expect(noteOf(agentCodec, inResponse(field('1a', utf8('x'))))).toBeUndefined();
  });

  // protobuf.dev, "Oneof Features": of several members of a oneof only the last is in the parsed message.
  it('of two members the last is in the message', () => {
    const two = inResponse(field('3a', utf8('early')), field('1a', utf8('late')));
    expect(decoded(agentCodec, two)).toEqual({ response: { text: 'late' } });
  });

  it('an unknown field in a map entry', () => {
    const entry = Buffer.concat([field('0a', utf8('k')), hex('18 05')]);
    expect(noteOf(serverCodec, field('0a', field('42', entry)))).toMatch(/unknown field 3/);
  });
});

/** Bytes that are no message, and why. */
const refused: readonly (readonly [string, Uint8Array])[] = [
  ['a tag without its value', hex('12')],
  ['a varint that does not end', hex('12 80')],
  ['a nested message cut short', hex('12 05 1a 03 61')],
  ['a nested length beyond the message', hex('12 7f 1a 01 61')],
  ['a length near 2^32', hex('12 ff ff ff ff 0f 1a 01 61')],
  [
    'a text that reaches beyond its nested message into the next field',
    Buffer.concat([hex('12 03 1a 02 61'), hex('1a 00')]),
  ],
  ['bytes that reach beyond the end', hex('12 05 42 03 1a 05 61')],
  ['a fixed64 cut short', hex('f9 01 01 02')],
  [
    'an unknown field that reaches beyond its nested message',
    Buffer.concat([hex('12 03 fa 01 03'), hex('1a 00 1a 00')]),
  ],
  ['field number 0', hex('02 00')],
  ['wire type 6', hex('fe 01 00')],
  ['wire type 7', hex('ff 01 00')],
  ['a group that does not end', hex('fb 01 08 01')],
  ['an end of a group that did not begin', hex('fc 01')],
  ['a varint of eleven bytes', hex('f8 01 ff ff ff ff ff ff ff ff ff ff 01')],
  ['a text that reaches beyond the end', hex('12 03 1a 05 61')],
  ['a repeated text that reaches beyond the end', hex('0a 03 1a 05 61')],
  ['a group in a group, 50,000 deep', Buffer.alloc(50_000, 0xfb).fill(hex('fb 01'))],
];

/** Bytes that are no UTF-8 (RFC 3629): proto3 strings are refused with them. */
const notUtf8: readonly (readonly [string, string])[] = [
  ['a byte that never occurs', 'ff'],
  ['an overlong character', 'c0 af'],
  ['a character beyond U+10FFFF', 'f4 90 80 80'],
  ['a lone continuation byte', '80'],
  ['a character cut short', 'e2 82'],
  ['a surrogate half', 'ed a0 80'],
  ['a replacement character and a bad byte', 'ef bf bd ff'],
];

/** That both a Buffer and a plain Uint8Array of these bytes are refused. */
function expectRefusal(_: string, bytes: Uint8Array): void {
  for (const form of [Buffer.from(bytes), plain(bytes)]) {
    const result = agentCodec.decode(form);
    expect(result.ok ? result.value : result.error.code).toBe('undecodable');
  }
}

describe('refuses', () => {
  it.each(refused)('%s', expectRefusal);

  it.each(notUtf8)('a text with %s', (name, bad) =>
    expectRefusal(name, inResponse(field('1a', hex('61', bad)))),
  );

  it('a map entry with field number 0, or that reaches beyond its end', () => {
    for (const entry of ['0a 02 01', '00 05']) {
      const result = serverCodec.decode(field('0a', field('42', hex(entry))));
      expect(result.ok ? result.value : result.error.code).toBe('undecodable');
    }
  });

  it('an enum name that the schema lacks, when encoding', () => {
    const message = { inject_context: { priority: 'URGENT' } } as unknown as ServerMessage;
    expect(() => serverCodec.encode(message)).toThrow(/no such enum value: URGENT/);
  });
});

it('accepts U+FFFD where it was sent as such', () => {
  const bytes = inResponse(field('1a', utf8('a\uFFFDb')));
  expect(decoded(agentCodec, bytes)).toEqual({ response: { text: 'a\uFFFDb' } });
});

it('has the protocol types by name', () => {
  expect([agentCodec.name, serverCodec.name]).toEqual(['coven.AgentMessage', 'coven.ServerMessage']);
});

describe('a text that UTF-8 cannot write', () => {
  // proto3, "Scalar Value Types": a string must always contain UTF-8 text. The short and the long path of the writer differ.
  it.each([0, 1, 60, 5000])(
    'is written with U+FFFD in place of a lone surrogate, after %i letters',
    (letters) => {
      const text = (lone: string): AgentMessage => ({
        response: { request_id: 'r', text: `${'x'.repeat(letters)}${lone}y` },
      });
      for (const lone of ['\ud800', '\udc00', '\udc00\ud800']) {
        const bytes = agentCodec.encode(text(lone));
        expect(Buffer.from(bytes.slice(-4)).toString('hex')).toBe('efbfbd79');
        expect(decoded(agentCodec, bytes)).toEqual(text('\ufffd'.repeat(lone.length)));
      }
      expect(decoded(agentCodec, agentCodec.encode(text('\u{1f600}')))).toEqual(text('\u{1f600}'));
    },
  );
});
