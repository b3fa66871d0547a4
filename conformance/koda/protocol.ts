/** Koda, as the command knows it. */
import type { CommonFlag, Flag, Protocol } from '../../src/kit/suite/index.ts';

const takes: readonly CommonFlag[] = ['listen', 'connect', 'scenario', 'no-rules'];
const address = '127.0.0.1:50081';
const command = 'after --: the program to play against; {port}, {listen} and {url} are filled in';
const carrier: Flag = {
  flags: '--carrier <name>',
  text: 'stdio or ws; default: as the command shows, else ws',
};
const clientFlags: readonly Flag[] = [
  {
    flags: '--prompt <text>',
    text: 'a prompt (repeatable, one turn each; ends after the last); - : lines of stdin are prompts and answers, as they are on a terminal when no flag answers; /interrupt and /quit do as they say',
    several: true,
  },
  {
    flags: '--approval <word>',
    text: 'the answer to an approval_request; default: approve',
    choices: ['approve', 'reject'],
  },
  { flags: '--feedback <text>', text: 'the feedback of a rejection' },
  { flags: '--answer <text>', text: 'the answer to a question; default: its first option' },
  {
    flags: '--cap <word>',
    text: 'the answer to loop_cap_reached; default: continue200',
    choices: ['stop', 'continue50', 'continue200'],
  },
  {
    flags: '--command <json>',
    text: 'a command to send after the last turn, such as {"type":"slash_command","cmd":"cost"} (repeatable)',
    several: true,
  },
  { flags: '--interrupt-after <n>', text: 'interrupt each turn after this many events' },
];

export const koda: Protocol = {
  name: 'koda',
  title: 'Koda (events of a coding-agent engine and commands of its client, JSON)',
  suites: {
    codec: async () => (await import('./codec/suite.ts')).kodaCodecSuite,
    engine: async () => (await import('./engine/suite.ts')).kodaEngineSuite,
    client: async () => (await import('./client/suite.ts')).kodaClientSuite,
  },
  testees: ['codec'],
  vectors: async () => (await import('./codec/vectors.ts')).kodaVectors,
  conversations: { engine: async () => (await import('./system/storm.ts')).engineConversation },
  storms: { engine: async () => (await import('./system/storm.ts')).playEngineStorm },
  system: async () => (await import('./system/storm.ts')).playEngineStorm,
  simulators: [
    {
      name: 'koda/engine',
      text: 'be an engine to write a client against, judge that live',
      takes,
      address,
      command,
      flags: [carrier],
      load: async () => (await import('./engine/simulator.ts')).play,
    },
    {
      name: 'koda/client',
      text: 'send prompts to an engine, answer its requests, judge it live',
      takes,
      address,
      command,
      flags: [...clientFlags, carrier],
      load: async () => (await import('./client/simulator.ts')).play,
    },
  ],
  limits: async () => {
    const { mostBytes, mostNested } = await import('../../src/koda/index.ts');
    return [
      {
        limit: 'Koda: a message',
        value: `${mostBytes >> 20} MiB; a larger one is refused`,
        set_by: 'maxBytes of decodeText and encodeText',
      },
      {
        limit: 'Koda: containers in containers, the message included',
        value: `${mostNested}, as serde_json has it; more are refused`,
        set_by: '-',
      },
    ];
  },
  topics: {
    drive: `koda/engine: spec/koda/README.md has the grammar of directives; conformance/examples/koda_engine.py obeys them.
`,
    testees: `koda/codec: spec/koda/README.md lists the operations, koda.decode and koda.encode.
`,
  },
  examples: [
    {
      command: 'check koda/codec -- python3 my_testee.py',
      text: 'a codec that answers on its stdin and stdout',
    },
    { command: 'check koda/engine -- ./my-engine', text: 'an engine on its stdin and stdout', root: true },
    { command: 'check koda/engine --connect ws://127.0.0.1:8080/koda', text: 'a running engine' },
    { command: 'check koda/client -- ./my-client {url}', text: 'a client that dials a WebSocket' },
    { command: 'simulate koda/engine --listen 127.0.0.1:50081', text: 'an engine to write a client against' },
    {
      command: "simulate koda/client --prompt 'List the files' -- ./my-engine",
      text: 'prompts for an engine',
    },
    { command: 'testee koda/codec', text: 'the reference codec as a testee' },
  ],
};
