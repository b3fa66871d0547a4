/**
 * Makes the suite of a testee from its golden vectors, a judge of single answers, a reference and its mutants. The kit
 * sends one request at a time. Requests and answers are lines of JSON on the testee's stdin and stdout.
 */
import { readVectors } from '../spec/index.ts';
import type { VectorFile } from '../spec/index.ts';
import { testeeStatement } from '../suite/index.ts';
import type { CarrierTargetKind, Feature, Hello, LawfulPeer, Mutant, Suite } from '../suite/index.ts';
import { lineFraming } from './ndjson.ts';
import { opsOfRows, untestableRows, testeeRules } from './rules.ts';
import type { JudgeAnswer, JudgeLive, OpsOfRows } from './rules.ts';
import { helloScenario, vectorScenarios } from './scenarios.ts';
import type { ScenarioPlan } from './scenarios.ts';
import { exactTesteeOf, tester, testeeOf } from './testee.ts';
import type { Answer } from './testee.ts';
import { judgingOf } from './view.ts';
import type { AnswerMemory, TesteeView } from './view.ts';

/** The definition of a testee's suite. */
export interface TesteeDefinition<M> {
  /** Such as `toon/codec`. */
  readonly id: string;
  readonly protocol: string;
  /** The role of its rows in requirements.yaml. */
  readonly role: string;
  readonly title: string;
  readonly features?: readonly Feature[];
  /** The features that the testee has shown; absent: the features of its `hello`. */
  readonly advertised?: (view: TesteeView<M>) => readonly string[];
  readonly memory: AnswerMemory<M>;
  readonly judge: JudgeAnswer<M>;
  /** Judges the messages of a live run; absent: the suite knows no live runs. */
  readonly judgeLive?: JudgeLive<M>;
  /** By row: operations whose tests list the row, but cannot show it alone; absent: there are no such operations. */
  readonly supportingOps?: OpsOfRows;
  readonly plan: ScenarioPlan;
  /** The tests; absent: the protocol's golden vectors. */
  readonly vectors?: () => readonly VectorFile[];
  /** Answers as the reference implementation does. */
  readonly reference: Answer;
  /** Whether the reference reads integers with all their digits, as bigints where a double does not give them back. */
  readonly readsExactly?: boolean;
  readonly mutants: () => readonly Mutant[];
  /** Peers with oddities that the protocol allows; absent: none. */
  readonly lawful?: () => readonly LawfulPeer[];
}

/** The memory of a suite that remembers nothing. */
export const noMemory: AnswerMemory<null> = { start: () => null, take() {} };

/** Makes a suite. It reads the vectors at their first use. */
export function testeeSuite<M>(definition: TesteeDefinition<M>): Suite<TesteeView<M>> {
  const { id, protocol, role, title, features = [], memory, plan, mutants, lawful } = definition;
  const vectors = once(definition.vectors ?? (() => readVectors(protocol)));
  const rows = once(() => opsOfRows(vectors(), definition.supportingOps));
  const rules = once(() => testeeRules(rows(), definition.judge, definition.judgeLive));
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
    target: targetOf(definition, (hello) => untestableRows(rows(), hello)),
    scenarios,
    unsupported: () => undefined,
    peers: { [`${protocol}/tester`]: () => tester },
    conditionalRows: [],
    statement: testeeStatement,
    reference: () => (definition.readsExactly === true ? exactTesteeOf : testeeOf)(definition.reference),
    mutants,
    ...(lawful === undefined ? {} : { lawful }),
  };
}

/** How the kit reaches a testee: on its stdin and stdout, and first it asks for its operations. */
const targetOf = <M>(
  { advertised = ({ hello }) => hello?.features ?? [] }: TesteeDefinition<M>,
  untestable: (hello: Hello) => { readonly [row: string]: string },
): CarrierTargetKind<TesteeView<M>> => ({
  kind: 'meets',
  carriers: ['stdio'],
  framing: lineFraming,
  drive: 'operations',
  advertised,
  hello: { scenario: helloScenario, of: helloOf, untestableRows: untestable },
});

/** The testee's self-description; undefined before it gave one. */
export const helloOf = ({ hello }: TesteeView): Hello | undefined => hello;

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => (made ??= { value: make() }).value;
}
