/** `wireproof simulate toon/orchestrator`: gives instructions to a subagent, and answers its calls. */
import { playOnCarrier } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { referenceOrchestrator } from '../shared/peers.ts';
import { sharedOptions, textOf } from '../shared/simulator.ts';
import { toonSubagentSuite } from '../subagent/suite.ts';

/** The instruction when no flag gives one. */
const greeting = 'Say that you are there.';

/** Plays the orchestrator. */
export const play = (run: SimulatorRun): Promise<SimulatorEnd> =>
  playOnCarrier(run, {
    suite: toonSubagentSuite,
    title: 'TOON (Task Orchestration Over Node) orchestrator',
    textOf,
    hint: 'Each line is an instruction.',
    make(flags) {
      const given = flags.list('instruction');
      const stay = given.includes('-');
      const instructions = given.length === 0 ? [greeting] : given.filter((text) => text !== '-');
      return referenceOrchestrator({ ...sharedOptions(flags), instructions, stay });
    },
    lineMessage: (flags) =>
      flags.list('instruction').includes('-')
        ? (instruction) =>
            instruction.trim() === '' ? undefined : { type: 'INSTRUCTION', payload: { instruction } }
        : undefined,
  });
