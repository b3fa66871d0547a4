/** `wireproof simulate sample/responder`: a responder to write a caller against. */
import { playOnCarrier, visible } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { referenceResponder, sampleResponderSuite } from './suite.ts';

/** Plays the responder. No suite judges callers, so that the simulator does not take `--no-rules`. */
export const play = (run: SimulatorRun): Promise<SimulatorEnd> =>
  playOnCarrier(run, {
    suite: sampleResponderSuite,
    title: 'Sample responder',
    textOf: ({ kind, data }) => (kind === 'message' ? visible(JSON.stringify(data)) : kind),
    make: referenceResponder,
  });
