/** Codecs that are wrong in one named way each: spec/sample/mutants/codec.yaml has the words. */
import { answerFaults, faultyTestee, mutantsOf, okAnswer } from '../../../../src/kit/suite/index.ts';
import type { Faults, Mutant, TesteeFault } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { sampleTestee } from '../../../../src/sample/index.ts';

const { codeOf, onAnswer, faulty } = answerFaults(sampleTestee);

const faults: Faults<TesteeFault> = {
  'swaps-types': onAnswer('sample.decode', () => ({ message: { type: 'ping', id: 0 } })),
  'takes-anything': (request) =>
    codeOf(request) === 'bad-message' ? okAnswer(request, { message: {} }) : undefined,
};

/** Every mutant of the codec. */
export const codecMutants: () => readonly Mutant[] = mutantsOf(
  'sample/codec',
  [faults],
  faultyTestee(faulty, testeeOf),
);
