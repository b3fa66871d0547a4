/** All mutants of codecs: the reference testee with one fault each. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { argsMutants } from './args.ts';
import { fieldMutants } from './fields.ts';
import { numberMutants } from './numbers.ts';
import { sendingMutants } from './sending.ts';
import { tagMutants } from './tags.ts';
import { textMutants } from './texts.ts';

/** Every mutant, by theme. */
export const codecMutants: readonly Mutant[] = [
  ...sendingMutants,
  ...textMutants,
  ...tagMutants,
  ...fieldMutants,
  ...numberMutants,
  ...argsMutants,
];
