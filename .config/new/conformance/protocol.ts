/** Sample, as the command knows it. */
import type { Protocol } from '../../src/kit/suite/index.ts';

/** See the file's head. */
export const sample: Protocol = {
  name: 'sample',
  title: 'Sample (pings and pongs)',
  suites: {
    codec: async () => (await import('./codec/suite.ts')).sampleCodecSuite,
    responder: async () => (await import('./responder/suite.ts')).sampleResponderSuite,
  },
  testees: ['codec'],
  vectors: async () => (await import('./codec/vectors.ts')).sampleVectors,
  simulators: [
    {
      name: 'sample/responder',
      text: 'be a responder to write a caller against',
      takes: ['listen', 'connect'],
      address: '127.0.0.1:50071',
      flags: [{ flags: '--carrier <name>', text: 'tcp or stdio; default: tcp' }],
      load: async () => (await import('./responder/simulator.ts')).play,
    },
  ],
  topics: {
    testees: `sample/codec: spec/sample/README.md lists the operations.
`,
  },
  examples: [
    { command: 'check sample/codec -- python3 my_testee.py', text: 'a codec' },
    { command: 'check sample/responder -- ./my-responder', text: 'a responder on stdin and stdout' },
    { command: 'simulate sample/responder --listen 127.0.0.1:50071', text: 'a responder to call' },
  ],
};
