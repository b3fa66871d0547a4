/** Makes the golden vectors of fixtures/sample/cases, and puts them to the reference. */
import type { VectorMaker } from '../../../src/kit/suite/index.ts';
import { judgeVector, vectorMaker } from '../../../src/kit/testee/index.ts';
import { sampleTestee } from '../../../src/sample/index.ts';

/** The maker. */
export const sampleVectors: VectorMaker = vectorMaker(
  { protocol: 'sample' },
  {
    reference: sampleTestee,
    judge: ({ result, expect, error }, _, answer) => judgeVector({ result, expect, error }, answer),
  },
);
