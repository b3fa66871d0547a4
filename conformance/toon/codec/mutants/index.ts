/** The mutants of TOON codecs. */
import { mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { codecWith } from './mutant.ts';
import { compressingFaults } from './compressing.ts';
import { decodingFaults } from './decoding.ts';
import { encodingFaults } from './encoding.ts';
import { expandingFaults } from './expanding.ts';
import { streamFaults } from './streams.ts';

/** Every mutant, by the operation of its fault. */
export const codecMutants: () => readonly Mutant[] = mutantsOf(
  'toon/codec',
  [encodingFaults, compressingFaults, decodingFaults, expandingFaults, streamFaults],
  codecWith,
);
