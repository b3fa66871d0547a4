/** All mutants of executors: the reference testee with one fault each. */
import { acrossMutants } from './across.ts';
import { attemptMutants } from './attempts.ts';
import { blockMutants } from './blocks.ts';
import { characterMutants } from './characters.ts';
import { effectMutants } from './effects.ts';
import { extensionMutants } from './extensions.ts';
import { feedValueMutants } from './feed-values.ts';
import { feedMutants } from './feeds.ts';
import { failureMutants } from './failures.ts';
import { internalActionMutants } from './internal-actions.ts';
import { iterationMutants } from './iterations.ts';
import { manifestMutants } from './manifests.ts';
import type { ExecutorMutant } from './mutant.ts';
import { orderMutants } from './order.ts';
import { variableMutants } from './variables.ts';

/** Every mutant, by theme. */
export const executorMutants: readonly ExecutorMutant[] = [
  ...orderMutants,
  ...failureMutants,
  ...variableMutants,
  ...characterMutants,
  ...iterationMutants,
  ...manifestMutants,
  ...feedMutants,
  ...feedValueMutants,
  ...internalActionMutants,
  ...blockMutants,
  ...effectMutants,
  ...extensionMutants,
  ...attemptMutants,
  ...acrossMutants,
];
