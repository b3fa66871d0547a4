/**
 * The requirements that only the reader of a dialect can judge: LLM-S01, S04 to S09, S18 to S22, S25, S27, S30, S32, S33, S40 to S43, S45, S46, S50, S51,
 * S60 to S66, and parts of others.
 */
import { exercised, unknowable, violated } from '../../../../src/kit/judge/index.ts';
import type { Rule } from '../../../../src/kit/judge/index.ts';
import type { ServerView } from '../view.ts';
import { factRule } from './fact-rule.ts';

/**
 * Parts of LLM-S02 (a chunk with a reason before `[DONE]`), LLM-S11 (arguments of another type, more calls than are kept),
 * LLM-S17 (an unreadable body), LLM-S23 (an empty stop word before the end).
 */
const rows =
  '01 02 04 05 06 07 08 09 11 17 18 19 20 21 22 23 25 27 30 32 33 40 41 42 43 45 46 50 51 60 61 62 63 64 65 66'.split(
    ' ',
  );

export const dialectRules: readonly Rule<ServerView>[] = rows.map((row) =>
  factRule(`LLM-S${row}`, (fact, event) => {
    if (!('row' in fact) || fact.row !== `LLM-S${row}`) return undefined;
    if (fact.type === 'exercised') return exercised(event);
    return fact.type === 'violated' ? violated(event, fact.message) : unknowable(event, fact.message);
  }),
);
