/** Judgements of single answers: the row that a wrong answer breaks, and the rows that it says nothing about. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { Judgement } from '../../../src/kit/testee/index.ts';
import { judgeAnswer } from './judge.ts';

const usage = '{"type":"context_usage","used":1,"max":2}';
const approval = '{"type":"approval_request","id":"a","tool_name":"t","detail":"d","preview":null}';
const decision = '{"type":"approval_response","id":"a","decision":{"decision":"approve"}}';
const status = (pct: string): string =>
  `{"type":"status_update","model":"m","provider":"p","context_pct":${pct},"approval_mode":"a","active_tools":0}`;
const call = (args: string): string =>
  `{"type":"tool_call_start","id":"c","name":"n","args":${args},"is_sub_agent":false}`;

/** Judges the sent text of a message that must be taken. */
function sent(row: string, expected: string, text: string, kind = 'event'): Judgement {
  const request = { op: 'koda.encode', kind, text: expected };
  return judgeAnswer(row, { result: 'valid', expect: { text: expected } }, request, { ok: { text } });
}

const violation = (judgement: Judgement): string =>
  typeof judgement === 'object' && 'violated' in judgement ? judgement.violated : String(judgement);

describe('an accepted message', () => {
  it.each<[string, string, string]>([
    ['in another order', usage, '{"max":2,"used":1,"type":"context_usage"}'],
    ['with blanks', usage, ' { "type":"context_usage", "used":1, "max":2 } '],
    ['with an unknown field, which nothing forbids', usage, usage.replace('}', ',"x":1}')],
    ['with a float spelled as an integer', status('1.0'), status('1')],
    ['with a float 2 ULP away', status('0.1'), status('0.10000000000000003')],
    ['with a float spelled with an exponent', status('10000000000000000'), status('1e+16')],
    ['with args in another order', call('{"a":1,"b":2}'), call('{"b":2,"a":1.0}')],
    [
      'with a number in args beyond 64 bits',
      call('[123456789012345678901]'),
      call('[1.2345678901234568e20]'),
    ],
  ])('%s is as good as the expected one (KODA-13)', (_, expected, text) => {
    expect(sent('KODA-10', expected, text)).toBe('exercised');
  });

  it.each<[string, string, string, string]>([
    ['another integer', usage, usage.replace('1', '3'), 'message.used: expected 1; came 3'],
    ['a float 3 ULP away', status('0.1'), status('0.10000000000000005'), 'message.context_pct'],
    ['another large integer in args', call('[9007199254740993]'), call('[9007199254740992]'), 'args[0]'],
    ['an integer out of its range', usage, usage.replace('1', '18446744073709551616'), 'out-of-range'],
    ['a field that stands twice', usage, usage.replace('}', ',"used":1}'), 'used stands twice'],
  ])('%s is a violation', (_, expected, text, words) => {
    expect(violation(sent('KODA-10', expected, text))).toContain(words);
  });

  it.each<[string, string, string]>([
    ['KODA-01', usage, usage.replace('context_usage', 'contextUsage')],
    ['KODA-01', usage, `${usage} ${usage}`],
    ['KODA-01', usage, JSON.stringify(usage)],
    ['KODA-02', approval, approval.replace(',"preview":null', '')],
    ['KODA-02', usage, usage.replace(',"max":2', '')],
    ['KODA-12', status('0.5'), status('null')],
    ['KODA-12', status('0.5'), status('-Infinity')],
    ['KODA-12', status('0.5'), status('NaN')],
    ['KODA-16', usage, `\ufeff${usage}`],
    ['KODA-16', usage, usage.replace('}', ',}')],
    ['KODA-20', usage, '["context_usage",1,2]'],
  ])('in a form that breaks %s violates this row alone: %s as %s', (row, expected, text) => {
    expect(violation(sent(row, expected, text))).toContain('sent text');
    for (const other of ['KODA-01', 'KODA-02', 'KODA-10', 'KODA-12', 'KODA-16', 'KODA-20'])
      if (other !== row) expect(violation(sent(other, expected, text))).not.toContain('expected');
  });

  it('in a form that serde reads is judged by its value for other rows', () => {
    expect(sent('KODA-10', usage, '["context_usage",1,2]')).toBe('exercised');
    expect(violation(sent('KODA-10', usage, '["context_usage",1,3]'))).toContain('message.max');
    expect(sent('KODA-66', approval, approval.replace(',"preview":null', ''))).toBe('exercised');
  });

  it('in a form that nobody reads is unknowable for other rows', () => {
    expect(sent('KODA-10', usage, usage.replace(',"max":2', ''))).toEqual({
      unknowable: 'the sent text cannot be read (KODA-02: max is missing, in the sent text)',
    });
  });

  it('with a wrong value is right for rows of the form, and of the range', () => {
    const wrong = usage.replace('1', '3');
    for (const row of ['KODA-01', 'KODA-09', 'KODA-16', 'KODA-20'])
      expect(sent(row, usage, wrong)).toBe('exercised');
    expect(violation(sent('KODA-02', usage, wrong))).toContain('message.used');
    const bare = decision.replace('{"decision":"approve"}', '"approve"');
    expect(violation(sent('KODA-18', decision, bare, 'command'))).toContain('bare-string');
  });

  it('is a violation where it must be refused, and when it is no text', () => {
    const request = { op: 'koda.decode', kind: 'event', text: '{}' };
    expect(judgeAnswer('KODA-06', { result: 'invalid' }, request, { ok: { text: '{}' } })).toEqual({
      violated: 'expected a refusal; came ok with text "{}"',
    });
    const test = { result: 'valid' as const, expect: { text: usage } };
    expect(judgeAnswer('KODA-10', test, request, { ok: { text: { type: 'x' } } })).toEqual({
      violated: 'expected text as a string; came an object with type',
    });
    expect(judgeAnswer('KODA-10', test, request, {})).toEqual({
      violated: 'expected ok or error; came neither',
    });
  });
});

describe('a refusal', () => {
  const request: JsonObject = { op: 'koda.decode', kind: 'event', text: '{"type":"text_delta"}' };
  const answer = { error: { code: 'bad-json', message: 'no text' } };
  const test = { result: 'invalid', error: 'missing-field' } as const;

  it('may have any code, unless hello claims codes', () => {
    expect(judgeAnswer('KODA-06', test, request, answer)).toBe('exercised');
    expect(judgeAnswer('KODA-06', test, request, answer, { codes: true })).toEqual({
      violated: 'expected a refusal with code missing-field; came "bad-json"',
    });
    expect(judgeAnswer('KODA-06', { result: 'invalid' }, request, answer, { codes: true })).toBe('exercised');
  });

  it('of a message is a violation, of an acceptable text it is not', () => {
    const valid = { result: 'valid', expect: { text: usage } } as const;
    expect(violation(judgeAnswer('KODA-10', valid, request, answer))).toBe(
      'expected ok; came a refusal: code "bad-json", message "no text"',
    );
    expect(judgeAnswer('KODA-19', { result: 'acceptable' }, request, answer)).toBe('exercised');
  });
});

describe('an acceptable text', () => {
  const stop = '{"type":"loop_decision","action":"stop"}';
  const request = { op: 'koda.decode', kind: 'command', text: stop.replace('"stop"', '{"stop":null}') };
  const test = { result: 'acceptable', expect: { text: stop } } as const;
  const judge = (text: string): string => violation(judgeAnswer('KODA-19', test, request, { ok: { text } }));

  it('that is accepted has the value that is expected', () => {
    expect(judge(stop)).toBe('exercised');
    expect(judge(stop.replace('stop"', 'continue50"'))).toContain('message.action');
    expect(judge(request.text)).toContain('object-action');
  });

  it('without an expectation may become any text', () => {
    expect(judgeAnswer('KODA-17', { result: 'acceptable' }, request, { ok: { text: '{' } })).toBe(
      'exercised',
    );
  });
});

it('judges no test that this kit cannot read: it may be of a newer kit', () => {
  const answer = { ok: { text: usage } };
  const test = { result: 'valid', expect: { text: '{"type":"newer"}' } } as const;
  expect(judgeAnswer('KODA-10', test, { kind: 'event' }, answer)).toBeUndefined();
  expect(judgeAnswer('KODA-10', { result: 'valid' }, { kind: 'event' }, answer)).toBeUndefined();
  expect(
    judgeAnswer('KODA-10', { result: 'valid', expect: { text: usage } }, { kind: 'reply' }, answer),
  ).toBeUndefined();
});
