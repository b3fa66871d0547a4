/** Makes the golden vectors of TOON, and tests the reference codec with them. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { vectorInput } from '../../../src/kit/spec/index.ts';
import type { VectorMaker } from '../../../src/kit/suite/index.ts';
import { toonTestee } from '../../../src/toon/index.ts';
import { toonCases } from './cases/index.ts';
import { judgeAnswer } from './judge.ts';

export const toonVectors: VectorMaker = {
  files: toonCases,
  referenceFault(op, test) {
    const request: JsonObject = { ...vectorInput(test), id: test.id, op };
    return judgeAnswer(test, request, toonTestee(request), { codes: true });
  },
};
