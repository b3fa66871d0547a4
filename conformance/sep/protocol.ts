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
  limits: async () => {
    const { maxIterations, mostBody } = await import('../../src/sep/index.ts');
    return [
      {
        limit: "SEP: the body of an action in the kit's parser",
        value: `${mostBody >> 20} MiB of characters; a larger one is reported, and the output is read on`,
        set_by: 'mostBody of SepParser',
      },
      {
        limit: "SEP: the iterations of the kit's executor",
        value: `${maxIterations}`,
        set_by: 'maxIterations of executorMachine',
      },
    ];
  },
  topics: {
    testees: `sep/parser and sep/executor: spec/sep/README.md lists the operations, such as sep.parse.
`,
  },
  examples: [{ command: 'check sep/parser -- python3 my_testee.py', text: "a parser of a model's output" }],
};
