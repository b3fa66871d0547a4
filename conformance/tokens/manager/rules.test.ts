/** Verdicts on traces of managers: valid answers, missing answers, and unknowable requirements. */
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { Judge } from '../../../src/kit/judge/index.ts';
import { simulate } from '../../../src/kit/suite/index.ts';
import { exactTesteeOf, testeeOf } from '../../../src/kit/testee/index.ts';
import type { MakePeer } from '../../../src/kit/suite/index.ts';
import { readRequirements } from '../../../src/kit/spec/index.ts';
import { tokensTestee } from '../../../src/tokens/index.ts';
import {
  done,
  early,
  interrupted,
  hello,
  judgeLines,
  line,
  put as putTest,
  says,
} from '../../../src/kit/testee/testee-lines.test-helper.ts';
import type { Line, Verdict } from '../../../src/kit/testee/testee-lines.test-helper.ts';
import { tokensManagerSuite } from './suite.ts';

const ops = ['tokens.handle_response', 'tokens.estimate', 'tokens.prune', 'tokens.summarize', 'tokens.turn'];

/** A test with its request. */
const put = (
  id: string,
  row: string,
  op: string,
  expect: JsonObject,
  input: JsonObject = {},
): readonly Line[] => putTest(id, row, { op, ...input }, { expect });

const estimating = put('a', 'TOK-25', 'tokens.estimate', { tokens: 10 });
const right = says({ id: 'a', ok: { tokens: 10 } });

const judge = (...lines: readonly (Line | readonly Line[])[]): Verdict =>
  judgeLines(new Judge(tokensManagerSuite.judging), 'tokens', lines);

describe('a test', () => {
  it('exercises only the requirement that it lists', () => {
    expect(judge(hello(...ops), estimating, right, done)).toEqual({
      exercised: ['TOK-25'],
      violated: {},
      unknowable: {},
    });
  });

  it('with a wrong answer violates it: the message names the test, the operation and the received value', () => {
    const { violated } = judge(hello(...ops), estimating, says({ id: 'a', ok: { tokens: 9 } }), done);
    expect(violated).toEqual({ 'TOK-25': 'a-vector (tokens.estimate): expected tokens 10; came 9' });
  });

  it('is violated by a refusal, because every request is valid', () => {
    const refused = says({ id: 'a', error: { code: 'bad-input', message: 'no' } });
    expect(judge(hello(...ops), estimating, refused, done).violated['TOK-25']).toContain(
      'expected ok; came a refusal',
    );
  });

  it('with an answer that shows nothing does not change its verdict', () => {
    const ordered = put('a', 'TOK-29', 'tokens.prune', { ordered: true });
    expect(judge(hello(...ops), ordered, says({ id: 'a', ok: { messages: [] } }), done)).toEqual({
      exercised: [],
      violated: {},
      unknowable: {},
    });
  });

  it('has one answer: a second answer, or an answer without a test, is ignored', () => {
    const late = says({ id: 'a', ok: { tokens: 9 } });
    expect(judge(hello(...ops), estimating, right, late, says({ id: 'b' }), done).violated).toEqual({});
  });
});

describe('a test without an answer', () => {
  it.each<[string, Line, string]>([
    [
      'the process died',
      line('target', 'process', { exit: 1, signal: null }),
      "the testee's process ended (exit 1)",
    ],
    ['it closed its output', line('target', 'end', { code: 0, message: '' }), 'the testee closed its output'],
    ['nothing came in time', early('no message came from target'), 'no message came from target'],
  ])('is violated when %s', (_, over, why) => {
    const { violated, exercised } = judge(hello(...ops), estimating, over);
    expect(violated['TOK-25']).toBe(`a-vector (tokens.estimate): expected an answer; none came: ${why}`);
    expect(exercised).toEqual(['TOK-25']);
  });

  it('shows the line that came instead', () => {
    const note = 'expected a JSON object on a line; came DEBUG';
    const stray = { ...line('target', 'undecodable', { code: 'bad-json' }), note };
    expect(judge(hello(...ops), estimating, stray, early('nothing came')).violated['TOK-25']).toContain(
      `none came: nothing came; a line came that is not an answer: ${note}`,
    );
  });

  it('is not judged when the run was interrupted, the recording ended, or the test was never sent', () => {
    expect(judge(hello(...ops), estimating, interrupted).violated).toEqual({});
    expect(judge(hello(...ops), estimating).violated).toEqual({});
    expect(judge(hello(...ops), estimating.slice(0, 1), early('nothing came')).violated).toEqual({});
  });
});

describe('an operation that the testee lacks', () => {
  const budget = put('a', 'TOK-15', 'tokens.budget', { available: 1 });
  const unknown = { 'TOK-15': 'the testee does not support tokens.budget' };

  it('makes a requirement unknowable that no other operation exercises', () => {
    const unsupported = says({ id: 'a', unsupported: true });
    expect(judge(budget, unsupported, done)).toEqual({ exercised: [], violated: {}, unknowable: unknown });
    const guess = says({ id: 'a', ok: { available: 1 } });
    expect(judge(hello(...ops), budget, guess, done)).toEqual({
      exercised: [],
      violated: {},
      unknowable: unknown,
    });
    expect(judge(hello(...ops), budget, early('nothing came')).unknowable).toEqual(unknown);
  });

  it('leaves a requirement to the other operations that exercise it', () => {
    const summary = put('a', 'TOK-48', 'tokens.summarize', { sound: true });
    const pruned = put('b', 'TOK-48', 'tokens.prune', { sound: true });
    const lines = [
      summary,
      says({ id: 'a', unsupported: true }),
      pruned,
      says({ id: 'b', ok: { messages: [{ role: 'user', content: 'a' }] } }),
    ];
    expect(judge(hello('tokens.prune'), ...lines)).toMatchObject({ exercised: ['TOK-48'], unknowable: {} });
  });
});

describe('a whole run', () => {
  const scenarios = tokensManagerSuite.scenarios?.() ?? [];
  const rows = (name: string, target: MakePeer): { violated: string[]; exercised: string[] } => {
    const scenario = scenarios.find((one) => one.name === name);
    if (scenario === undefined) throw new Error(`no scenario ${name}`);
    const { found } = simulate({ suite: tokensManagerSuite, scenario, target, seed: '1' });
    const all = [...found];
    return {
      violated: all.flatMap(([id, f]) => (f.violations.length > 0 ? [id] : [])),
      exercised: all.flatMap(([id, f]) => (f.exercised > 0 ? [id] : [])),
    };
  };

  it('of a testee with empty answers passes nothing', () => {
    const empty = testeeOf((request) =>
      request['op'] === 'hello' ? tokensTestee(request) : { id: request['id'] ?? null, ok: {} },
    );
    for (const { name } of scenarios) {
      const { violated, exercised } = rows(name, empty);
      expect(exercised.filter((id) => !violated.includes(id))).toEqual([]);
    }
  });

  it('of a testee that returns its input passes no requirement that needs pruning', () => {
    const echo = exactTesteeOf((request) =>
      request['op'] === 'tokens.prune'
        ? { id: request['id'] ?? null, ok: { messages: request['messages'] ?? [] } }
        : tokensTestee(request),
    );
    expect(rows('prune-1', echo).violated).toEqual(['TOK-28', 'TOK-29']);
  });
});

it('there is a rule for every requirement of managers, and for no other', () => {
  const rows = readRequirements('tokens').requirements.filter(({ excluded }) => excluded === undefined);
  const judged = tokensManagerSuite.judging.rules.map(({ requirement }) => requirement);
  expect(judged).toEqual(rows.map(({ id }) => id).toSorted());
});
