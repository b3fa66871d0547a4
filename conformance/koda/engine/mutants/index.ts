/** All mutants of Koda engines. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { goesDeaf, hangsUp, splitsAtSeparators } from '../../shared/mutants/receiving.ts';
import { approvalFaults } from './approvals.ts';
import { contentFaults } from './contents.ts';
import { endFaults } from './ends.ts';
import { mutant } from './mutant.ts';
import { pauseFaults } from './pauses.ts';
import { responseFaults } from './responses.ts';
import { textFaults } from './texts.ts';
import { toolFaults } from './tools.ts';
import { turnFaults } from './turns.ts';

/** Every mutant of the reference engine. */
export const engineMutants: readonly Mutant[] = [
  ...textFaults,
  ...turnFaults,
  ...responseFaults,
  ...toolFaults,
  ...approvalFaults,
  ...pauseFaults,
  ...endFaults,
  ...contentFaults,
  mutant('KODA-65', 'hangs-up', 'It closes the stream at a command that it cannot read.', hangsUp),
  mutant('KODA-65', 'goes-deaf', 'It reads nothing after a command that it cannot read.', goesDeaf),
  mutant('KODA-26', 'stops-at-garbage', 'It takes a command that it cannot read for an interrupt.', () => ({
    input: (input) => [
      input.type === 'undecodable'
        ? { type: 'message', message: { type: 'interrupt' }, peer: input.peer }
        : input,
    ],
  })),
  mutant(
    'KODA-79',
    'splits-at-separators',
    'It ends the line of a command at U+2028, too.',
    splitsAtSeparators,
  ),
];
