/** All mutants of codecs: the reference testee with one fault each. */
import { mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { codecWith } from './mutant.ts';
import { argsFaults } from './args.ts';
import { fieldFaults } from './fields.ts';
import { numberFaults } from './numbers.ts';
import { sendingFaults } from './sending.ts';
import { tagFaults } from './tags.ts';
import { textFaults } from './texts.ts';

export const codecMutants: () => readonly Mutant[] = mutantsOf(
  'koda/codec',
  [sendingFaults, textFaults, tagFaults, fieldFaults, numberFaults, argsFaults],
  codecWith,
);
