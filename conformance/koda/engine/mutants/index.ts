/** All mutants of Koda engines. */
import { mutantsOf, onInput } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { goesDeaf, hangsUp, splitsAtSeparators } from '../../shared/mutants/receiving.ts';
import { approvalFaults } from './approvals.ts';
import { contentFaults } from './contents.ts';
import { endFaults } from './ends.ts';
import { engineWith } from './mutant.ts';
import type { EngineFaults } from './mutant.ts';
import { pauseFaults } from './pauses.ts';
import { responseFaults } from './responses.ts';
import { textFaults } from './texts.ts';
import { toolFaults } from './tools.ts';
import { turnFaults } from './turns.ts';

const unreadableFaults: EngineFaults = {
  'hangs-up': hangsUp,
  'goes-deaf': goesDeaf,
  'stops-at-garbage': () =>
    onInput('undecodable', ({ peer }) => [{ type: 'message', message: { type: 'interrupt' }, peer }]),
  'splits-at-separators': splitsAtSeparators,
};

/** Every mutant of the reference engine. */
export const engineMutants: () => readonly Mutant[] = mutantsOf(
  'koda/engine',
  [
    textFaults,
    turnFaults,
    responseFaults,
    toolFaults,
    approvalFaults,
    pauseFaults,
    endFaults,
    contentFaults,
    unreadableFaults,
  ],
  engineWith,
);
