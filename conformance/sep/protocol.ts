/** The descriptor of SEP: the Streaming Execution Protocol. */
import type { Protocol } from '../../src/kit/suite/index.ts';
import { feedServerFlags } from './feeds/flags.ts';

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
  conversations: {
    executor: async () => (await import('./executor/conversation.ts')).executorConversation,
  },
  storms: { executor: async () => (await import('./executor/storm/storm.ts')).playExecutorStorm },
  simulators: [
    {
      name: 'sep/executor',
      text: "run the actions of a model's output on stdin, and show its thoughts, actions and responses",
      takes: [],
      address: '127.0.0.1:0',
      flags: [
        {
          flags: '--script <file>',
          text: 'play the outputs of this YAML file at its pace instead of stdin; it may have providers',
        },
        {
          flags: '--providers <file>',
          text: 'the outcomes of actions by name, as YAML; an action without one is answered with its own name and parameters',
        },
        {
          flags: '--manifest <file>',
          text: 'the feeds of the model and its internal actions, as YAML; a source that is neither internal nor remote gives its own name and parameters',
        },
        {
          flags: '--token-env <name>',
          text: 'the environment variable with the bearer token for the servers of remote feeds',
        },
        {
          flags: '--limit <name=number>',
          text: 'a limit of the run: body, iterations, retries, substituted or value; wireproof limits explains each (repeatable)',
          several: true,
        },
        {
          flags: '--extension <name>',
          text: 'switch an extension on (NAME), or off (NAME=off); spec/sep/README.md lists them; all means each (repeatable)',
          several: true,
        },
        {
          flags: '--advice',
          text: 'also show advice about modes and dependencies at the end of each output (spec/sep/README.md)',
        },
      ],
      load: async () => (await import('./executor/simulator.ts')).play,
    },
    {
      name: 'sep/feeds',
      text: 'serve the feeds of a manifest over HTTP (spec/sep/feeds.openapi.yaml)',
      takes: ['listen'],
      address: '127.0.0.1:50082',
      flags: [
        {
          flags: '--manifest <file>',
          text: 'the feeds, as YAML; a source that is neither internal nor remote gives its own name and parameters',
        },
        {
          flags: '--extension <name>',
          text: 'switch transformations or distributed_feeds on (NAME), or off (NAME=off); all means each (repeatable)',
          several: true,
        },
        ...feedServerFlags,
      ],
      load: async () => (await import('./feeds/simulator.ts')).play,
    },
  ],
  limits: async () => (await import('./limits.ts')).sepLimits(),
  topics: {
    testees: `sep/parser and sep/executor: spec/sep/README.md lists the operations, such as sep.parse.
`,
  },
  examples: [
    { command: 'check sep/parser -- python3 my_testee.py', text: "a parser of a model's output" },
    {
      command: 'simulate sep/feeds --manifest manifest.yaml',
      text: 'a feed server for executors on other machines',
    },
    { command: 'simulate sep/executor < output.txt', text: "run the actions of a model's output" },
    {
      command: 'simulate sep/executor --script run.yaml --record run.jsonl',
      text: 'play outputs at a pace; then: wireproof judge run.jsonl',
    },
  ],
};
