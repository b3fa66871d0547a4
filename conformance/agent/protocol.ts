/** Whole agents between two protocols, as the command knows them. */
import type { Protocol } from '../../src/kit/suite/index.ts';

export const agent: Protocol = {
  name: 'agent',
  title: 'whole agents, between a simulated gateway and a simulated model',
  suites: {
    fold: async () => (await import('./fold/suite.ts')).agentFoldSuite,
  },
  conversations: { fold: async () => (await import('./fold/storm/storm.ts')).wholeAgentConversation },
  storms: { fold: async () => (await import('./fold/storm/storm.ts')).playWholeAgentStorm },
  simulators: [
    {
      name: 'agent/fold',
      text: 'be a whole agent: take work from a gateway, ask a model, run tools',
      takes: ['connect', 'no-rules'],
      address: '127.0.0.1:50051',
      flags: [
        { flags: '--llm <url>', text: 'the base URL of the model provider, such as http://127.0.0.1:11434' },
        {
          flags: '--dialect <name>',
          text: 'how it speaks to the model',
          choices: ['anthropic', 'openai-chat', 'openai-responses', 'ollama', 'lmstudio'],
          default: 'openai-chat',
        },
        { flags: '--idle <time>', text: 'the longest silence of the model in an answer; default: 60s' },
        { flags: '--model <name>', text: 'the name of the model', default: 'wireproof-1' },
        { flags: '--key-env <name>', text: 'the environment variable with the key of the provider' },
        { flags: '--window <tokens>', text: "the model's context window", default: '200000' },
        {
          flags: '--max-tokens <tokens>',
          text: "the most tokens of a response; default: the provider's limit",
        },
        {
          flags: '--fallback <policy>',
          text: 'near the end of the window: switch-model=NAME, defer-tools or ask-user (repeatable, the first that applies)',
          several: true,
        },
        {
          flags: '--fallback-window <tokens>',
          text: 'the context window of the model of switch-model',
          default: '1000000',
        },
        {
          flags: '--approve <names>',
          text: "tools that need an approval, with commas: wait, echo, fail, write, read_file, run; '' for none",
          default: 'write,run',
        },
        { flags: '--root <folder>', text: 'offer the tool read_file, for the files in this folder' },
        { flags: '--run', text: 'offer the tool run, which starts programs on this machine' },
        { flags: '--agent-id <id>', text: 'the id to register under', default: 'whole-agent' },
        { flags: '--service <path>', text: 'the gRPC service of agents', default: 'coven.CovenControl' },
      ],
      load: async () => (await import('./fold/simulator.ts')).play,
    },
  ],
  topics: {
    drive: `fold/agent: --drive llm judges the whole agent. The kit is its gateway and its model: the agent finds the model in its
environment ({llm_url}, OPENAI_BASE_URL, ANTHROPIC_BASE_URL and so on). spec/agent/README.md explains it.
`,
  },
  examples: [
    {
      command: 'simulate agent/fold --llm http://127.0.0.1:11434 --dialect ollama --model llama3.2',
      text: 'a whole agent with a local model',
    },
    {
      command: 'simulate agent/fold --llm http://127.0.0.1:1234 --root . --window 8000 --fallback ask-user',
      text: 'it reads files here, and asks before it forgets',
    },
    {
      command: 'simulate fold/agent --llm http://127.0.0.1:1234 --dialect lmstudio --model m',
      text: 'the same agent, by its other name',
    },
    {
      command: 'check fold/agent --drive llm -- ./my-agent --gateway {address}',
      text: 'a whole agent, its model simulated, too',
    },
  ],
};
