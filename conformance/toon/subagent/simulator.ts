/** `wireproof simulate toon/subagent`: a subagent to write an orchestrator against. */
import { playOnCarrier } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { toonOrchestratorSuite } from '../orchestrator/suite.ts';
import { referenceSubagent } from '../shared/peers.ts';
import { sharedOptions, textOf } from '../shared/simulator.ts';
import { carrierTarget } from '../shared/suite.ts';

/** Plays the subagent. */
export const play = (run: SimulatorRun): Promise<SimulatorEnd> =>
  playOnCarrier(run, {
    suite: toonOrchestratorSuite,
    meeting: carrierTarget,
    textOf,
    make: (flags) => referenceSubagent(sharedOptions(flags)),
  });
