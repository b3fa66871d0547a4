/** The maker of the golden vectors of Fold, with the reference codec as the one that answers them. */
import type { JsonObject } from '../../../src/kit/base/index.ts';
import type { VectorMaker } from '../../../src/kit/suite/index.ts';
import { judgeVector, vectorMaker } from '../../../src/kit/testee/index.ts';
import { codecOf, messageNames } from '../../../src/fold/index.ts';
import { foldVectorSource } from './index.ts';
import { bytesOf } from './wire.ts';

/** The answer of the reference codec to `fold.decode`. */
export function foldAnswer({ id = null, type, hex }: JsonObject): JsonObject {
  const name = messageNames.find((each) => `coven.${each}` === type);
  if (name === undefined || typeof hex !== 'string')
    return { id, error: { code: 'bad-input', message: 'expected a type of coven.proto and hex' } };
  const decoded = codecOf(name).decode(bytesOf(hex));
  if (!decoded.ok) return { id, error: { code: decoded.error.code, message: decoded.error.message } };
  return { id, ok: { json: decoded.value.message as JsonObject } };
}

export const foldVectors: VectorMaker = vectorMaker(foldVectorSource(), {
  reference: foldAnswer,
  judge: ({ result, expect }, _, answer) => judgeVector({ result, ...(expect && { expect }) }, answer),
});
