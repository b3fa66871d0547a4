/** The rules of token managers: one a row, each judged by the answers to the tests that list it. */
import type { Rule } from '../../../src/kit/judge/index.ts';
import { testeeRules } from '../../testee-rules.ts';
import type { ShownBy } from '../../testee-rules.ts';
import { judgeAnswer } from './judge.ts';
import type { ManagerView } from './view.ts';

const response = 'tokens.handle_response';
const budget = 'tokens.budget';
const estimate = 'tokens.estimate';
const prune = 'tokens.prune';
const summarize = 'tokens.summarize';
const turn = 'tokens.turn';

/** The rows that managers owe, and the operations that can show each by themselves. */
export const shownBy: ShownBy = {
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

/** Every rule, each for one requirement. */
export const managerRules: readonly Rule<ManagerView>[] = testeeRules(
  shownBy,
  (_, { test, request, answer }) => judgeAnswer(test.expect ?? {}, request, answer),
);
