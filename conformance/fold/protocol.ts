/** Fold, as the command knows it. */
import type { Flag, Protocol } from '../../src/kit/suite/index.ts';

const address = '127.0.0.1:50051';
const service: Flag = {
  flags: '--service <path>',
  text: 'the gRPC service of agents',
  default: 'coven.CovenControl',
};

const gatewayFlags: readonly Flag[] = [
  {
    flags: '--http <host:port>',
    text: "where the operator's HTTP face listens; off: none; default: 127.0.0.1:50080, or a free port if that is in use",
  },
  { flags: '--token-env <name>', text: 'the environment variable with the bearer token of the HTTP face' },
  { flags: '--ledger <file>', text: 'keep token usage in this SQLite file; default: in memory' },
  {
    flags: '--budget <tokens>',
    text: 'tell the agent of a thread that has used 80 % of this many, refuse work on one that has used all',
  },
  {
    flags: '--duplicates <how>',
    text: 'how an agent ID that is taken is refused',
    choices: ['already_exists', 'registration_error'],
  },
  { flags: '--disconnect-unresponsive', text: 'close the stream of an agent that does not answer a cancel' },
  {
    flags: '--jwt-secret-env <name>',
    text: 'the environment variable with the secret of bearer tokens (HS256)',
  },
  { flags: '--authorized-keys <file>', text: 'the SSH keys that may sign streams' },
  { flags: '--revoked <principal>', text: 'a principal that may not come in (repeatable)', several: true },
  {
    flags: '--timeout <name=time>',
    text: 'cancel, approval, pack, stalled, ack or shutdown (repeatable)',
    several: true,
  },
  service,
];
const agentFlags: readonly Flag[] = [
  { flags: '--agent-id <id>', text: 'the id to register under', default: 'wireproof-agent' },
  {
    flags: '--features <list>',
    text: "protocol features to advertise, with commas; '' advertises no feature",
  },
  {
    flags: '--operator <url>',
    text: "the gateway's HTTP face, for the operator of --scenario",
    default: 'http://127.0.0.1:50080',
  },
  {
    flags: '--script <file>',
    text: 'answer messages by this YAML file (spec/fold/script.schema.json); default: say their content',
  },
  {
    flags: '--jwt-secret-env <name>',
    text: 'sign bearer tokens (HS256) with the secret in this environment variable',
  },
  { flags: '--ssh-key <file>', text: 'sign streams with this OpenSSH private key' },
  {
    flags: '--llm <url>',
    text: 'be a whole agent that asks this model; its flags: simulate fold/agent --llm <url> --help',
  },
  { flags: '--principal <name>', text: 'the sub of the tokens', default: 'wireproof' },
  { flags: '--keepalive <time>', text: 'send a keepalive ping this often, such as 30s' },
  service,
];

export const fold: Protocol = {
  name: 'fold',
  title: 'Fold (agent ↔ gateway over gRPC, published as Coven)',
  suites: {
    agent: async () => (await import('./agent/suite.ts')).foldAgentSuite,
    gateway: async () => (await import('./gateway/suite.ts')).foldGatewaySuite,
  },
  vectors: async () => (await import('./vectors/reference.ts')).foldVectors,
  conversations: {
    agent: async () => (await import('./agent/storm/storm.ts')).agentConversation,
    gateway: async () => (await import('./system/storm.ts')).gatewayConversation,
  },
  storms: {
    agent: async () => (await import('./agent/storm/storm.ts')).playAgentStorm,
    gateway: async () => (await import('./system/storm.ts')).playSystemStorm,
  },
  simulators: [
    {
      name: 'fold/gateway',
      text: 'be a gateway: show the traffic, judge it live, take orders',
      takes: ['listen', 'scenario', 'script', 'no-rules'],
      address,
      flags: gatewayFlags,
      load: async () => (await import('./gateway/simulator.ts')).play,
    },
    {
      name: 'fold/agent',
      text: 'be an agent: dial a gateway, obey directives or answer by a script, judge live what one agent can see',
      takes: ['connect', 'scenario', 'no-rules'],
      address,
      flags: agentFlags,
      leads: { flag: '--llm', to: 'agent/fold' },
      load: async () => (await import('./agent/simulator.ts')).play,
    },
  ],
  system: async () => (await import('./system/storm.ts')).playSystemStorm,
  limits: async () => [
    {
      limit: 'message a target may send (gRPC)',
      value: '4 MiB (larger ones are taken up to 16 MiB, and judged)',
      set_by: '-',
    },
  ],
  topics: {
    drive: `fold/agent: spec/fold/README.md has the grammar of directives; conformance/examples/fold-agent.mjs obeys them.
`,
    operator: `fold/gateway:
  http            the published HTTP/SSE face: POST /api/send, /api/tools/approve, GET /api/agents and so on;
                  cancel and inject are POST /api/cancel and /api/inject, for which no path is published
                  (the statement: operator.url, operator.paths, operator.token_env)
  client-service  the published gRPC ClientService; it has no cancel and no inject
  command         commands of yours, given in the statement: operator.commands
  none            no operator: what agents and packs see is judged, the rest is untestable
The kit takes http when the target's command mentions {http_port}, else client-service; --operator overrides this.
operator.commands beside http or client-service makes single calls by command.
A send command prints its events as JSON, one object a line, as they come, and exits after the terminal:
  {"event": "started", "thread_id": "t-1"}
  {"event": "text", "text": "hello"}
  {"event": "done", "full_response": "hello"}
spec/fold/operator.schema.json describes every line, thread_usage and stats too. Exit code 0 is success; else the last
line on stderr is the reason.
Before anything is judged, the kit sends one message to an agent of its own. If it does not arrive within the handshake
time (--timeout handshake=30s), the check ends with exit code 3.
--timeout watch=100s watches silent agents long enough to judge FOLD-G44 and FOLD-G54.
`,
  },
  examples: [
    {
      command: 'check fold/agent -- ./my-agent --gateway {address}',
      text: 'does this agent conform?',
      root: true,
    },
    { command: 'check fold/gateway -- ./my-gateway {listen}', text: 'does this gateway?', root: true },
    { command: 'check fold/agent --listen 127.0.0.1:50051', text: 'then start the agent by hand' },
    {
      command: 'check fold/gateway -- ./my-gateway --grpc {listen} --http 127.0.0.1:{http_port}',
      text: 'with its HTTP face',
    },
    { command: 'check fold/gateway --connect 127.0.0.1:50051', text: 'a gateway that runs already' },
    {
      command: 'check fold/agent --scenario cancel-mid-tool -v -- ./my-agent {address}',
      text: 'one scenario',
    },
    { command: 'simulate fold/gateway', text: 'a gateway on 50051, its HTTP face on 50080' },
    { command: 'simulate fold/gateway --record seen.jsonl', text: 'then: wireproof judge seen.jsonl' },
    { command: 'simulate fold/gateway --scenario cancel-mid-tool', text: 'be the gateway of one scenario' },
    {
      command: 'simulate fold/agent --connect 127.0.0.1:50051 --features injection,cancellation',
      text: 'an agent to write a gateway against',
    },
    {
      command: 'simulate fold/agent --connect 127.0.0.1:50051 --script answers.yaml',
      text: 'an agent with answers of yours (spec/fold/script.schema.json)',
    },
    {
      command: 'simulate fold/agent --connect 127.0.0.1:50051 --scenario gateway-burst',
      text: "the agents and the operator of a gateway's scenario",
    },
    { command: 'selftest fold/agent', text: 'every mutant of the agent' },
    { command: 'selftest fold/agent --seeds 10000', text: 'an agent and random gateways, a seed each' },
    { command: 'selftest fold --seeds 10000', text: 'gateway, agents, packs and operator together' },
    { command: 'fixtures generate fold --out vectors', text: 'bytes of every message, with their JSON' },
    {
      command: 'fixtures generate fold/agent --conversations 20 --seed 7',
      text: 'random conversations, as traces',
    },
    { command: 'list scenarios fold/agent', text: 'the scenarios of a suite' },
    { command: 'explain FOLD-A15', text: 'a requirement, and how it is checked', root: true },
    { command: 'init fold/agent', text: 'write a statement to fill in', root: true },
  ],
};
