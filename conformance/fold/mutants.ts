/** Reference agents that are wrong in one way each. */
import type { Mutant } from '../../src/kit/check/index.ts';

/** Every mutant of the reference agent. */
export const agentMutants: readonly Mutant[] = [];
