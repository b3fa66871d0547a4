/** The flag `--allow-origin` of the simulated provider. */
import type { SimulatorRun } from '../../../src/kit/suite/index.ts';

/** The origins of web pages that may call; empty: pages of this machine only. */
export const originsOf = ({ flags: { allowOrigin } }: SimulatorRun): readonly string[] =>
  typeof allowOrigin === 'string' ? allowOrigin.split(',').map((origin) => origin.trim()) : [];
