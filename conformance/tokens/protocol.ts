/** The descriptor of tokens: token management. */
import type { Protocol } from '../../src/kit/suite/index.ts';

/** The descriptor of tokens. */
export const tokens: Protocol = {
  name: 'tokens',
  title: 'Tokens: surviving the output limit',
  suites: { manager: async () => (await import('./manager/suite.ts')).tokensManagerSuite },
  testees: ['manager'],
  vectors: async () => (await import('./manager/vectors.ts')).tokensVectors,
  topics: {
    testees: `tokens/manager: spec/tokens/README.md lists the operations, such as tokens.handle_response.
`,
  },
  examples: [
    { command: 'check tokens/manager -- python3 my_testee.py', text: 'a library that manages tokens' },
  ],
};
