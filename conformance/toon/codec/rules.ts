/** The rules of TOON codecs: one a row, each judged by the answers to the tests that list it. */
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { exercised, rule, unknowable, violated } from '../../../src/kit/check/index.ts';
import type { Finding, Findings, Rule } from '../../../src/kit/check/index.ts';
import { judgeAnswer, showsRequirement } from './judge.ts';
import { caseOf, offers, opOf } from './view.ts';
import type { Case, CodecView } from './view.ts';

const encode = 'toon.encode';
const decode = 'toon.decode';
const rleEncode = 'toon.rle.encode';
const rleDecode = 'toon.rle.decode';
const stream = 'toon.stream';

/**
 * The rows that codecs owe, and the operations that can show each by themselves: a testee that lacks one of them is
 * judged by the others, one that lacks all of them cannot be judged.
 */
export const shownBy: { readonly [row: string]: readonly string[] } = {
  'TOON-01': [encode, decode],
  'TOON-02': [encode],
  'TOON-03': [encode],
  'TOON-04': [decode],
  'TOON-05': [decode, stream],
  'TOON-06': [decode],
  'TOON-07': [decode],
  'TOON-08': [decode],
  'TOON-09': [decode],
  'TOON-10': [decode, stream],
  'TOON-11': [decode, stream],
  'TOON-12': [encode],
  'TOON-13': [encode],
  'TOON-14': [encode],
  'TOON-15': [encode],
  'TOON-16': [encode],
  'TOON-17': [decode, rleDecode],
  'TOON-18': [decode],
  'TOON-19': [encode, rleEncode],
  'TOON-20': [encode, rleEncode],
  'TOON-21': [rleEncode],
  'TOON-22': [encode, rleEncode],
  'TOON-23': [decode, rleDecode],
  'TOON-24': [decode, rleDecode, stream],
  'TOON-25': [decode, rleDecode],
  'TOON-26': [decode],
  'TOON-27': [encode],
  'TOON-28': [encode, decode],
  'TOON-32': [encode],
  'TOON-35': [encode, decode],
  'TOON-37': [decode],
  'TOON-38': [stream],
  'TOON-39': [stream],
  'TOON-42': [encode, decode],
  'TOON-43': [decode],
  'TOON-44': [decode],
  'TOON-45': [decode],
  'TOON-46': [decode, rleDecode],
  'TOON-47': [encode],
};

/** What more a row finds in a right answer; undefined: nothing. */
type Further = (test: Case, event: TraceEvent, view: CodecView) => Finding | 'shows nothing' | undefined;

/**
 * TOON-08, "MUST validate inside decode": what the testee's own validate calls invalid, its decode must not take.
 * A test for which either answer will do shows nothing, unless validate said no before.
 */
const validatesInside: Further = (test, event, view) => {
  const { wire } = test.request ?? {};
  const saidNo = opOf(test) === decode && typeof wire === 'string' && view.validity.get(wire) === false;
  if (!saidNo) return test.result === 'acceptable' ? 'shows nothing' : undefined;
  if (event.data['ok'] === undefined) return undefined;
  return complaint(
    test,
    event,
    'expected a refusal, for validate said that this message is not valid; came ok',
  );
};

/** Rows that look at more than `judgeAnswer` does. */
const further: { readonly [row: string]: Further } = { 'TOON-08': validatesInside };

/** A violation, with the vector and the operation it is about. */
const complaint = (test: Case, at: { readonly seq: number }, message: string): Finding =>
  violated(at, `${test.vector} (${opOf(test)}): ${message}`, at === test ? undefined : [test.seq]);

function judge(row: string, event: TraceEvent, view: CodecView): Findings {
  const test = caseOf(view, event);
  if (test?.request === undefined || !test.requirements.includes(row)) return undefined;
  const op = opOf(test);
  if (!offers(view, op) || event.data['unsupported'] === true) return lacking(row, op, event, view);
  const { request } = test;
  // Of this row only: what another row of the same test is about is none of its business.
  const wrong = judgeAnswer({ ...test, requirements: [row] }, request, event.data, view.hello);
  if (wrong !== undefined) return complaint(test, event, wrong);
  const more = further[row]?.(test, event, view);
  if (more === 'shows nothing' || !showsRequirement(row, request, event.data)) return undefined;
  return more ?? exercised(event);
}

/** An operation that the testee lacks: nothing is known of a row, unless another operation shows it. */
function lacking(row: string, op: string, at: { readonly seq: number }, view: CodecView): Findings {
  const others = shownBy[row]?.filter((other) => other !== op && offers(view, other)) ?? [];
  return others.length > 0 ? undefined : unknowable(at, `the testee does not support ${op}`);
}

/** A test that got no answer is broken: a codec that dies of a message neither takes nor refuses it. */
function unanswered(row: string, view: CodecView, last: TraceEvent): Findings {
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

const ruleOf = (row: string): Rule<CodecView> =>
  rule({
    requirement: row,
    listens: ['answer'],
    start: () => null,
    step: (_, event, view: CodecView) => judge(row, event, view),
    end: (_, view: CodecView, last) => unanswered(row, view, last),
  });

/** Every rule, each for one requirement. */
export const codecRules: readonly Rule<CodecView>[] = Object.keys(shownBy).map(ruleOf);
