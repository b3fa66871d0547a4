/** Makes the golden vectors of token managers, and tests the reference with them. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { vectorInput } from '../../../src/kit/spec/index.ts';
import type { VectorMaker } from '../../../src/kit/suite/index.ts';
import { tokensTestee } from '../../../src/tokens/index.ts';
import { tokensCases } from './cases/index.ts';
import { judgeAnswer } from './judge.ts';

/** The maker of the vectors. */
export const tokensVectors: VectorMaker = {
  files: tokensCases,
  referenceFault(op, test) {
    const request: JsonObject = { ...vectorInput(test), id: test.id, op };
    const judgement = judgeAnswer(test.expect ?? {}, request, tokensTestee(request));
    if (judgement === 'exercised') return undefined;
    return judgement !== undefined && 'violated' in judgement
      ? judgement.violated
      : 'its answer shows nothing';
  },
};
