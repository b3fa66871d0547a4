/** The reference agent, wrong in one way each. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';

/** All of them. */
export const agentMutants: readonly Mutant[] = [];
