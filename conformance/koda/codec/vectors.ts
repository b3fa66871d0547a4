/** Makes the golden vectors of fixtures/koda/cases, and puts them to the reference. */
import { isArray } from '../../../src/kit/base/index.ts';
import { textBuilders } from '../../../src/kit/spec/index.ts';
import type { Case, Vector } from '../../../src/kit/spec/index.ts';
import type { VectorMaker } from '../../../src/kit/suite/index.ts';
import { vectorMaker, vectorOf } from '../../../src/kit/testee/index.ts';
import type { VectorSource } from '../../../src/kit/testee/index.ts';
import { kodaTestee } from '../../../src/koda/index.ts';
import { messageBuilders } from './cases/texts.ts';
import { judgeAnswer } from './judge.ts';

/** The sources of the vectors. Nothing is random: each seed makes the same tests. */
export const kodaVectorSource: VectorSource = {
  protocol: 'koda',
  buildersOf: () => ({ ...textBuilders, ...messageBuilders }),
  vectorOf: (test) => withFlatRows(test),
};

export const kodaVectors: VectorMaker = vectorMaker(kodaVectorSource, {
  reference: kodaTestee,
  judge: ({ requirements, result, expect, error }, request, answer) => {
    const test = { result, ...(expect && { expect }), ...(error !== undefined && { error }) };
    const judgements = requirements.map((row) => judgeAnswer(row, test, request, answer, { codes: true }));
    return judgements.find((judgement) => judgement !== 'exercised') ?? judgements[0];
  },
});

/** A test whose table gives it a list of rows as one of its rows. */
function withFlatRows(test: Case): Vector {
  const { requirements } = test;
  return vectorOf(isArray(requirements) ? { ...test, requirements: requirements.flat() } : test);
}
