/** The rules of TOON codecs: one a row, each judged by the answers to the tests that list it. */
import type { Rule } from '../../../src/kit/judge/index.ts';
import { testeeRules } from '../../testee-rules.ts';
import type { Answered, Outcome, ShownBy } from '../../testee-rules.ts';
import { judgeAnswer, showsRequirement } from './judge.ts';
import { opOf } from './view.ts';
import type { CodecView } from './view.ts';

const encode = 'toon.encode';
const decode = 'toon.decode';
const rleEncode = 'toon.rle.encode';
const rleDecode = 'toon.rle.decode';
const stream = 'toon.stream';

/** The rows that codecs owe, and the operations that can show each by themselves. */
export const shownBy: ShownBy = {
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

/** What a row makes of an answer that is right otherwise. */
type Further = (answered: Answered) => Outcome;

/**
 * TOON-08, "MUST validate inside decode": what the testee's own validate calls invalid, its decode must not take.
 * A test for which either answer will do shows nothing, unless validate said no before.
 */
const validatesInside: Further = ({ test, request, answer, view }) => {
  const { wire } = request;
  const saidNo = opOf(test) === decode && typeof wire === 'string' && view.validity.get(wire) === false;
  if (!saidNo) return test.result === 'acceptable' ? 'shows nothing' : 'holds';
  if (answer['ok'] === undefined) return 'holds';
  return { wrong: 'expected a refusal, for validate said that this message is not valid; came ok' };
};

/** Rows that look at more than `judgeAnswer` does. */
const further: { readonly [row: string]: Further } = { 'TOON-08': validatesInside };

function judge(row: string, answered: Answered): Outcome {
  const { test, request, answer, view } = answered;
  // Of this row only: what another row of the same test is about is none of its business.
  const wrong = judgeAnswer({ ...test, requirements: [row] }, request, answer, view.hello);
  if (wrong !== undefined) return { wrong };
  return showsRequirement(row, request, answer) ? (further[row]?.(answered) ?? 'holds') : 'shows nothing';
}

/** Every rule, each for one requirement. */
export const codecRules: readonly Rule<CodecView>[] = testeeRules(shownBy, judge);
