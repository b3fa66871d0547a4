/** The reference codec as a testee: the operations as spec/koda/README.md has them, and requests that are malformed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../kit/base/index.ts';
import { packageRoot } from '../kit/spec/index.ts';
import { kodaTestee, kodaTesteeWith } from './testee.ts';

const ask = (op: string, fields: JsonObject = {}, testee = kodaTestee): JsonObject =>
  testee({ id: 7, op, ...fields });
const decode = (kind: string, text: string): JsonObject => ask('koda.decode', { kind, text });
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
        ops: ['hello', 'koda.decode', 'koda.encode'],
        codes: true,
      },
    });
  });

  it('answers the examples of the README', () => {
    expect(decode('command', '{"text":"x","type":"user_prompt"}')).toEqual({
      id: 7,
      ok: { text: '{"type":"user_prompt","text":"x","images":[]}' },
    });
    expect(decode('event', '{"type":"text_delta"}')).toEqual({
      id: 7,
      error: { code: 'missing-field', message: 'text is missing' },
    });
  });

  it('encodes any valid spelling, with all digits of its numbers', () => {
    const text =
      ' {"is_sub_agent":true,"args":{"n":18446744073709551615,"x":1.50},"name":"n","id":"\\u0031","type":"tool_call_start"}';
    const written =
      '{"type":"tool_call_start","id":"1","name":"n","args":{"n":18446744073709551615,"x":1.5},"is_sub_agent":true}';
    expect(ask('koda.encode', { kind: 'event', text })).toEqual({ id: 7, ok: { text: written } });
    expect(ask('koda.decode', { kind: 'event', text: written })).toEqual({ id: 7, ok: { text: written } });
  });

  it.each([
    ['bad-json', '{"type":"text_done",}'],
    ['bad-json', '{"type":"text_done","x":1e400}'],
    ['bad-tag', '{"type":"Text_done"}'],
    ['missing-field', '{"type":"info"}'],
    ['missing-field', '{}'],
    ['bad-type', '{"type":"info","message":1}'],
    ['bad-type', '["text_done"]'],
    ['out-of-range', '{"type":"context_usage","used":-1,"max":0}'],
    ['duplicate-field', '{"type":"info","message":"","message":""}'],
    ['too-deep', `{"type":"text_done","x":${'['.repeat(127)}${']'.repeat(127)}}`],
    ['too-large', `{"type":"text_done","x":"${'x'.repeat(1 << 20)}"}`],
  ])('refuses with the code %s: %s', (code, text) => {
    expect(codeOf(decode('event', text))).toBe(code);
    expect(codeOf(ask('koda.encode', { kind: 'event', text }))).toBe(code);
  });

  it('reads as serde does, when it is told so', () => {
    const free = kodaTesteeWith({ serde: true });
    const text = '{"type":"approval_response","id":"a","decision":[2,"f"]}';
    expect(codeOf(decode('command', text))).toBe('bad-type');
    expect(ask('koda.decode', { kind: 'command', text }, free)).toEqual({
      id: 7,
      ok: {
        text: '{"type":"approval_response","id":"a","decision":{"decision":"reject_with_feedback","feedback":"f"}}',
      },
    });
  });

  it('calls other requests bad input, and leaves other operations to others', () => {
    expect(codeOf(ask('koda.decode', { kind: 'reply', text: '{}' }))).toBe('bad-input');
    expect(codeOf(ask('koda.decode', { kind: 'event' }))).toBe('bad-input');
    expect(codeOf(ask('koda.encode', { kind: 'event', text: { type: 'text_done' } }))).toBe('bad-input');
    expect(codeOf(ask('koda.encode'))).toBe('bad-input');
    expect(ask('koda.judge')).toEqual({ id: 7, unsupported: true });
    expect(kodaTestee({})).toEqual({ id: null, unsupported: true });
  });
});
