/** All mutants of token managers: the reference testee with one fault each. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { adviceMutants } from './advice.ts';
import { budgetMutants } from './budget.ts';
import { callMutants } from './calls.ts';
import { completeCallMutants } from './complete-calls.ts';
import { droppedCallMutants } from './dropped-calls.ts';
import { estimateMutants } from './estimate.ts';
import { incompleteCallMutants } from './incomplete-calls.ts';
import { messageMutants } from './messages.ts';
import { nearLimitMutants } from './near-limit.ts';
import { responseMutants } from './response.ts';
import { processMutants } from './process.ts';
import { roomMutants } from './room.ts';
import { stopReasonMutants } from './stop-reasons.ts';
import { toolContextMutants } from './tool-context.ts';
import { turnMutants } from './turn.ts';
import { usageMutants } from './usage.ts';
import { warningMutants } from './warnings.ts';

/** Every mutant, by theme. */
export const managerMutants: readonly Mutant[] = [
  ...stopReasonMutants,
  ...responseMutants,
  ...droppedCallMutants,
  ...incompleteCallMutants,
  ...completeCallMutants,
  ...budgetMutants,
  ...usageMutants,
  ...nearLimitMutants,
  ...adviceMutants,
  ...warningMutants,
  ...estimateMutants,
  ...messageMutants,
  ...turnMutants,
  ...roomMutants,
  ...toolContextMutants,
  ...callMutants,
  ...processMutants,
];
