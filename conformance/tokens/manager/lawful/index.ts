/** Token managers with oddities that the requirements allow: the reference testee with other answers. */
import { answerFaults } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, LawfulPeer } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { tokensTestee } from '../../../../src/tokens/index.ts';
import { editActions, isSend } from '../mutants/turn-mutant.ts';

const { faulty } = answerFaults(tokensTestee);

const lawful = (id: string, title: string, allowed: string, oddity: AnswerFault): LawfulPeer => ({
  id,
  title,
  allowed,
  make: () => testeeOf(faulty(oddity)),
});

const runsNothing = { do: 'run_tools', ids: [] };

/** The oddities. */
export const lawfulManagers: readonly LawfulPeer[] = [
  lawful(
    'runs-nothing',
    'After each response without a call that runs, it runs an empty list of calls.',
    'spec/tokens/README.md, Testee: run_tools has ids of the calls that run, and an empty list has none',
    editActions((actions) =>
      actions.flatMap((action, i) =>
        isSend(action) && actions[i + 1]?.['do'] !== 'run_tools' ? [action, runsNothing] : [action],
      ),
    ),
  ),
];
