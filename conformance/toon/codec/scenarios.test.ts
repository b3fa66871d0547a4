/** How vectors become scenarios. */
import { describe, expect, it } from 'vitest';
import type { JsonObject, Scenario, ScenarioStep } from '../../../src/kit/base/index.ts';
import { readVectors, vectorSchema } from '../../../src/kit/spec/index.ts';
import type { Vector, VectorFile, VectorGroup } from '../../../src/kit/spec/index.ts';
import { opsOfRows, vectorScenarios } from '../../../src/kit/testee/index.ts';
import { codecPlan } from './plan.ts';
import { toonCodecSuite } from './suite.ts';

const tester = { tester: { role: 'toon/tester', options: {} } };
const codecScenarios = (files: readonly VectorFile[]): readonly Scenario[] =>
  vectorScenarios({ suite: 'toon/codec', peers: tester }, codecPlan, files);

const vector = (id: string, more: Partial<Vector> = {}): Vector => ({
  id,
  comment: id,
  flags: [],
  requirements: ['TOON-06'],
  result: 'valid',
  ...more,
});

const file = (name: string, ...groups: readonly VectorGroup[]): VectorFile => ({
  name: `${name}.json`,
  vectors: { schema: vectorSchema, protocol: 'toon', revision: '1', generator: '', notes: {}, groups },
});

/** What a scenario sends, each with the mark before it. */
function asked({ steps }: Scenario): readonly { readonly case: JsonObject; readonly message: JsonObject }[] {
  const marks = steps.flatMap((step, i) =>
    'mark' in step ? [[step.mark['case'], steps[i + 1]] as const] : [],
  );
  return marks.map(([test, next]) => ({ case: test as JsonObject, message: messageOf(next) }));
}

const messageOf = (step: ScenarioStep | undefined): JsonObject =>
  step !== undefined && 'send' in step ? step.send.message : {};

const idsOf = (scenario: Scenario | undefined): readonly unknown[] =>
  scenario === undefined ? [] : asked(scenario).map(({ message }) => message['id']);

describe('the scenarios of a few vectors', () => {
  const tests = Array.from({ length: 45 }, (_, i) => vector(`r${i}`, { bytes: 'ff' }));
  const scenarios = codecScenarios([
    file('rle', { op: 'toon.rle.encode', tests }, { op: 'toon.rle.decode', tests: tests.slice(0, 1) }),
    file('header', {
      op: 'toon.decode',
      tests: [vector('h', { wire: '01', requirements: ['TOON-07', 'TOON-06'] })],
    }),
  ]);

  it('begin with one that only asks what the testee is, and lets it show whether it compresses', () => {
    const [first] = scenarios;
    expect(first?.name).toBe('hello');
    expect(first?.steps.map((step) => ('send' in step ? step.send.message['op'] : 'await'))).toEqual([
      'hello',
      'await',
      'toon.encode',
      'await',
    ]);
  });

  it('have one theme and one operation, and 40 tests at most', () => {
    expect(scenarios.slice(1).map(({ name, steps }) => [name, (steps.length - 2) / 3])).toEqual([
      ['rle-encode-1', 40],
      ['rle-encode-2', 5],
      ['rle-decode-1', 1],
      ['header-decode-1', 1],
    ]);
  });

  it('say hello to every process anew', () => {
    for (const { steps } of scenarios) expect(messageOf(steps[0])).toEqual({ id: 'hello', op: 'hello' });
  });

  it('mark each test, send its inputs as they stand, and wait for its answer', () => {
    const header = scenarios.at(-1);
    expect(header?.steps.slice(2)).toEqual([
      {
        mark: { case: { id: 'h', vector: 'h', requirements: ['TOON-07', 'TOON-06'], result: 'valid' } },
        verbatim: true,
      },
      { send: { from: 'tester', verbatim: true, message: { id: 'h', op: 'toon.decode', wire: '01' } } },
      { await: { from: 'target', match: { id: 'h' }, within: '$timeouts.step' } },
    ]);
    expect(header?.exercises).toEqual(['TOON-06', 'TOON-07']);
  });

  it('are named by their file, and by what their operation adds to that', () => {
    const named = (name: string, op: string): string | undefined =>
      codecScenarios([file(name, { op, tests: [vector('a')] })])[1]?.name;
    expect(named('rle', 'toon.rle.decode')).toBe('rle-decode-1');
    expect(named('stream', 'toon.stream')).toBe('stream-1');
    expect(named('encode-compression', 'toon.encode')).toBe('encode-compression-1');
  });

  it('tell what is demanded, and not the testee', () => {
    const demanding = vector('d', {
      wire: '01',
      result: 'invalid',
      expect: { hint: true },
      error: 'bad-version',
    });
    const [, scenario] = codecScenarios([file('x', { op: 'toon.decode', tests: [demanding] })]);
    expect(scenario && asked(scenario)).toEqual([
      {
        case: {
          id: 'd',
          vector: 'd',
          requirements: ['TOON-06'],
          result: 'invalid',
          expect: { hint: true },
          error: 'bad-version',
        },
        message: { id: 'd', op: 'toon.decode', wire: '01' },
      },
    ]);
  });

  it('put the two tests of a pair one after the other, to one process', () => {
    const pairOf = (n: number, op: string): Vector =>
      vector(`p${n}-${op}`, { wire: n.toString(16).padStart(2, '0'), flags: ['pair'] });
    const numbers = Array.from({ length: 30 }, (_, n) => n);
    const [, ...paired] = codecScenarios([
      file(
        'validate',
        { op: 'toon.validate', tests: numbers.map((n) => pairOf(n, 'v')) },
        {
          op: 'toon.decode',
          tests: [...numbers.map((n) => pairOf(n, 'd')), vector('alone', { wire: '00' })],
        },
      ),
    ]);
    expect(paired.map(({ name }) => name)).toEqual(['validate-1', 'validate-2', 'validate-decode-1']);
    expect(idsOf(paired[0]).slice(0, 4)).toEqual(['p0-v', 'p0-d', 'p1-v', 'p1-d']);
    expect(paired.map((scenario) => idsOf(scenario).length)).toEqual([40, 20, 1]);
    expect(idsOf(paired[2])).toEqual(['alone']);
  });
});

describe("the scenarios of TOON's vectors", () => {
  const files = readVectors('toon');
  const scenarios = toonCodecSuite.scenarios?.() ?? [];
  const vectors = files.flatMap(({ vectors }) =>
    vectors.groups.flatMap(({ op, tests }) => tests.map((test) => ({ op, test }))),
  );

  it('put every vector once', () => {
    const ids = scenarios.flatMap(idsOf);
    expect(ids.toSorted()).toEqual(vectors.map(({ test }) => test.id).toSorted());
    expect(new Set(scenarios.map(({ name }) => name)).size).toBe(scenarios.length);
  });

  it('fit into lines of 1 MiB', () => {
    const longest = Math.max(
      ...scenarios.flatMap(asked).map(({ message }) => Buffer.byteLength(JSON.stringify(message))),
    );
    expect(longest).toBeLessThan(1 << 20);
  });

  it('need the operations that their tests are put to, and no others', () => {
    for (const scenario of scenarios.slice(1)) {
      const ops = new Set(asked(scenario).map(({ message }) => message['op']));
      expect(new Set(scenario.needs.ops)).toEqual(ops);
    }
  });

  it('show rows by every operation that their tests are put to, but where it cannot show one by itself', () => {
    const beside = { 'TOON-08': ['toon.validate'], 'TOON-12': ['toon.decode'] };
    const alone = opsOfRows(files, beside);
    expect(alone['TOON-08']).toEqual(['toon.decode']);
    expect(alone['TOON-12']).toEqual(['toon.encode']);
    expect(opsOfRows(files)).toEqual({
      ...alone,
      'TOON-08': ['toon.decode', 'toon.validate'],
      'TOON-12': ['toon.decode', 'toon.encode'],
    });
    expect(toonCodecSuite.judging.rules.map(({ requirement }) => requirement)).toEqual(Object.keys(alone));
  });
});
