/** The golden vectors of token managers: case tables in fixtures/tokens/cases, and random tests. */
import type { VectorFile } from '../../../../src/kit/spec/index.ts';
import { vectorFiles } from '../../../../src/kit/testee/index.ts';
import type { VectorSource } from '../../../../src/kit/testee/index.ts';
import { tokensBuilders, tokensVector } from './builders.ts';
import { randomPrunes, randomTurns } from './random.ts';

/** Where they come from. */
export const tokensSource: VectorSource = {
  protocol: 'tokens',
  buildersOf: () => tokensBuilders,
  vectorOf: tokensVector,
  random: { 'random-prune': randomPrunes, 'random-turn': randomTurns },
};

/** The files of vectors that a seed makes. */
export const tokensCases = (seed: string): readonly VectorFile[] => vectorFiles(tokensSource, seed);
