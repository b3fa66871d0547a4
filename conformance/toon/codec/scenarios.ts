/**
 * The scenarios of TOON codecs, made of its golden vectors: a few dozen tests of one theme and operation each, put one
 * at a time. A mark before each request says what is demanded of the answer.
 */
import type { JsonObject, Scenario, ScenarioStep } from '../../../src/kit/base/index.ts';
import { readVectors, vectorInput } from '../../../src/kit/spec/index.ts';
import type { Vector, VectorFile } from '../../../src/kit/spec/index.ts';

/** Tests in one scenario: few enough that one who dies of a test is not rid of many. */
const testsAtMost = 40;

/** Of a test of `toon.validate` and one of `toon.decode` on the same bytes, which are put one after the other. */
const pair = 'pair';

/** A test and the operation that it is put to. */
interface Put {
  readonly op: string;
  readonly test: Vector;
}

/** All scenarios: first one that asks what the testee is, then those of the vectors. */
export function codecScenarios(files: readonly VectorFile[] = readVectors('toon')): readonly Scenario[] {
  const named = new Map<string, number>();
  const scenarios = files.flatMap((file) =>
    groupsOf(file).flatMap(({ op, units }) =>
      chunks(units).map((puts) => {
        const name = nameOf(file.name, op);
        const number = (named.get(name) ?? 0) + 1;
        named.set(name, number);
        return scenarioOf(`${name}-${number}`, puts);
      }),
    ),
  );
  return [hello, ...scenarios];
}

/** Such as `rle-encode` for `toon.rle.encode` of rle.json: words of the file, then those of the operation that are new. */
function nameOf(file: string, op: string): string {
  const theme = file.replace(/\.json$/, '').split('-');
  const own = op.split('.').slice(1);
  return [...theme, ...own.filter((word) => !theme.includes(word))].join('-');
}

/** The tests of a file by operation; those that belong together as one. */
function groupsOf({ vectors }: VectorFile): readonly { op: string; units: readonly (readonly Put[])[] }[] {
  const puts = vectors.groups.flatMap(({ op, tests }) => tests.map((test) => ({ op, test })));
  const seconds = puts.filter(({ op, test }) => op === 'toon.decode' && test.flags.includes(pair));
  const second = new Map(seconds.map((put) => [put.test['wire'], put]));
  return vectors.groups.map(({ op, tests }) => {
    const firsts = tests
      .map((test) => ({ op, test }))
      .filter(({ test }) => second.get(test['wire'])?.test !== test);
    const units = firsts.map((put) => {
      const then = op === 'toon.validate' ? second.get(put.test['wire']) : undefined;
      return then === undefined ? [put] : [put, then];
    });
    return { op, units };
  });
}

/** Units side by side, as many as go into a scenario. */
function chunks(units: readonly (readonly Put[])[]): readonly (readonly Put[])[] {
  const all: Put[][] = [];
  for (const unit of units) {
    const last = all.at(-1);
    if (last === undefined || last.length + unit.length > testsAtMost) all.push([...unit]);
    else last.push(...unit);
  }
  return all;
}

const request = (message: JsonObject): ScenarioStep => ({
  send: { from: 'tester', verbatim: true, message },
});

const answer = (id: string, within = '$timeouts.step'): ScenarioStep => ({
  await: { from: 'target', match: { id }, within },
});

/** Which operations there are is asked of every process anew: rules go by it. */
const greeting: readonly ScenarioStep[] = [
  request({ id: 'hello', op: 'hello' }),
  answer('hello', '$timeouts.handshake'),
];

function scenarioOf(name: string, puts: readonly Put[]): Scenario {
  const [first] = puts;
  const steps = puts.flatMap(({ op, test }) => {
    const { id, requirements, result, expect, error } = test;
    const demanded = {
      id,
      vector: id,
      requirements,
      result,
      ...(expect === undefined ? {} : { expect }),
      ...(error === undefined ? {} : { error }),
    };
    return [{ mark: { case: demanded } }, request({ id, op, ...vectorInput(test) }), answer(id)];
  });
  const exercises = [...new Set(puts.flatMap(({ test }) => test.requirements))].toSorted();
  return {
    ...plain,
    name,
    title: `${puts.length} vectors from ${first?.test.id ?? ''}, put to ${first?.op ?? ''}`,
    exercises,
    steps: [...greeting, ...steps],
  };
}

const plain: Omit<Scenario, 'name' | 'title' | 'exercises' | 'steps'> = {
  suite: 'toon/codec',
  needs: { drive: [], features: [] },
  fresh: false,
  alone: false,
  last: false,
  reference: {},
  peers: { tester: { role: 'toon/tester', options: {} } },
};

/** What has something to compress: whoever compresses at all does here. */
const compressible: JsonObject = {
  id: 'compressible',
  op: 'toon.encode',
  type: 'TOOL_RESULT',
  payload: { success: true, data: 'x'.repeat(2000) },
  sequenceId: 7,
  timestamp: '1700000000000',
  compress: true,
};

const hello: Scenario = {
  ...plain,
  name: 'hello',
  title: 'The testee says what it can do, and shows whether it compresses',
  exercises: [],
  steps: [...greeting, request(compressible), answer('compressible')],
};
