/** The suite of responders: the kit is their caller. */
import { peerOf, scriptedPeer } from '../../../src/kit/suite/index.ts';
import type { MakePeer, Suite } from '../../../src/kit/suite/index.ts';
import { lineFraming } from '../../../src/kit/testee/index.ts';
import { responder, sampleCodec } from '../../../src/sample/index.ts';
import { responderMutants } from './mutants/index.ts';
import { responderRules } from './rules/index.ts';
import { defaultTimeouts, judging } from './view.ts';
import type { SampleView } from './view.ts';

/** The reference responder as a target. */
export const referenceResponder = (): MakePeer => peerOf(responder(), sampleCodec, sampleCodec);

/** Responders: the kit sends pings. */
export const sampleResponderSuite: Suite<SampleView> = {
  id: 'sample/responder',
  protocol: 'sample',
  role: 'responder',
  title: 'Sample responders: does this responder answer each ping?',
  features: [],
  judging: { rules: responderRules, ...judging },
  secrets: { metadata: [], fields: [], may: () => false },
  timeouts: { ...defaultTimeouts, handshake: 5000, step: 10_000, quiet: 300, late: 300 },
  target: {
    kind: 'meets',
    carriers: ['tcp', 'stdio'],
    framing: lineFraming,
    drive: 'passive',
    advertised: () => [],
  },
  unsupported: () => undefined,
  peers: { 'sample/caller': () => scriptedPeer(sampleCodec) },
  conditionalRows: [],
  statement: {
    target: `target:
  # An argv array, never a shell string. With {address} the target dials the kit over TCP, with {listen} the kit dials it.
  # With neither it speaks on its stdin and stdout.
  command: [./my-responder]
`,
  },
  reference: referenceResponder,
  mutants: responderMutants,
};
