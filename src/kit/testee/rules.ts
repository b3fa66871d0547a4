/**
 * Rules for testees. There is one rule a row, which judges the answers to the tests that list the row. The suite judges
 * the content of an answer. This file judges missing answers and unsupported operations.
 */
import type { JsonObject, TraceEvent } from '../base/index.ts';
import { exercised, rule, unknowable, violated } from '../judge/index.ts';
import type { Finding, Findings, Rule } from '../judge/index.ts';
import type { VectorFile } from '../spec/index.ts';
import { offers, opOf, testOf, timed } from './view.ts';
import type { PendingTest, TesteeView } from './view.ts';

/**
 * The judgement of an answer for one row. `exercised`: the answer is right, and could have been wrong. `violated`: the
 * answer is wrong; the text gives the expectation and the observation. `unknowable`: the answer cannot be judged; the
 * text gives the reason. Undefined: the answer shows nothing about the row.
 */
export type Judgement =
  'exercised' | { readonly violated: string } | { readonly unknowable: string } | undefined;

export interface AnsweredTest<M = unknown> {
  readonly test: PendingTest;
  readonly request: JsonObject;
  /** `{id, ok | error | unsupported}`. */
  readonly answer: JsonObject;
  /** The answer as it came, where decoding may have changed a number; absent: decoding has changed none. */
  readonly line?: string;
  /** Everything before the answer. */
  readonly view: TesteeView<M>;
}

/** Judges an answer for a row that its test lists. */
export type JudgeAnswer<M = unknown> = (row: string, answered: AnsweredTest<M>) => Judgement;

/** Judges a message of a live run, which answers no request, for any row. `memory` holds the messages before it. */
export type JudgeLive<M = unknown> = (row: string, message: JsonObject, memory: M) => Judgement;

/** Operations by row. */
export type OpsOfRows = { readonly [row: string]: readonly string[] };

/**
 * The operations that show each row, which are the operations of the tests that list it. A testee that lacks some of
 * them is judged by the others. The row of a testee that lacks all of them cannot be judged.
 *
 * @param supporting - by row: operations whose tests list the row, but cannot show it alone
 */
export function opsOfRows(files: readonly VectorFile[], supporting: OpsOfRows = {}): OpsOfRows {
  const rows = new Map<string, Set<string>>();
  for (const { op, tests } of files.flatMap(({ vectors }) => vectors.groups)) {
    for (const row of new Set(tests.flatMap(({ requirements }) => requirements))) {
      if (supporting[row]?.includes(op) !== true) rows.set(row, (rows.get(row) ?? new Set()).add(op));
    }
  }
  const inOrder = [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(inOrder.map(([row, ops]) => [row, [...ops].toSorted()]));
}

/** A rule for each row. */
export const testeeRules = <M>(
  rows: OpsOfRows,
  judge: JudgeAnswer<M>,
  judgeLive?: JudgeLive<M>,
): readonly Rule<TesteeView<M>>[] =>
  Object.entries(rows).map(([id, ops]) => {
    const row = { id, ops };
    return rule({
      requirement: id,
      listens: ['answer'],
      start: () => null,
      step: (_, event, view: TesteeView<M>) =>
        testOf(view, event) === undefined
          ? finding(event, judgeLive?.(id, timed(event), view.memory))
          : answerFindings(row, event, view, judge),
      end: (_, view: TesteeView<M>, last) => missingAnswers(row, view, last),
    });
  });

/** A row, and the operations that show it. */
interface RowOps {
  readonly id: string;
  readonly ops: readonly string[];
}

function answerFindings<M>(
  row: RowOps,
  event: TraceEvent,
  view: TesteeView<M>,
  judge: JudgeAnswer<M>,
): Findings {
  const test = testOf(view, event);
  if (test?.request === undefined || !test.requirements.includes(row.id)) return undefined;
  const op = opOf(test);
  if (!offers(view, op) || event.data['unsupported'] === true)
    return unsupportedFindings(row, op, event, view);
  const line = event.bytes === undefined ? {} : { line: Buffer.from(event.bytes, 'base64').toString() };
  const judgement = judge(row.id, { test, request: test.request, answer: event.data, ...line, view });
  return finding(event, judgement, (message) => testViolation(test, event, message));
}

/** A judgement of an event as a finding. */
function finding(
  event: TraceEvent,
  judgement: Judgement,
  violation = (message: string): Finding => violated(event, message),
): Finding | undefined {
  if (judgement === undefined) return undefined;
  if (judgement === 'exercised') return exercised(event);
  return 'unknowable' in judgement ? unknowable(event, judgement.unknowable) : violation(judgement.violated);
}

const unsupportedReason = (op: string): string => `the testee does not support ${op}`;

/** The findings for an operation that the testee lacks: the row is unknowable, unless another operation shows it. */
function unsupportedFindings(
  { ops }: RowOps,
  op: string,
  at: { readonly seq: number },
  view: TesteeView,
): Findings {
  const others = ops.filter((other) => other !== op && offers(view, other));
  return others.length > 0 ? undefined : unknowable(at, unsupportedReason(op));
}

/** The violations of tests without an answer. A testee can answer every request, at least with a refusal. */
function missingAnswers(row: RowOps, view: TesteeView, last: TraceEvent): Findings {
  const lost = view.forgotten.has(row.id) ? [unknowable(last, 'too many tests were without an answer')] : [];
  const { endReason, strayLine } = view;
  if (endReason === undefined) return lost;
  const instead = strayLine === undefined ? '' : `; a line came that is not an answer: ${strayLine}`;
  const findings = [...view.pending.values()].flatMap((test) => {
    if (test.request === undefined || !test.requirements.includes(row.id)) return [];
    const op = opOf(test);
    if (!offers(view, op)) return unsupportedFindings(row, op, test, view) ?? [];
    return testViolation(test, test, `expected an answer; none came: ${endReason}${instead}`);
  });
  return [...lost, ...findings];
}

/** A violation, with its test and its operation. */
const testViolation = (test: PendingTest, at: { readonly seq: number }, message: string): Finding =>
  violated(at, `${test.vector} (${opOf(test)}): ${message}`, at === test ? undefined : [test.seq]);

/** By row: the reason why the row cannot be judged for a testee with these operations. */
export function untestableRows(
  rows: OpsOfRows,
  { ops: offered }: { readonly ops: readonly string[] },
): {
  readonly [row: string]: string;
} {
  const lost = Object.entries(rows).filter(([, ops]) => !ops.some((op) => offered.includes(op)));
  return Object.fromEntries(lost.map(([row, [op = '']]) => [row, unsupportedReason(op)]));
}
