/**
 * Makes the suite of a testee out of its golden vectors, a judge of single answers, a reference and its mutants. The kit
 * asks one request at a time, a line of JSON each way on the testee's stdin and stdout.
 */
import { readVectors } from '../spec/index.ts';
import type { VectorFile } from '../spec/index.ts';
import { testeeStatement } from '../suite/index.ts';
import type { Feature, Hello, Mutant, Suite } from '../suite/index.ts';
import { lineFraming } from './ndjson.ts';
import { opsOfRows, rowsLacking, testeeRules } from './rules.ts';
import type { JudgeAnswer, OpsOfRows } from './rules.ts';
import { helloScenario, vectorScenarios } from './scenarios.ts';
import type { ScenarioPlan } from './scenarios.ts';
import { tester, testeeOf } from './testee.ts';
import type { Answer } from './testee.ts';
import { judgingOf } from './view.ts';
import type { Memory, TesteeView } from './view.ts';

/** What a testee's suite is made of. */
export interface TesteeDefinition<M> {
  /** Such as `toon/codec`. */
  readonly id: string;
  readonly protocol: string;
  /** The role of its rows in requirements.yaml. */
  readonly role: string;
  readonly title: string;
  readonly features?: readonly Feature[];
  /** Features that the testee has shown; absent: those of its `hello`. */
  readonly advertised?: (view: TesteeView<M>) => readonly string[];
  /** What is remembered of answers. */
  readonly memory: Memory<M>;
  readonly judge: JudgeAnswer<M>;
  /** Operations that take part in tests of a row, and cannot show it by themselves; absent: none. */
  readonly beside?: OpsOfRows;
  readonly plan: ScenarioPlan;
  /** The tests; absent: the protocol's golden vectors. */
  readonly vectors?: () => readonly VectorFile[];
  /** Answers as the reference implementation does. */
  readonly reference: Answer;
  readonly mutants: readonly Mutant[];
}

/** A suite for those who need nothing remembered. */
export const noMemory: Memory<null> = { start: () => null, take() {} };

/** Makes a suite. The vectors are read when they are needed first. */
export function testeeSuite<M>(definition: TesteeDefinition<M>): Suite<TesteeView<M>> {
  const { id, protocol, role, title, features = [], memory, plan, mutants } = definition;
  const vectors = once(definition.vectors ?? (() => readVectors(protocol)));
  const rows = once(() => opsOfRows(vectors(), definition.beside));
  const rules = once(() => testeeRules(rows(), definition.judge));
  const named = { suite: id, peers: { tester: { role: `${protocol}/tester`, options: {} } } };
  const scenarios = once(() => vectorScenarios(named, plan, vectors()));
  return {
    id,
    protocol,
    role,
    title,
    features,
    judging: {
      get rules() {
        return rules();
      },
      ...judgingOf(memory),
    },
    secrets: { metadata: [], fields: [], may: () => false },
    timeouts: { handshake: 5000, step: 10_000, late: 0 },
    target: {
      kind: 'meets',
      carriers: ['stdio'],
      framing: lineFraming,
      drive: 'operations',
      advertised: definition.advertised ?? (({ hello }) => hello?.features ?? []),
      hello: {
        scenario: helloScenario,
        of: helloOf,
        lacking: (hello) => rowsLacking(rows(), hello),
      },
    },
    scenarios,
    unsupported: () => undefined,
    peers: { [`${protocol}/tester`]: () => tester },
    conditionalRows: [],
    statement: testeeStatement,
    reference: () => testeeOf(definition.reference),
    mutants,
  };
}

/** What the testee said of itself; undefined when it did not. */
export const helloOf = ({ hello }: TesteeView): Hello | undefined => hello;

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
