/** Makes the golden vectors of SEP, and tests the reference with them. */
import type { VectorMaker } from '../../../src/kit/suite/index.ts';
import { vectorMaker } from '../../../src/kit/testee/index.ts';
import { sepTestee } from '../../../src/sep/index.ts';
import { sepSource } from './cases/index.ts';
import { judgeParse, parserFeatures } from './judge.ts';

/** The maker of the vectors. */
export const sepVectors: VectorMaker = vectorMaker(sepSource, {
  reference: sepTestee,
  judge: ({ expect = {} }, request, answer) => judgeParse(expect, request, answer, parserFeatures),
});
