/** Responders that are wrong in one named way each. */
import { editIncoming, editOutgoing, intercepted, peerOf } from '../../../../src/kit/suite/index.ts';
import type { Mutant, RoleFault } from '../../../../src/kit/suite/index.ts';
import { responder, sampleCodec } from '../../../../src/sample/index.ts';
import type { SampleMessage } from '../../../../src/sample/index.ts';

type Fault = RoleFault<null, SampleMessage, SampleMessage>;

const mutant = (breaks: string, id: string, title: string, fault: () => Fault): Mutant => ({
  id,
  breaks,
  title,
  make: () => peerOf(intercepted(responder(), fault), sampleCodec, sampleCodec),
});

/** Every mutant of the reference responder. */
export const responderMutants: readonly Mutant[] = [
  mutant('SAMPLE-11', 'answers-twice', 'It sends each pong twice.', () =>
    editOutgoing((message) => [message, message]),
  ),
  mutant('SAMPLE-12', 'ignores-even-ids', 'It does not answer a ping with an even id.', () =>
    editIncoming((message) => (message.id % 2 === 0 ? [] : [message])),
  ),
];
