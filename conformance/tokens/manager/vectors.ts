/** Makes the golden vectors of token managers, and tests the reference with them. */
import type { VectorMaker } from '../../../src/kit/suite/index.ts';
import { vectorMaker } from '../../../src/kit/testee/index.ts';
import { tokensTestee } from '../../../src/tokens/index.ts';
import { tokensSource } from './cases/index.ts';
import { judgeAnswer } from './judge.ts';

export const tokensVectors: VectorMaker = vectorMaker(tokensSource, {
  reference: tokensTestee,
  judge: ({ expect = {} }, request, answer) => judgeAnswer(expect, request, answer),
});
