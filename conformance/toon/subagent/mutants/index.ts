/** All mutants of TOON subagents. */
import { mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { mannerFaults } from '../../shared/mutants/manners.ts';
import { receivingFaults } from '../../shared/mutants/receiving.ts';
import { wireFaults } from '../../shared/mutants/wire.ts';
import { subagentWith } from './mutant.ts';
import { openingFaults } from './opening.ts';
import { sendingFaults } from './sending.ts';
import { workFaults } from './work.ts';

/** Every mutant of the reference subagent. */
export const subagentMutants: () => readonly Mutant[] = mutantsOf(
  'toon/subagent',
  [wireFaults, receivingFaults('INSTRUCTION'), mannerFaults, sendingFaults, workFaults, openingFaults],
  subagentWith,
);
