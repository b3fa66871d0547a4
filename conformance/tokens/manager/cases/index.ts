/** All tests of token managers, by theme: tables written by hand from the requirements' sentences. */
import { budgetTests } from './budget.ts';
import { estimateTests } from './estimate.ts';
import { pruneTests } from './prune.ts';
import { randomPruneTests, randomTurnTests } from './random.ts';
import { responseTests } from './response.ts';
import { roomTests } from './room.ts';
import { summaryTests } from './summarize.ts';
import type { TokensTest } from './table.ts';
import { turnTests } from './turn.ts';

/** The tests of each theme, in reading order. */
export const tokensTests: { readonly [theme: string]: readonly TokensTest[] } = {
  response: responseTests,
  budget: budgetTests,
  estimate: estimateTests,
  prune: pruneTests,
  summarize: summaryTests,
  turn: turnTests,
  room: roomTests,
  'random-prune': randomPruneTests,
  'random-turn': randomTurnTests,
};
