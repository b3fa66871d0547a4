/** A suite made of vectors: a made-up protocol of texts, whose reference passes and whose mutants are told apart. */
import { describe, expect, it } from 'vitest';
import { dispatcher } from '../base/index.ts';
import type { JsonObject } from '../base/index.ts';
import { vectorSchema } from '../spec/index.ts';
import type { Vector, VectorFile } from '../spec/index.ts';
import { simulate } from '../suite/index.ts';
import type { Mutant, SimulatedRun } from '../suite/index.ts';
import { judgeByFacts, mismatch, sameValue } from './facts.ts';
import { helloOf, noMemory, testeeSuite } from './suite.ts';
import { testeeOf } from './testee.ts';
import type { Answer } from './testee.ts';
import type { TesteeView } from './view.ts';

const reference: Answer = dispatcher({
  name: 'reference',
  version: '1',
  hello: { features: ['loud'], virtual_time: true },
  operations: {
    'text.length': ({ text }) => ({ length: String(text).length }),
    'text.to_upper': ({ text }) => ({ text: String(text).toUpperCase() }),
  },
});

const test = (id: string, requirement: string, more: JsonObject): Vector => ({
  id,
  comment: id,
  flags: [],
  requirements: [requirement],
  result: 'valid',
  text: 'abc',
  ...more,
});

const file: VectorFile = {
  name: 'text.json',
  vectors: {
    schema: vectorSchema,
    protocol: 'text',
    revision: '1',
    generator: '',
    notes: {},
    groups: [
      {
        op: 'text.length',
        tests: [
          test('l1', 'TEXT-01', { expect: { length: 3 } }),
          test('l2', 'TEXT-03', { expect: { length: 3 } }),
        ],
      },
      {
        op: 'text.to_upper',
        tests: [
          test('u1', 'TEXT-02', { expect: { text: 'ABC' } }),
          test('u2', 'TEXT-03', { expect: { text: 'ABC' } }),
        ],
      },
    ],
  },
};

const judge = judgeByFacts({
  'text.length': { length: (wanted, ok) => sameValue('length', wanted, ok['length']) },
  'text.to_upper': {
    text: (wanted, ok) => (ok['text'] === 'shy' ? undefined : sameValue('text', wanted, ok['text'])),
  },
});

const mutant: Mutant = {
  id: 'counts-one-less',
  breaks: 'TEXT-01',
  title: 'Counts one less',
  make: () =>
    testeeOf((request) =>
      request['op'] === 'text.length' ? { id: request['id'] ?? null, ok: { length: 2 } } : reference(request),
    ),
};

const suite = testeeSuite({
  id: 'text/teller',
  protocol: 'text',
  role: 'teller',
  title: 'Texts',
  memory: noMemory,
  judge: (_, { test: put, request, answer }) => judge(put.expect ?? {}, request, answer),
  plan: { testsAtMost: 10, nameOf: (theme, op) => `${theme}-${op.replace('text.', '')}` },
  vectors: () => [file],
  reference,
  mutants: () => [mutant],
});

const scenarios = suite.scenarios?.() ?? [];

function play(target: Answer, name: string): SimulatedRun<TesteeView<null>> {
  const scenario = scenarios.find((one) => one.name === name);
  if (scenario === undefined) throw new Error(`no scenario ${name}`);
  return simulate({ suite, scenario, target: testeeOf(target), seed: '1' });
}

const found = ({ found: all }: SimulatedRun<TesteeView<null>>): JsonObject =>
  Object.fromEntries(
    [...all].flatMap(([id, { exercised, violations, unknowable }]) => {
      const [first] = violations;
      if (first !== undefined) return [[id, first.message]];
      if (unknowable !== undefined) return [[id, unknowable]];
      return exercised > 0 ? [[id, 'exercised']] : [];
    }),
  );

describe('a suite made of vectors', () => {
  it('has a rule for each row, and a scenario for each operation of a file, which says what it needs', () => {
    expect(suite.judging.rules.map(({ requirement }) => requirement)).toEqual([
      'TEXT-01',
      'TEXT-02',
      'TEXT-03',
    ]);
    expect(scenarios.map(({ name, needs }) => [name, needs.ops])).toEqual([
      ['hello', undefined],
      ['text-length-1', ['text.length']],
      ['text-to_upper-1', ['text.to_upper']],
    ]);
  });

  it('finds a row exercised by a right answer, and violated by a wrong one', () => {
    expect(found(play(reference, 'text-length-1'))).toEqual({
      'TEXT-01': 'exercised',
      'TEXT-03': 'exercised',
    });
    const { found: rows } = simulate({
      suite,
      scenario: scenarios[1] ?? ({} as never),
      target: mutant.make(),
      seed: '1',
    });
    expect(rows.get('TEXT-01')?.violations.map(({ message }) => message)).toEqual([
      'l1 (text.length): expected length 3; came 2',
    ]);
  });

  it('leaves a row as it was where an answer shows nothing of it', () => {
    const shy: Answer = (request) =>
      request['op'] === 'text.to_upper'
        ? { id: request['id'] ?? null, ok: { text: 'shy' } }
        : reference(request);
    expect(found(play(shy, 'text-to_upper-1'))).toEqual({});
  });

  it('finds a row unknowable that no operation of the testee shows', () => {
    const poor = dispatcher({
      name: 'poor',
      version: '1',
      operations: { 'text.to_upper': ({ text }) => ({ text: String(text).toUpperCase() }) },
    });
    expect(found(play(poor, 'text-length-1'))).toEqual({
      'TEXT-01': 'the testee does not support text.length',
    });
    expect(found(play(poor, 'text-to_upper-1'))).toEqual({ 'TEXT-02': 'exercised', 'TEXT-03': 'exercised' });
  });
});

describe('what hello says', () => {
  const hello = suite.target.kind === 'meets' ? suite.target.hello : undefined;

  it('is known after the first scenario', () => {
    const { view } = play(reference, hello?.scenario ?? '');
    expect(hello?.of(view)).toBe(helloOf(view));
    expect(helloOf(view)).toMatchObject({
      ops: ['hello', 'text.length', 'text.to_upper'],
      features: ['loud'],
      virtual_time: true,
      answer: { name: 'reference' },
    });
    expect(suite.target.kind === 'meets' && suite.target.advertised(view)).toEqual(['loud']);
  });

  it('is nothing where the testee does not say it', () => {
    const { view } = play(({ id = null }) => ({ id, ok: { name: 'x' } }), 'hello');
    expect(helloOf(view)).toBeUndefined();
  });

  it('says which rows cannot be judged, and why', () => {
    const said = { features: [], virtual_time: false, answer: {} };
    expect(hello?.untestableRows({ ops: ['text.length'], ...said })).toEqual({
      'TEXT-02': 'the testee does not support text.to_upper',
    });
    expect(hello?.untestableRows({ ops: [], ...said })).toEqual({
      'TEXT-01': 'the testee does not support text.length',
      'TEXT-02': 'the testee does not support text.to_upper',
      'TEXT-03': 'the testee does not support text.length',
    });
  });
});

describe('facts', () => {
  const request = { op: 'text.length', text: 'abc' };

  it('hold or do not, all of those that are named', () => {
    expect(judge({ length: 3 }, request, { ok: { length: 3 } })).toBe('exercised');
    expect(judge({ length: 3 }, request, { ok: { length: '3' } })).toEqual(mismatch('length 3', '"3"'));
  });

  it('that nobody knows show nothing', () => {
    expect(judge({ length: 3, width: 1 }, request, { ok: { length: 3 } })).toBeUndefined();
    expect(judge({}, request, { ok: {} })).toBeUndefined();
    expect(judge({ length: 3 }, { op: 'constructor' }, { ok: {} })).toBeUndefined();
  });

  it('hold of no refusal', () => {
    const refused = { error: { code: 'bad-input', message: 'no' } };
    expect(judge({ length: 3 }, request, refused)).toEqual({
      violated: 'expected ok; came a refusal: code "bad-input", message "no"',
    });
  });
});
