/** All mutants of token managers: the reference testee with one fault each. */
import { mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { managerWith } from './mutant.ts';
import { adviceFaults } from './advice.ts';
import { budgetFaults } from './budget.ts';
import { callFaults } from './calls.ts';
import { completeCallFaults } from './complete-calls.ts';
import { droppedCallFaults } from './dropped-calls.ts';
import { estimateFaults } from './estimate.ts';
import { incompleteCallFaults } from './incomplete-calls.ts';
import { messageFaults } from './messages.ts';
import { nearLimitFaults } from './near-limit.ts';
import { responseFaults } from './response.ts';
import { processFaults } from './process.ts';
import { roomFaults } from './room.ts';
import { stopReasonFaults } from './stop-reasons.ts';
import { toolContextFaults } from './tool-context.ts';
import { turnFaults } from './turn.ts';
import { usageFaults } from './usage.ts';
import { warningFaults } from './warnings.ts';

export const managerMutants: () => readonly Mutant[] = mutantsOf(
  'tokens/manager',
  [
    stopReasonFaults,
    responseFaults,
    droppedCallFaults,
    incompleteCallFaults,
    completeCallFaults,
    budgetFaults,
    usageFaults,
    nearLimitFaults,
    adviceFaults,
    warningFaults,
    estimateFaults,
    messageFaults,
    turnFaults,
    roomFaults,
    toolContextFaults,
    callFaults,
    processFaults,
  ],
  managerWith,
);
