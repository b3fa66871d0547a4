/** Codecs that are wrong in one named way each. */
import { answerFaults, okAnswer } from '../../../../src/kit/suite/index.ts';
import type { AnswerFault, Mutant } from '../../../../src/kit/suite/index.ts';
import { testeeOf } from '../../../../src/kit/testee/index.ts';
import { sampleTestee } from '../../../../src/sample/index.ts';

const { codeOf, editOutgoing, faulty } = answerFaults(sampleTestee);

const mutant = (breaks: string, id: string, title: string, fault: AnswerFault): Mutant => ({
  id,
  breaks,
  title,
  make: () => testeeOf(faulty(fault)),
});

/** Every mutant of the codec. */
export const codecMutants: readonly Mutant[] = [
  mutant(
    'SAMPLE-01',
    'swaps-types',
    'It decodes a pong to a ping.',
    editOutgoing('sample.decode', () => ({ message: { type: 'ping', id: 0 } })),
  ),
  mutant('SAMPLE-02', 'takes-anything', 'It takes a line that holds no message.', (request) =>
    codeOf(request) === 'bad-message' ? okAnswer(request, { message: {} }) : undefined,
  ),
];
