/** Traces of codecs, judged: what counts as an answer, what follows from none, and what nobody can know. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import {
  asks,
  done,
  early,
  interrupted,
  hello,
  judgeLines,
  line,
  mark,
  put,
  says,
} from '../../../src/kit/testee/testee-lines.test-helper.ts';
import type { Line, Verdict } from '../../../src/kit/testee/testee-lines.test-helper.ts';
import { advertised } from './memory.ts';
import { toonCodecSuite } from './suite.ts';

/** The known HEARTBEAT (toon.md, "Bytes"). */
const heartbeat = '0106020000000068e5cf8b010000010000007b7d';
const ops = [
  'toon.encode',
  'toon.decode',
  'toon.validate',
  'toon.rle.encode',
  'toon.rle.decode',
  'toon.stream',
];

/** A verdict; `also` is where each violation is, with the events that it names too. */
interface Judged extends Verdict {
  readonly also: readonly (readonly number[])[];
  readonly advertised: readonly string[];
}

function judge(...lines: readonly (Line | readonly Line[])[]): Judged {
  const judge = new Judge(toonCodecSuite.judging);
  return {
    ...judgeLines(judge, 'toon', lines),
    also: [...judge.found.values()].flatMap((f) => f.violations.map(({ seq, also = [] }) => [seq, ...also])),
    advertised: advertised(judge.view),
  };
}

const decoding = { op: 'toon.decode', wire: heartbeat };
const refused = (id: string): Line => says({ id, error: { code: 'bad-version', message: 'no' } });

describe('a test', () => {
  it('exercises the rows that it lists, and no others', () => {
    const { exercised, violated } = judge(
      hello(...ops),
      put('a', 'TOON-09', decoding),
      says({ id: 'a', ok: {} }),
      done,
    );
    expect([exercised, violated]).toEqual([['TOON-09'], {}]);
  });

  it('violates them by a wrong answer: the message names the vector, the operation and the observation', () => {
    const { violated, exercised, also } = judge(
      hello(...ops),
      put('a', 'TOON-09', decoding),
      refused('a'),
      done,
    );
    expect(violated).toEqual({
      'TOON-09': 'a-vector (toon.decode): expected ok; came a refusal: code "bad-version", message "no"',
    });
    expect(exercised).toEqual(['TOON-09']);
    expect(also).toEqual([[4, 3]]);
  });

  it('is judged for each row alone: TOON-44 demands a count of trailing bytes, and other rows do not', () => {
    const both = { requirements: ['TOON-09', 'TOON-44'], expect: { payload: {}, trailing: 1 } };
    const { violated } = judge(
      put('a', 'TOON-09', decoding, both),
      says({ id: 'a', ok: { payload: {}, trailing: 0 } }),
    );
    expect(Object.keys(violated)).toEqual(['TOON-44']);
  });

  it('has one answer: the rules ignore repeated answers and answers to no test', () => {
    const { exercised, violated } = judge(
      hello(...ops),
      put('a', 'TOON-09', decoding),
      says({ id: 'a', ok: {} }),
      refused('a'),
      refused('b'),
      says({}),
    );
    expect([exercised, violated]).toEqual([['TOON-09'], {}]);
  });

  it('may be answered after a later one, and by a number', () => {
    const seven = { id: 7, vector: 'v', requirements: ['TOON-06'], result: 'invalid' };
    const { exercised, violated } = judge(
      put('a', 'TOON-09', decoding),
      mark({ case: seven }),
      asks({ id: 7, ...decoding }),
      says({ id: 7, error: { code: 'x' } }),
      says({ id: 'a', ok: {} }),
    );
    expect([exercised, violated]).toEqual([['TOON-06', 'TOON-09'], {}]);
  });

  it.each<[string, JsonObject]>([
    ['no id', { vector: 'v', requirements: ['TOON-09'], result: 'valid' }],
    ['no rows', { id: 'a', vector: 'v', result: 'valid' }],
    ['a result that is none', { id: 'a', vector: 'v', requirements: ['TOON-09'], result: 'fine' }],
  ])('with %s is no test', (_, test) => {
    const { exercised, violated } = judge(mark({ case: test }), asks({ id: 'a', ...decoding }), refused('a'));
    expect([exercised, violated]).toEqual([[], {}]);
  });

  it('has the codes of its refusals compared after a hello that says so', () => {
    const test = put('a', 'TOON-07', decoding, { result: 'invalid', error: 'bad-type' });
    const coded = says({ id: 'hello', ok: { ops, codes: true } });
    expect(judge(hello(...ops), test, refused('a')).violated).toEqual({});
    expect(judge(coded, test, refused('a')).violated).toEqual({
      'TOON-07': 'a-vector (toon.decode): expected a refusal with code bad-type; came "bad-version"',
    });
  });
});

describe('a test without an answer', () => {
  const open = put('a', 'TOON-24', decoding, { result: 'invalid' });

  it.each<[string, Line, string]>([
    [
      'the process died',
      line('target', 'process', { exit: 139, signal: null }),
      "the testee's process ended (exit 139)",
    ],
    [
      'it was killed',
      line('target', 'process', { exit: null, signal: 'SIGSEGV' }),
      "the testee's process ended (SIGSEGV)",
    ],
    ['it closed its output', line('target', 'end', { code: 0, message: '' }), 'the testee closed its output'],
    [
      'nothing came in time',
      early('no message came from target within 10000 ms'),
      'no message came from target',
    ],
  ])('is violated when %s', (_, over, why) => {
    const { violated, exercised } = judge(hello(...ops), open, over);
    expect(violated['TOON-24']).toContain(`a-vector (toon.decode): expected an answer; none came: ${why}`);
    expect(exercised).toEqual(['TOON-24']);
  });

  it('shows the unreadable line that came after the request, and no earlier line', () => {
    const note = 'expected a JSON object on a line; came DEBUG';
    const stray = { ...line('target', 'undecodable', { code: 'bad-json' }), note };
    expect(judge(stray, open, early('no message came')).violated['TOON-24']).not.toContain('a line');
    expect(judge(open, stray, early('no message came')).violated['TOON-24']).toContain(
      'none came: no message came; a line came that is not an answer: expected a JSON object on a line; came DEBUG',
    );
  });

  it('is not judged when the run was interrupted, the recording ends, or the test was not sent', () => {
    expect(judge(hello(...ops), open, interrupted).violated).toEqual({});
    expect(judge(hello(...ops), open).violated).toEqual({});
    expect(judge(hello(...ops), open.slice(0, 1), early('no message came')).violated).toEqual({});
  });

  it('does not affect other tests', () => {
    const { violated, exercised } = judge(
      put('a', 'TOON-09', decoding),
      says({ id: 'a', ok: {} }),
      put('b', 'TOON-24', decoding),
      early('no message came'),
    );
    expect([Object.keys(violated), exercised]).toEqual([['TOON-24'], ['TOON-09', 'TOON-24']]);
  });

  it('is evicted when there are too many, and then its rows are unknowable', () => {
    const many = Array.from({ length: 257 }, (_, i) =>
      put(`t${i}`, i === 0 ? 'TOON-24' : 'TOON-09', decoding),
    );
    const { unknowable, violated } = judge(...many.flat(), done);
    expect([unknowable, violated]).toEqual([{ 'TOON-24': 'too many tests were without an answer' }, {}]);
  });
});

describe('an operation that the testee lacks', () => {
  const streaming = put('a', 'TOON-38', { op: 'toon.stream', chunks: [] });
  const unsupported = says({ id: 'a', unsupported: true });
  const untold = { 'TOON-38': 'the testee does not support toon.stream' };

  it('makes a row unknowable that no other operation shows', () => {
    const { exercised, violated, unknowable } = judge(hello(...ops), streaming, unsupported, done);
    expect([exercised, violated, unknowable]).toEqual([[], {}, untold]);
  });

  it('is missing when hello does not list it, with or without an answer', () => {
    const poor = hello('toon.decode');
    const refusal = says({ id: 'a', error: { code: 'bad-input', message: 'unknown op' } });
    const [invalid] = [put('a', 'TOON-38', { op: 'toon.stream', chunks: [] }, { result: 'invalid' })];
    expect(judge(poor, invalid, refusal, done)).toMatchObject({
      exercised: [],
      violated: {},
      unknowable: untold,
    });
    expect(judge(poor, streaming, early('no message came'))).toMatchObject({
      violated: {},
      unknowable: untold,
    });
  });

  it('leaves a row to the other operations that show it', () => {
    const lines = [
      put('a', 'TOON-24', { op: 'toon.rle.decode', bytes: 'ff' }, { result: 'invalid' }),
      says({ id: 'a', unsupported: true }),
      put('b', 'TOON-24', decoding, { result: 'invalid' }),
      refused('b'),
    ];
    const { exercised, unknowable } = judge(hello('toon.decode'), ...lines.flat());
    expect([exercised, unknowable]).toEqual([['TOON-24'], {}]);
    expect(judge(hello('toon.encode'), ...lines.flat()).unknowable).toEqual({
      'TOON-24': 'the testee does not support toon.rle.decode',
    });
  });
});

describe('TOON-08: validation inside decode', () => {
  const either = { result: 'acceptable' };
  const validates = (valid: boolean): readonly Line[] => [
    ...put('v', 'TOON-08', { op: 'toon.validate', wire: heartbeat }, either),
    says({ id: 'v', ok: { valid } }),
  ];
  const decodes = put('d', 'TOON-08', decoding, either);
  const takes = says({ id: 'd', ok: { payload: {} } });

  it('is violated by a decode that accepts a message which the same testee calls invalid', () => {
    const { violated } = judge(validates(false), decodes, takes);
    expect(violated).toEqual({
      'TOON-08':
        'd-vector (toon.decode): expected a refusal, because validate called this message invalid; came ok',
    });
  });

  it('is exercised by a decode that also refuses the message', () => {
    expect(judge(validates(false), decodes, refused('d'))).toMatchObject({
      exercised: ['TOON-08'],
      violated: {},
    });
  });

  it('is not exercised by an acceptable test without a negative validation', () => {
    for (const lines of [
      [...validates(true), ...decodes, takes],
      [...decodes, takes],
    ])
      expect(judge(...lines)).toMatchObject({ exercised: [], violated: {} });
  });

  it('does not compare other messages', () => {
    const other = put(
      'd',
      'TOON-08',
      { op: 'toon.decode', wire: heartbeat.replace('010000007b', '020000007b') },
      either,
    );
    expect(judge(validates(false), other, takes)).toMatchObject({ exercised: [], violated: {} });
  });
});

describe('compression', () => {
  const header = '0103240000000068e5cf8b01000007000000';

  it('is advertised by an operation, or by a message that came compressed', () => {
    expect(judge(hello(...ops)).advertised).toEqual(['compression']);
    expect(judge(hello('toon.encode')).advertised).toEqual([]);
    const squeezed = says({ id: 'x', ok: { wire: `${header}5a7b7d` } });
    expect(
      judge(hello('toon.encode'), squeezed, says({ id: 'y', ok: { wire: heartbeat } })).advertised,
    ).toEqual(['compression']);
    expect(judge(hello('toon.encode'), says({ id: 'x', ok: { wire: heartbeat } })).advertised).toEqual([]);
  });

  it('that did not happen does not exercise the rows about runs', () => {
    const request = { op: 'toon.encode', type: 'HEARTBEAT', payload: {}, sequenceId: 1, timestamp: '0' };
    const test = put('a', 'TOON-19', request, { expect: { without: ['run-literal'] } });
    expect(judge(test, says({ id: 'a', ok: { wire: heartbeat } }))).toMatchObject({
      exercised: [],
      violated: {},
    });
  });
});

it('there is a rule for every row that codecs owe, and for no other', () => {
  const rows = readRequirements('toon').requirements.filter(
    ({ roles, excluded }) => roles.includes('codec') && excluded === undefined,
  );
  const judged = toonCodecSuite.judging.rules.map(({ requirement }) => requirement);
  expect(judged).toEqual(rows.map(({ id }) => id).toSorted());
});
