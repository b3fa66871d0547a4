/** TOON (Task Orchestration Over Node), as the command knows it. */
import type { CommonFlag, Flag, Protocol } from '../../src/kit/suite/index.ts';

const takes: readonly CommonFlag[] = ['listen', 'connect', 'scenario', 'no-rules'];
const address = '127.0.0.1:50061';
const flags: readonly Flag[] = [
  { flags: '--carrier <name>', text: 'tcp, stdio or ws; default: as the command shows, else tcp' },
  { flags: '--compress', text: 'compress payloads above 1024 bytes where that is shorter' },
  { flags: '--heartbeat <time>', text: 'send a heartbeat this often' },
  { flags: '--idle <time>', text: 'how long the other side may be silent; default: 30s' },
];
const instruction: Flag = {
  flags: '--instruction <text>',
  text: 'an instruction for the subagent (repeatable, given in order); - : lines of stdin',
  several: true,
};
const command = 'after --: the program to play against; {address}, {listen} and {url} are filled in';

export const toon: Protocol = {
  name: 'toon',
  title: 'TOON (Task Orchestration Over Node: binary frames between orchestrator and subagent)',
  suites: {
    codec: async () => (await import('./codec/suite.ts')).toonCodecSuite,
    subagent: async () => (await import('./subagent/suite.ts')).toonSubagentSuite,
    orchestrator: async () => (await import('./orchestrator/suite.ts')).toonOrchestratorSuite,
  },
  testees: ['codec'],
  vectors: async () => (await import('./codec/vectors.ts')).toonVectors,
  conversations: {
    subagent: async () => (await import('./system/storm.ts')).subagentConversation,
    orchestrator: async () => (await import('./system/storm.ts')).orchestratorConversation,
  },
  storms: {
    subagent: async () => (await import('./system/storm.ts')).playSubagentStorm,
    orchestrator: async () => (await import('./system/storm.ts')).playOrchestratorStorm,
  },
  simulators: [
    {
      name: 'toon/orchestrator',
      text: 'give a subagent instructions, answer its calls, judge it live',
      takes,
      address,
      command,
      flags: [instruction, ...flags],
      load: async () => (await import('./orchestrator/simulator.ts')).play,
    },
    {
      name: 'toon/subagent',
      text: 'be a subagent to write an orchestrator against, judge that live',
      takes,
      address,
      command,
      flags,
      load: async () => (await import('./subagent/simulator.ts')).play,
    },
  ],
  topics: {
    drive: `toon/subagent: spec/toon/README.md has the grammar of directives; conformance/examples/toon_subagent.py obeys them.
`,
    testees: `toon/codec: spec/toon/README.md lists the operations, such as toon.decode.
`,
  },
  examples: [
    { command: 'check toon/codec -- python3 my_testee.py', text: 'does this codec?', root: true },
    { command: 'check toon/subagent -- ./my-subagent', text: 'speaks on its stdin and stdout' },
    {
      command: 'check toon/subagent -- ./my-subagent {address}',
      text: 'dials the kit; {url}: over WebSocket',
    },
    {
      command: "simulate toon/orchestrator --instruction 'List the files' -- ./my-subagent",
      text: 'on its stdin and stdout',
    },
    {
      command: 'simulate toon/subagent --listen 127.0.0.1:50061',
      text: 'a subagent to write an orchestrator against',
    },
    { command: 'testee toon/codec', text: 'the reference codec as a testee' },
    { command: 'fixtures generate toon --seed 7 --out vectors', text: 'golden vectors' },
    { command: 'fixtures verify vectors', text: 'check a folder of them' },
  ],
};
