/** Whole agents between two protocols, as the command knows them. */
import type { Protocol } from '../../src/kit/suite/index.ts';

/** See the file's head. */
export const agent: Protocol = {
  name: 'agent',
  title: 'whole agents, between a simulated gateway and a simulated model',
  suites: {
    fold: async () => (await import('./fold/suite.ts')).agentFoldSuite,
  },
  topics: {
    drive: `fold/agent: --drive llm judges the whole agent. The kit is its gateway and its model: the agent finds the model in its
environment ({llm_url}, OPENAI_BASE_URL, ANTHROPIC_BASE_URL and so on). spec/agent/README.md explains it.
`,
  },
  examples: [
    {
      command: 'check fold/agent --drive llm -- ./my-agent --gateway {address}',
      text: 'a whole agent, its model simulated, too',
    },
  ],
};
