/** What decoding hides: compression that should not have been, or not so; byte order marks; payloads that are no objects. */
import { describe, expect, it } from 'vitest';
import { TOONDecoder } from './decoder.ts';
import { TOONEncoder } from './encoder.ts';
import { MessageType } from '../messages.ts';

const utf8 = (text: string): string => Buffer.from(text).toString('hex');

/** A frame with any payload in hex. */
function frame(type: number, payload: string): Uint8Array {
  const head = Buffer.alloc(18);
  head[0] = 1;
  head[1] = type;
  head.writeUInt32LE(payload.length / 2, 2);
  return new Uint8Array(Buffer.concat([head, Buffer.from(payload, 'hex')]));
}

const decoder = new TOONDecoder();

function notesOf(input: Uint8Array): readonly string[] {
  const decoded = decoder.decode(input);
  return decoded.ok ? decoded.notes : [decoded.error.code];
}

describe('notes: what a sender must not send, and a reader may take', () => {
  const text = (size: number): string => JSON.stringify({ status: ' '.repeat(size - 13) });
  const words = (input: Uint8Array): string[] => notesOf(input).map((note) => note.split(': ')[0] ?? '');

  it('are none of what an encoder gives', () => {
    const encoder = new TOONEncoder({ now: () => 0 });
    for (const size of [0, 4, 255, 256, 300, 1020, 1275, 5000])
      for (const content of ['x', ' ', 'ab'])
        expect(notesOf(encoder.encode(MessageType.STATUS, { status: content.repeat(size) }, 1))).toEqual([]);
  });

  it('compressed-small: 1024 bytes or fewer (TOON-14)', () => {
    const coded = (spaces: number): Uint8Array =>
      frame(
        4,
        `5a${utf8('{"status":"')}${'ff20ff'.repeat(Math.floor(spaces / 255))}ff20${(spaces % 255).toString(16)}${utf8('"}')}`,
      );
    expect(notesOf(coded(1011))).toEqual([
      'compressed-small: 1024 bytes, and only more than 1024 may be compressed',
    ]);
    expect(notesOf(coded(1012))).toEqual([]);
  });

  it('compressed-not-shorter: a tie is no offence (TOON-15)', () => {
    const plain = utf8(`{"status":"${'ab'.repeat(600)}`);
    expect(words(frame(4, `5a${plain}${utf8('"}')}`))).toEqual(['compressed-not-shorter']);
    expect(words(frame(4, `5a${plain}ff2004${utf8('"}')}`))).toEqual([]);
    expect(words(frame(4, `5a${plain}ff2005${utf8('"}')}`))).toEqual([]);
  });

  it.each([
    ['a run of 4 in literals (TOON-19)', '20202020', ['run-literal']],
    ['a triple and 4 literals (TOON-19)', 'ff200520202020', ['run-literal']],
    ['two triples for one (TOON-20)', 'ff2004ff2005', ['run-split']],
    ['a triple and under 4 literals that it could hold (TOON-20)', 'ff200520', ['run-split']],
    ['the same, the other way round (TOON-20)', '20ff2005', ['run-split']],
    ['split elsewhere than at 255 (TOON-20)', 'ff20feff2005', ['run-split']],
    ['a remainder under 4 as a triple (TOON-20)', 'ff20ffff2003', ['run-split', 'count-small']],
    ['a run of 3 in a triple (TOON-19)', '41ff2003', ['count-small', 'run-short']],
    ['a single byte in a triple (TOON-19)', 'ff2001', ['count-small', 'run-short']],
    ['both', '2020202041ff2004ff2004', ['run-literal', 'run-split']],
    ['nothing: 255 and a triple', 'ff20ffff2004', []],
    ['nothing: 255 and 3 literals', 'ff20ff202020', []],
    ['nothing: 510', 'ff20ffff20ff', []],
    ['nothing: 3 literals', '202020', []],
  ])('of %s', (_, middle, expected) => {
    const rest = 'ff78ff'.repeat(5);
    expect(words(frame(4, `5a${utf8('{"status":"')}${middle}${utf8('a')}${rest}${utf8('"}')}`))).toEqual(
      expected,
    );
  });

  it('say which bytes, and where on the wire', () => {
    const input = `5a${utf8('{"status":"')}20202020${utf8('a')}${'ff78ff'.repeat(5)}${utf8('"}')}`;
    expect(notesOf(frame(4, input))).toEqual(['run-literal: 4 of 4 × 0x20 at @30 are literals']);
    const split = `5a${utf8('{"status":"')}ff2004ff2004${'ff78ff'.repeat(5)}${utf8('"}')}`;
    expect(notesOf(frame(4, split))).toEqual(['run-split: 8 × 0x20 at @30 are in 2 triples and 0 literals']);
  });

  it('bom: a byte order mark (TOON-12), plain or compressed', () => {
    expect(decoder.decode(frame(6, `efbbbf${utf8('{"a":1}')}`))).toMatchObject({
      ok: true,
      payload: { a: 1 },
      notes: ['bom: the payload begins with a byte order mark'],
    });
    expect(words(frame(4, `5aefbbbf${utf8(text(1500)).replace(/(20)+/, 'ff20ff'.repeat(6))}`))).toEqual([
      'bom',
    ]);
  });

  it('not-object: of types that require no field (TOON-13); whoever is strict refuses it (TOON-45)', () => {
    const strict = new TOONDecoder({ strict: true });
    for (const type of [6, 7, 8])
      for (const value of ['[]', 'null', '7', '"x"', 'true']) {
        expect(words(frame(type, utf8(value)))).toEqual(['not-object']);
        expect(strict.decode(frame(type, utf8(value)))).toMatchObject({
          error: { code: 'bad-payload', path: '' },
        });
      }
    expect(strict.decode(frame(6, utf8('{}'))).ok).toBe(true);
    expect(words(frame(6, `efbbbf${utf8('[]')}`))).toEqual(['bom', 'not-object']);
  });
});
