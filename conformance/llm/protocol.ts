/** The descriptor of LLM: streams of model providers. */
import type { Protocol, Sweeper } from '../../src/kit/suite/index.ts';

async function sweeper(): Promise<Sweeper> {
  return (await import('./client/sweep.ts')).cutSweeper;
}

/** The scripts of the kit, besides hello. */
const scripts = [
  'tool-call',
  'parallel-tools',
  'thinking',
  'max-tokens-mid-tool',
  'max-tokens-mid-text',
  'lying-finish',
  'overloaded-then-ok',
  'stall',
  'reset-mid-tool',
  'error-mid-stream',
];

/** The descriptor of LLM. */
export const llm: Protocol = {
  name: 'llm',
  title:
    'LLM streams in eight dialects (Anthropic, OpenAI Chat and Responses, Ollama, LM Studio, Gemini and its Interactions, Bedrock)',
  suites: {
    client: async () => (await import('./client/suite.ts')).llmClientSuite,
    gateway: async () => (await import('./gateway/suite.ts')).llmGatewaySuite,
    server: async () => (await import('./server/suite.ts')).llmServerSuite,
  },
  testees: ['client'],
  vectors: async () => (await import('./vectors/reference.ts')).llmVectors,
  conversations: {
    client: async () => (await import('./client/conversation.ts')).clientConversation,
    gateway: async () => (await import('./gateway/storm/storm.ts')).gatewayConversation,
  },
  storms: { gateway: async () => (await import('./gateway/storm/storm.ts')).playGatewayStorm },
  simulators: [
    {
      name: 'llm',
      text: 'play a model provider with scripted answers, in eight dialects',
      takes: ['listen'],
      address: '127.0.0.1:50071',
      command:
        'after --: a program that gets base URLs and keys in its environment; wireproof ends with its exit code',
      flags: [
        {
          flags: '--script <file>',
          text: `the answers of the model: a .yaml file, or a script of the kit (${scripts.join(', ')})`,
          known: ['hello', ...scripts],
          default: 'hello',
        },
        {
          flags: '--seed <seed>',
          text: 'the seed of ids, jitter and cuts; the same seed gives the same bytes',
          default: '1',
        },
        {
          flags: '--http-only',
          text: 'answer a WebSocket on /v1/responses with 426, so that clients such as codex ask over HTTP',
        },
        {
          flags: '--record-from <url>',
          text: 'stand between a program and this provider, and record every exchange; no key is written',
        },
        { flags: '--script-out <file>', text: 'the file of the recording' },
        {
          flags: '--replay <file>',
          text: 'play a recording again, byte for byte, in its pieces and times; a request that is not in it is refused with 400',
        },
        { flags: '--chunk <bytes>', text: 'with --replay: pieces of this size' },
        { flags: '--delay <time>', text: 'with --replay: this pause before each piece; 0ms: none' },
        { flags: '--cut <bytes>', text: 'with --replay: break off after this many bytes of each answer' },
        {
          flags: '--pass-on <url>',
          text: 'with --replay: the provider for requests that are not in the recording',
        },
        {
          flags: '--allow-origin <origins>',
          text: 'web pages that may call, beside those of this machine: origins with commas between, or *',
        },
      ],
      load: async () => (await import('./server/simulator.ts')).play,
    },
    {
      name: 'llm/gateway',
      text: 'be a gateway: clients ask in one dialect, providers answer in another',
      takes: ['listen'],
      address: '127.0.0.1:50072',
      flags: [
        {
          flags: '--route <route>',
          text: 'CLIENT=PROVIDER@URL: clients of one dialect are answered by the provider at this base URL in another; with a model, CLIENT/MODEL=PROVIDER/MODEL@URL; behind a comma, the URL of a provider that is asked when this one cannot answer (repeatable)',
          several: true,
        },
        {
          flags: '--key-env <name>',
          text: "the environment variable with the providers' key; clients' keys are never passed on",
        },
        { flags: '--retries <count>', text: 'further attempts before an answer has begun', default: '0' },
        { flags: '--idle <time>', text: 'how long a provider may say nothing', default: '60s' },
      ],
      load: async () => (await import('./gateway/simulator.ts')).play,
    },
  ],
  drift: async () => (await import('./drift/index.ts')).llmDrift,
  sweeps: { client: sweeper },
  limits: async () => {
    const { scriptLimits } = await import('../../src/llm/index.ts');
    const { turns, steps, bytes } = scriptLimits;
    return [
      {
        limit: "a simulated model's script",
        value: `${turns} turns, ${steps} steps, ${bytes >> 20} MiB of text`,
        set_by: '-',
      },
      {
        limit: 'a request to a simulated model',
        value: '32 MiB; larger ones are answered with 413',
        set_by: '-',
      },
      {
        limit: 'a response that the reference client reads',
        value: '1 MiB an event or line, 16 Mi characters in all',
        set_by: 'limits of a decoder',
      },
    ];
  },
  topics: {
    drive: `llm/server: --drive names the dialect that the server speaks: anthropic, openai-chat, openai-responses, ollama, lmstudio, gemini, bedrock or gemini-interactions.
`,
    operator: `llm/server: the kit is a client of the server. It uses the model that --model, operator.model or the environment
variable WIREPROOF_LLM_MODEL names, else the first that the server lists. An API key comes from the variable that --token-env or
operator.token_env names, and is sent as Authorization: Bearer and as x-api-key. operator.url is the server's base URL.
--witness or operator.witness is the page where the server counts the answers that it generates, such as /metrics: LLM-S15.
`,
    carriers: `llm/client: http is a whole program that finds the kit's provider in its environment: ANTHROPIC_BASE_URL and so on.
Executions are judged by a witness that the statement names (wireproof init llm/client).
`,
    testees: `llm/client: spec/llm/README.md describes the operation llm.turn.
`,
  },
  examples: [
    { command: 'drift session.json', text: 'words of recorded answers that this revision does not know' },
    {
      command: 'drift today.json --known last-month.json',
      text: 'also what no recording of last month has',
    },
    { command: 'check llm/client -- python3 my_testee.py', text: 'a client of model providers' },
    { command: 'check llm/client --carrier http -- ./my-agent', text: 'a whole program' },
    {
      command: 'check llm/server --drive ollama --connect 127.0.0.1:11434',
      text: 'a model server, in one dialect',
    },
    {
      command:
        'check llm/server --drive openai-chat --model m --token-env MY_KEY -- ./my-server --port {port}',
      text: 'a model server that the kit starts, with a model and a key',
    },
    {
      command: 'simulate llm --script max-tokens-mid-tool',
      text: 'a model for any client: Anthropic, OpenAI, Ollama, LM Studio',
    },
    {
      command: 'simulate llm --script tool-call -- ./my-agent',
      text: 'the same, for a program that wireproof starts',
    },
    {
      command: 'simulate llm --record-from https://api.openai.com --script-out session.json -- ./my-agent',
      text: 'record what a real provider answers',
    },
    {
      command: 'simulate llm --replay session.json -- ./my-agent',
      text: 'play it again, byte for byte, without the provider',
    },
    {
      command: 'check llm/gateway -- ./my-gateway --port {port} --provider {llm_url}',
      text: 'a gateway between dialects: the kit is its client and its provider',
    },
    {
      command: 'simulate llm/gateway --route anthropic=openai-chat@http://127.0.0.1:1234',
      text: "be a gateway: Anthropic's clients on a provider that speaks as OpenAI",
    },
    {
      command: 'selftest llm/client --sweep',
      text: 'cut a call at every byte × stop signal × end, in eight dialects',
    },
  ],
};
