/** The reference codec as a testee: the operations as spec/toon/README.md has them, and requests that are malformed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../kit/base/index.ts';
import { packageRoot } from '../kit/spec/index.ts';
import { toonTestee } from './testee.ts';

const heartbeat = '0106020000000068e5cf8b010000010000007b7d';
const header = { version: 1, type: 6, payloadLength: 2, timestamp: '1700000000000', sequenceId: 1 };
const ask = (op: string, fields: JsonObject = {}): JsonObject => toonTestee({ id: 7, op, ...fields });
const encode = (fields: JsonObject = {}): JsonObject =>
  ask('toon.encode', {
    type: 'HEARTBEAT',
    payload: {},
    sequenceId: 1,
    timestamp: '1700000000000',
    ...fields,
  });
const codeOf = (answer: JsonObject): unknown => (answer['error'] as JsonObject | undefined)?.['code'];

describe('the testee', () => {
  it('says who it is, with the version of this package', () => {
    const { version } = JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as {
      version: string;
    };
    expect(ask('hello')).toEqual({
      id: 7,
      ok: {
        name: 'wireproof reference',
        version,
        ops: [
          'hello',
          'toon.encode',
          'toon.decode',
          'toon.validate',
          'toon.rle.encode',
          'toon.rle.decode',
          'toon.stream',
        ],
        codes: true,
      },
    });
  });

  it('encodes', () => {
    expect(encode()).toEqual({ id: 7, ok: { wire: heartbeat } });
    const long = { type: 'INSTRUCTION', payload: { instruction: 'x'.repeat(1100) } };
    expect(encode(long)).toEqual({
      id: 7,
      ok: {
        wire: `0101220000000068e5cf8b010000010000005a7b22696e737472756374696f6e223a22${'ff78ff'.repeat(4)}ff7850227d`,
      },
    });
    expect(String((encode({ ...long, compress: false })['ok'] as JsonObject)['wire']).length).toBe(
      2 * (18 + 1118),
    );
    expect(encode({ timestamp: '18446744073709551615' })['ok']).toEqual({
      wire: '010602000000ffffffffffffffff010000007b7d',
    });
  });

  it('decodes', () => {
    expect(ask('toon.decode', { wire: heartbeat })).toEqual({
      id: 7,
      ok: { header, payload: {}, trailing: 0 },
    });
    expect(ask('toon.decode', { wire: `${heartbeat}ff00` })).toEqual({
      id: 7,
      ok: { header, payload: {}, trailing: 2 },
    });
    const stamped = heartbeat.replace('0068e5cf8b010000', '0100000000002000');
    expect(ask('toon.decode', { wire: stamped })).toMatchObject({
      ok: { header: { timestamp: '9007199254740993' } },
    });
  });

  it('validates', () => {
    expect(ask('toon.validate', { wire: heartbeat })).toEqual({ id: 7, ok: { valid: true } });
    expect(ask('toon.validate', { wire: '01' })).toEqual({ id: 7, ok: { valid: false } });
  });

  it('encodes and decodes run lengths, without magic', () => {
    expect(ask('toon.rle.encode', { bytes: '4141414141' })).toEqual({ id: 7, ok: { bytes: 'ff4105' } });
    expect(ask('toon.rle.decode', { bytes: 'ff4105' })).toEqual({ id: 7, ok: { bytes: '4141414141' } });
    expect(ask('toon.rle.encode', { bytes: '' })).toEqual({ id: 7, ok: { bytes: '' } });
  });

  it('reads streams: the messages, how many frames were refused, how many bytes wait', () => {
    const two = heartbeat.replace(/^01/, '02');
    expect(
      ask('toon.stream', { chunks: [heartbeat.slice(0, 10), heartbeat.slice(10) + two, `${heartbeat}0106`] }),
    ).toEqual({
      id: 7,
      ok: {
        messages: [
          { header, payload: {} },
          { header, payload: {} },
        ],
        skipped: 1,
        pending: 2,
      },
    });
    const over = `0106ffffffff${'00'.repeat(12)}`;
    expect(ask('toon.stream', { chunks: [heartbeat + over + heartbeat] })).toMatchObject({
      ok: { messages: [{ header }], skipped: 1, pending: 0 },
    });
  });

  it.each([
    ['too-short', 'toon.decode', { wire: '0106' }],
    ['truncated', 'toon.decode', { wire: heartbeat.slice(0, -2) }],
    ['bad-version', 'toon.decode', { wire: heartbeat.replace(/^01/, '02') }],
    ['bad-type', 'toon.decode', { wire: heartbeat.replace(/^0106/, '0109') }],
    ['bad-utf8', 'toon.decode', { wire: heartbeat.replace(/7b7d$/, '22ff') }],
    ['bad-json', 'toon.decode', { wire: heartbeat.replace(/7b7d$/, '7b7b') }],
    ['bad-payload', 'toon.decode', { wire: heartbeat.replace(/7b7d$/, '5b5d') }],
    ['too-large', 'toon.decode', { wire: heartbeat.replace('02000000', 'ffffffff') }],
    ['bad-rle', 'toon.rle.decode', { bytes: 'ff41' }],
    ['too-large', 'toon.rle.decode', { bytes: 'ff41ff'.repeat(70_000) }],
  ])('refuses with the code %s', (code, op, fields) => {
    expect(codeOf(ask(op, fields))).toBe(code);
  });

  it.each([
    ['a type that is none', { type: 'PING' }],
    ['a type that objects have', { type: 'constructor' }],
    ['no payload', { payload: null }],
    ['a payload that is no object', { payload: [] }],
    ['a payload without what its type requires', { type: 'INSTRUCTION' }],
    ['a sequence id of 33 bits', { sequenceId: 4294967296 }],
    ['a sequence id below 0', { sequenceId: -1 }],
    ['a sequence id as text', { sequenceId: '9007199254740993' }],
    ['a timestamp of 65 bits', { timestamp: '18446744073709551616' }],
    ['a timestamp below 0', { timestamp: '-1' }],
    ['a timestamp as number', { timestamp: 1700000000000 }],
    ['compress that is neither', { compress: 'yes' }],
  ])('calls %s bad input', (_, fields) => {
    expect(codeOf(encode(fields))).toBe('bad-input');
  });

  it('calls bytes that are no lowercase hex bad input', () => {
    for (const wire of ['0', 'FF', 'zz', 7, null])
      expect(codeOf(ask('toon.decode', { wire }))).toBe('bad-input');
    expect(codeOf(ask('toon.decode'))).toBe('bad-input');
    for (const chunks of [heartbeat, [7], null])
      expect(codeOf(ask('toon.stream', { chunks }))).toBe('bad-input');
  });

  it('leaves other operations to others, and answers requests without anything', () => {
    expect(ask('toon.compress')).toEqual({ id: 7, unsupported: true });
    expect(toonTestee({ id: 'a' })).toEqual({ id: 'a', unsupported: true });
    expect(toonTestee({})).toEqual({ id: null, unsupported: true });
    expect(toonTestee({ id: 1, op: 'constructor' })).toEqual({ id: 1, unsupported: true });
  });

  it('gives only answers that can be written: a payload may be read at any depth', () => {
    const json = `{"a":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
    const length = Buffer.alloc(4);
    length.writeUInt32LE(json.length);
    const wire = `0106${length.toString('hex')}${'00'.repeat(12)}${Buffer.from(json).toString('hex')}`;
    const answer = ask('toon.decode', { wire });
    expect(() => JSON.stringify(answer)).not.toThrow();
    expect(codeOf(answer)).toBe('bad-json');
  });
});
