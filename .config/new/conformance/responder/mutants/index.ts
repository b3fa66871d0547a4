/** Responders that are wrong in one named way each: spec/sample/mutants/responder.yaml has the words. */
import { onReceive, onSend, intercepted, mutantsOf, peerOf } from '../../../../src/kit/suite/index.ts';
import type { Faults, Mutant, RoleFault } from '../../../../src/kit/suite/index.ts';
import { responder, sampleCodec } from '../../../../src/sample/index.ts';
import type { SampleMessage } from '../../../../src/sample/index.ts';

/** A fault is made anew for each run. */
type Fault = () => RoleFault<null, SampleMessage, SampleMessage>;

const faults: Faults<Fault> = {
  'answers-twice': () => onSend((message) => [message, message]),
  'ignores-even-ids': () => onReceive((message) => (message.id % 2 === 0 ? [] : [message])),
};

/** Every mutant of the reference responder. */
export const responderMutants: () => readonly Mutant[] = mutantsOf(
  'sample/responder',
  [faults],
  (fault) => () => peerOf(intercepted(responder(), fault), sampleCodec, sampleCodec),
);
