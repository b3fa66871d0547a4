/**
 * Rules for testees, who are put tests and answer them: one a row, each judged by the answers to the tests that list it.
 * What an answer shows of a row, its suite says; what follows from none, and from an operation that a testee lacks, is
 * said here.
 */
import type { JsonObject, TraceEvent } from '../src/kit/base/index.ts';
import { exercised, rule, unknowable, violated } from '../src/kit/judge/index.ts';
import type { Finding, Findings, Rule } from '../src/kit/judge/index.ts';
import { caseOf, offers, opOf } from './toon/codec/view.ts';
import type { Case, CodecView } from './toon/codec/view.ts';

/**
 * The rows that testees owe, and the operations that can show each by themselves: a testee that lacks one of them is
 * judged by the others, one that lacks all of them cannot be judged.
 */
export type ShownBy = { readonly [row: string]: readonly string[] };

/**
 * What an answer says of a row. `holds`: it is as it must be, and could have been otherwise. `shows nothing`: it gave no
 * occasion, so it counts neither for nor against. Else what was expected and what came.
 */
export type Outcome = 'holds' | 'shows nothing' | { readonly wrong: string };

/** A test that was put, and its answer. */
export interface Answered {
  readonly test: Case;
  readonly request: JsonObject;
  readonly answer: JsonObject;
  /** Everything before the answer. */
  readonly view: CodecView;
}

/** Says what an answer shows of a row that its test lists. */
type JudgeAnswer = (row: string, answered: Answered) => Outcome;

/** A rule for each row of a table. */
export const testeeRules = (shownBy: ShownBy, judge: JudgeAnswer): readonly Rule<CodecView>[] =>
  Object.entries(shownBy).map(([id, ops]) => {
    const row = { id, ops };
    return rule({
      requirement: id,
      listens: ['answer'],
      start: () => null,
      step: (_, event, view: CodecView) => answered(row, event, view, judge),
      end: (_, view: CodecView, last) => unanswered(row, view, last),
    });
  });

/** A row, and the operations that show it. */
interface Row {
  readonly id: string;
  readonly ops: readonly string[];
}

function answered(row: Row, event: TraceEvent, view: CodecView, judge: JudgeAnswer): Findings {
  const test = caseOf(view, event);
  if (test?.request === undefined || !test.requirements.includes(row.id)) return undefined;
  const op = opOf(test);
  if (!offers(view, op) || event.data['unsupported'] === true) return lacking(row, op, event, view);
  const outcome = judge(row.id, { test, request: test.request, answer: event.data, view });
  if (outcome === 'shows nothing') return undefined;
  return outcome === 'holds' ? exercised(event) : complaint(test, event, outcome.wrong);
}

/** An operation that the testee lacks: nothing is known of a row, unless another operation shows it. */
function lacking({ ops }: Row, op: string, at: { readonly seq: number }, view: CodecView): Findings {
  const others = ops.filter((other) => other !== op && offers(view, other));
  return others.length > 0 ? undefined : unknowable(at, `the testee does not support ${op}`);
}

/** A test that got no answer is broken: all that testees are asked can be answered, if only by a refusal. */
function unanswered(row: Row, view: CodecView, last: TraceEvent): Findings {
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
const complaint = (test: Case, at: { readonly seq: number }, message: string): Finding =>
  violated(at, `${test.vector} (${opOf(test)}): ${message}`, at === test ? undefined : [test.seq]);
