/** The descriptor of SEP: the Streaming Execution Protocol. */
import type { Protocol } from '../../src/kit/suite/index.ts';

/** The descriptor of SEP. */
export const sep: Protocol = {
  name: 'sep',
  title: 'SEP, the Streaming Execution Protocol: tags in the output of a model',
  suites: {
    parser: async () => (await import('./parser/suite.ts')).sepParserSuite,
    executor: async () => (await import('./executor/suite.ts')).sepExecutorSuite,
  },
  testees: ['parser', 'executor'],
  vectors: async () => (await import('./vectors.ts')).sepVectors,
  topics: {
    testees: `sep/parser and sep/executor: spec/sep/README.md lists the operations, such as sep.parse.
`,
  },
  examples: [{ command: 'check sep/parser -- python3 my_testee.py', text: "a parser of a model's output" }],
};
