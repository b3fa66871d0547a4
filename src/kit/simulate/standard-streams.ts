/** The environment and the standard streams of a simulated peer's run. */
import type { SimulatorRun } from '../suite/index.ts';

/** The members of Node's `process` that a run may use. */
export type StandardStreams = Pick<NodeJS.Process, 'env' | 'stdin' | 'stdout' | 'stderr'>;

/** The streams of a run. The command passes Node's `process`; tests pass their own streams. */
export const standardStreams = ({ process }: SimulatorRun): StandardStreams => process as StandardStreams;
