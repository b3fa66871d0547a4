/** Reference gateways that are wrong in one named way each. */
import type { Mutant } from '../../../../src/kit/check/index.ts';

/** Every mutant of the reference gateway. */
export const gatewayMutants: readonly Mutant[] = [];
