/** All mutants of TOON codecs: the reference testee, wrong in one way each. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { compressingMutants } from './compressing.ts';
import { decodingMutants } from './decoding.ts';
import { encodingMutants } from './encoding.ts';
import { expandingMutants } from './expanding.ts';
import { streamMutants } from './streams.ts';

/** Every mutant, in the order of what they get wrong. */
export const codecMutants: readonly Mutant[] = [
  ...encodingMutants,
  ...compressingMutants,
  ...decodingMutants,
  ...expandingMutants,
  ...streamMutants,
];
