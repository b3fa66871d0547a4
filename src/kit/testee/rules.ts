/**
 * Rules for testees, who are put tests and answer them: one a row, each judged by the answers to the tests that list it.
 * A suite says what an answer shows of a row. A missing answer, and an operation that the testee lacks, are judged here.
 */
import type { JsonObject, TraceEvent } from '../base/index.ts';
import { exercised, rule, unknowable, violated } from '../judge/index.ts';
import type { Finding, Findings, Rule } from '../judge/index.ts';
import type { VectorFile } from '../spec/index.ts';
import { offers, opOf, testOf } from './view.ts';
import type { PutTest, TesteeView } from './view.ts';

/**
 * What an answer shows of a row. `exercised`: it is as it must be, and could have been otherwise. `violated`: it is not;
 * what was expected and what came. `unknowable`: it cannot be judged, and why. Undefined: it gave no occasion, so that it
 * counts neither for nor against.
 */
export type Judgement =
  'exercised' | { readonly violated: string } | { readonly unknowable: string } | undefined;

/** A test that was put, and its answer. */
export interface AnsweredTest<M = unknown> {
  readonly test: PutTest;
  readonly request: JsonObject;
  /** `{id, ok | error | unsupported}`. */
  readonly answer: JsonObject;
  /** Everything before the answer. */
  readonly view: TesteeView<M>;
}

/** Says what an answer shows of a row that its test lists. */
export type JudgeAnswer<M = unknown> = (row: string, answered: AnsweredTest<M>) => Judgement;

/** Operations by row. */
export type OpsOfRows = { readonly [row: string]: readonly string[] };

/**
 * The operations that show each row: those of the tests that list it. A testee that lacks one of them is judged by the
 * others; one that lacks all of them cannot be judged.
 *
 * @param beside - operations that take part in tests of a row, and cannot show it by themselves
 */
export function opsOfRows(files: readonly VectorFile[], beside: OpsOfRows = {}): OpsOfRows {
  const rows = new Map<string, Set<string>>();
  for (const { op, tests } of files.flatMap(({ vectors }) => vectors.groups)) {
    for (const row of new Set(tests.flatMap(({ requirements }) => requirements))) {
      if (beside[row]?.includes(op) !== true) rows.set(row, (rows.get(row) ?? new Set()).add(op));
    }
  }
  const inOrder = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(inOrder.map(([row, ops]) => [row, [...ops].toSorted()]));
}

/** A rule for each row. */
export const testeeRules = <M>(rows: OpsOfRows, judge: JudgeAnswer<M>): readonly Rule<TesteeView<M>>[] =>
  Object.entries(rows).map(([id, ops]) => {
    const row = { id, ops };
    return rule({
      requirement: id,
      listens: ['answer'],
      start: () => null,
      step: (_, event, view: TesteeView<M>) => answered(row, event, view, judge),
      end: (_, view: TesteeView<M>, last) => unanswered(row, view, last),
    });
  });

/** A row, and the operations that show it. */
interface Row {
  readonly id: string;
  readonly ops: readonly string[];
}

function answered<M>(row: Row, event: TraceEvent, view: TesteeView<M>, judge: JudgeAnswer<M>): Findings {
  const test = testOf(view, event);
  if (test?.request === undefined || !test.requirements.includes(row.id)) return undefined;
  const op = opOf(test);
  if (!offers(view, op) || event.data['unsupported'] === true) return lacking(row, op, event, view);
  const judgement = judge(row.id, { test, request: test.request, answer: event.data, view });
  if (judgement === undefined) return undefined;
  if (judgement === 'exercised') return exercised(event);
  if ('unknowable' in judgement) return unknowable(event, judgement.unknowable);
  return complaint(test, event, judgement.violated);
}

const lacks = (op: string): string => `the testee does not support ${op}`;

/** An operation that the testee lacks: nothing is known of a row, unless another operation shows it. */
function lacking({ ops }: Row, op: string, at: { readonly seq: number }, view: TesteeView): Findings {
  const others = ops.filter((other) => other !== op && offers(view, other));
  return others.length > 0 ? undefined : unknowable(at, lacks(op));
}

/** A test without an answer is broken: all that testees are asked can be answered, if only by a refusal. */
function unanswered(row: Row, view: TesteeView, last: TraceEvent): Findings {
  const lost = view.forgotten.has(row.id) ? [unknowable(last, 'too many tests were without an answer')] : [];
  const { over, astray } = view;
  if (over === undefined) return lost;
  const instead = astray === undefined ? '' : `; a line came that is no answer: ${astray}`;
  const findings = [...view.open.values()].flatMap((test) => {
    if (test.request === undefined || !test.requirements.includes(row.id)) return [];
    const op = opOf(test);
    if (!offers(view, op)) return lacking(row, op, test, view) ?? [];
    return complaint(test, test, `expected an answer; none came: ${over}${instead}`);
  });
  return [...lost, ...findings];
}

/** A violation, with the test and the operation it is about. */
const complaint = (test: PutTest, at: { readonly seq: number }, message: string): Finding =>
  violated(at, `${test.vector} (${opOf(test)}): ${message}`, at === test ? undefined : [test.seq]);

/** Why rows cannot be judged of a testee that says what it has: by row. */
export function rowsLacking(
  rows: OpsOfRows,
  { ops: offered }: { readonly ops: readonly string[] },
): {
  readonly [row: string]: string;
} {
  const lost = Object.entries(rows).filter(([, ops]) => !ops.some((op) => offered.includes(op)));
  return Object.fromEntries(lost.map(([row, [op = '']]) => [row, lacks(op)]));
}
