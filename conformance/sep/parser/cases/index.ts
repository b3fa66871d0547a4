/** The golden vectors of SEP: case tables in fixtures/sep/cases, and tricky outputs that are cut everywhere. */
import { textBuilders } from '../../../../src/kit/spec/index.ts';
import type { VectorSource } from '../../../../src/kit/testee/index.ts';
import { cutTests } from './cuts.ts';

/** Where they come from. */
export const sepSource: VectorSource = {
  protocol: 'sep',
  buildersOf: () => textBuilders,
  random: { cuts: cutTests },
};
