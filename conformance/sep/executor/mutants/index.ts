/** All mutants of executors: the reference testee with one fault each. */
import { withoutExtensions } from '../../shared/without-extensions.ts';
import { mutantsOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { executorWith } from './mutant.ts';
import type { ExecutorFaults } from './mutant.ts';
import { acrossFaults } from './across.ts';
import { attemptFaults } from './attempts.ts';
import { blockFaults } from './blocks.ts';
import { characterFaults } from './characters.ts';
import { effectFaults } from './effects.ts';
import { extensionFaults } from './extensions.ts';
import { feedValueFaults } from './feed-values.ts';
import { feedFaults } from './feeds.ts';
import { failureFaults } from './failures.ts';
import { internalActionFaults } from './internal-actions.ts';
import { iterationFaults } from './iterations.ts';
import { manifestFaults } from './manifests.ts';
import { orderFaults } from './order.ts';
import { variableFaults } from './variables.ts';

const themes: readonly ExecutorFaults[] = [
  ...[
    orderFaults,
    failureFaults,
    variableFaults,
    characterFaults,
    iterationFaults,
    manifestFaults,
    feedFaults,
    feedValueFaults,
    internalActionFaults,
    attemptFaults,
    acrossFaults,
  ].map(withoutExtensions),
  blockFaults,
  effectFaults,
  extensionFaults,
];

/** The faults of all themes, by the ids of their mutants. */
export const executorFaults: ExecutorFaults = Object.fromEntries(
  themes.flatMap((theme) => Object.entries(theme)),
);

/** Every mutant of the reference executor. */
export const executorMutants: () => readonly Mutant[] = mutantsOf('sep/executor', themes, executorWith);
