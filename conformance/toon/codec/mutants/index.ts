/** The mutants of TOON codecs. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { compressingMutants } from './compressing.ts';
import { decodingMutants } from './decoding.ts';
import { encodingMutants } from './encoding.ts';
import { expandingMutants } from './expanding.ts';
import { streamMutants } from './streams.ts';

/** Every mutant, by the operation of its fault. */
export const codecMutants: readonly Mutant[] = [
  ...encodingMutants,
  ...compressingMutants,
  ...decodingMutants,
  ...expandingMutants,
  ...streamMutants,
];
