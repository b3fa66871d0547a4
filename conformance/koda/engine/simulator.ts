/** `wireproof simulate koda/engine`: an engine to write a client against. */
import { playOnCarrier } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { kodaClientSuite } from '../client/suite.ts';
import { referenceEngine } from '../shared/peers.ts';
import { textOf } from '../shared/simulator.ts';

/** Plays the engine. It obeys directives, and repeats other prompts. */
export const play = (run: SimulatorRun): Promise<SimulatorEnd> =>
  playOnCarrier(run, {
    suite: kodaClientSuite,
    title: 'Koda engine',
    textOf,
    make: () => referenceEngine({ seed: String(Date.now()) }),
  });
