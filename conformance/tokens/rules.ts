/** The rules of token managers: one a row, each judged by the answers to the tests that list it. */
import type { TraceEvent } from '../../src/kit/base/index.ts';
import { exercised, rule, unknowable, violated } from '../../src/kit/check/index.ts';
import type { Finding, Findings, Rule } from '../../src/kit/check/index.ts';
import { judgeAnswer } from './judge.ts';
import { caseOf, offers, opOf } from './view.ts';
import type { ManagerView, Put } from './view.ts';

const response = 'tokens.handle_response';
const budget = 'tokens.budget';
const estimate = 'tokens.estimate';
const prune = 'tokens.prune';
const summarize = 'tokens.summarize';
const turn = 'tokens.turn';

/**
 * The rows that managers owe, and the operations that can show each by themselves: a testee that lacks one of them is
 * judged by the others, one that lacks all of them cannot be judged.
 */
export const shownBy: { readonly [row: string]: readonly string[] } = {
  'TOK-01': [response],
  'TOK-02': [response],
  'TOK-03': [response],
  'TOK-04': [response],
  'TOK-05': [response],
  'TOK-06': [response],
  'TOK-07': [response],
  'TOK-08': [response],
  'TOK-09': [response],
  'TOK-10': [response],
  'TOK-11': [response],
  'TOK-13': [response],
  'TOK-14': [turn],
  'TOK-15': [budget],
  'TOK-16': [budget],
  'TOK-17': [budget],
  'TOK-18': [budget],
  'TOK-19': [budget],
  'TOK-20': [budget],
  'TOK-21': [budget],
  'TOK-22': [budget],
  'TOK-23': [budget],
  'TOK-24': [turn],
  'TOK-25': [estimate],
  'TOK-27': [prune],
  'TOK-28': [prune],
  'TOK-29': [prune],
  'TOK-30': [prune],
  'TOK-33': [turn],
  'TOK-34': [turn],
  'TOK-35': [summarize],
  'TOK-36': [prune],
  'TOK-37': [prune, summarize],
  'TOK-39': [prune],
  'TOK-40': [turn],
  'TOK-43': [turn],
  'TOK-44': [turn],
  'TOK-45': [turn],
  'TOK-47': [response, turn],
  'TOK-48': [prune, summarize, turn],
  'TOK-49': [turn],
};

/** A violation, with the test and the operation it is about. */
const complaint = (test: Put, at: { readonly seq: number }, message: string): Finding =>
  violated(at, `${test.vector} (${opOf(test)}): ${message}`, at === test ? undefined : [test.seq]);

function judge(row: string, event: TraceEvent, view: ManagerView): Findings {
  const test = caseOf(view, event);
  if (test?.request === undefined || !test.requirements.includes(row)) return undefined;
  const op = opOf(test);
  if (!offers(view, op) || event.data['unsupported'] === true) return lacking(row, op, event, view);
  const outcome = judgeAnswer(test.expect ?? {}, test.request, event.data);
  if (outcome === 'shows nothing') return undefined;
  return outcome === 'holds' ? exercised(event) : complaint(test, event, outcome.wrong);
}

/** An operation that the testee lacks: nothing is known of a row, unless another operation shows it. */
function lacking(row: string, op: string, at: { readonly seq: number }, view: ManagerView): Findings {
  const others = shownBy[row]?.filter((other) => other !== op && offers(view, other)) ?? [];
  return others.length > 0 ? undefined : unknowable(at, `the testee does not support ${op}`);
}

/** A test that got no answer is broken: all that managers are asked can be answered. */
function unanswered(row: string, view: ManagerView, last: TraceEvent): Findings {
  const lost = view.forgotten.has(row) ? [unknowable(last, 'too many tests were without an answer')] : [];
  const { over, astray } = view;
  if (over === undefined) return lost;
  const instead = astray === undefined ? '' : `; a line came that is no answer: ${astray}`;
  const findings = [...view.open.values()].flatMap((test) => {
    if (test.request === undefined || !test.requirements.includes(row)) return [];
    const op = opOf(test);
    if (!offers(view, op)) return lacking(row, op, test, view) ?? [];
    return complaint(test, test, `expected an answer; none came: ${over}${instead}`);
  });
  return [...lost, ...findings];
}

const ruleOf = (row: string): Rule<ManagerView> =>
  rule({
    requirement: row,
    listens: ['answer'],
    start: () => null,
    step: (_, event, view: ManagerView) => judge(row, event, view),
    end: (_, view: ManagerView, last) => unanswered(row, view, last),
  });

/** Every rule, each for one requirement. */
export const managerRules: readonly Rule<ManagerView>[] = Object.keys(shownBy).map(ruleOf);
