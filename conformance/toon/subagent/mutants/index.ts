/** All mutants of TOON subagents. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { mannerMutants } from '../../shared/mutants/manners.ts';
import { receivingMutants } from '../../shared/mutants/receiving.ts';
import { wireMutants } from '../../shared/mutants/wire.ts';
import { mutant } from './mutant.ts';
import { openingMutants } from './opening.ts';
import { sendingMutants } from './sending.ts';
import { workMutants } from './work.ts';

/** Every mutant of the reference subagent. */
export const subagentMutants: readonly Mutant[] = [
  ...wireMutants(mutant),
  ...receivingMutants(mutant, 'INSTRUCTION'),
  ...mannerMutants(mutant),
  ...sendingMutants,
  ...workMutants,
  ...openingMutants,
];
