/** The suite of model servers. The kit is their client, in the dialect that the drive names. */
import { WireproofError, isObject } from '../../../src/kit/base/index.ts';
import type { TraceEvent } from '../../../src/kit/base/index.ts';
import { peerOf } from '../../../src/kit/suite/index.ts';
import type { Feature, ListeningTargetKind, Suite } from '../../../src/kit/suite/index.ts';
import { askedCodec, dialects } from '../../../src/llm/index.ts';
import type { DialectName } from '../../../src/llm/index.ts';
import { claimsOf, dialectOfDrive, isDrive, openDrive, serverDrives } from './drives.ts';
import { lawfulServers } from './lawful/index.ts';
import { serverMutants } from './mutants/index.ts';
import { parallelNote } from './parallel.ts';
import { modelPages } from './model-lists.ts';
import { prober } from './prober.ts';
import { refusalNote } from './refusals.ts';
import { serverRules } from './rules/index.ts';
import { serverScenarios } from './scenarios.ts';
import { betaNote } from './stop-words.ts';
import { referenceServer } from './target.ts';
import { unitWire } from './units.ts';
import { defaultTimeouts, serverJudging } from './view.ts';
import type { ServerView } from './view.ts';

const spoken: { readonly [D in DialectName]: string } = {
  anthropic: 'answers at /v1/messages, as Anthropic does',
  'openai-chat': 'answers at /v1/chat/completions, as OpenAI does',
  'openai-responses': 'answers at /v1/responses, as OpenAI does',
  ollama: 'answers at /api/chat, as Ollama does',
  lmstudio: "answers on LM Studio's own WebSocket",
  gemini: 'answers at /v1beta/models/MODEL:streamGenerateContent, as Google does',
  bedrock: 'answers at /model/MODEL/converse-stream, as Amazon Bedrock does',
  'gemini-interactions': 'answers at /v1beta/interactions, as Google does',
};

/** A drive claims the dialect that it names, its carrier, and the word for calls where it has one. */
const features: readonly Feature[] = [
  ...dialects.map((name) => ({ name, advertised: true, text: spoken[name] })),
  { name: 'http', advertised: true, text: 'answers over HTTP' },
  { name: 'websocket', advertised: true, text: 'answers at /v1/responses on a WebSocket, as OpenAI does' },
  {
    name: openDrive,
    advertised: true,
    text: 'answers at /v1/responses, as the Open Responses specification says (--profile open-responses)',
  },
  { name: 'witness', advertised: false, text: 'shows how many answers it generates (--witness)' },
  {
    name: 'tool_word',
    advertised: true,
    text: 'has a stop word for calls: Anthropic, Bedrock and OpenAI Chat',
  },
];

/** The sentences of several notes as one. */
function notesOf(notes: readonly (string | undefined)[]): string | undefined {
  const said = notes.filter((note) => note !== undefined);
  return said.length === 0 ? undefined : said.join('. ');
}

/** The dialect of a run, if the event names its drive, and its carrier. */
function shown({ kind, data: { run } }: TraceEvent): readonly string[] | undefined {
  const drive = kind === 'mark' && isObject(run) ? run['drive'] : undefined;
  return isDrive(drive) ? claimsOf(drive) : undefined;
}

const listening: ListeningTargetKind = {
  kind: 'listens',
  scheme: 'http',
  asksForModel: true,
  drivers: serverDrives,
  choose(_, statement) {
    const stated: unknown = statement?.drive;
    if (isDrive(stated)) return stated;
    throw new WireproofError('usage', `llm/server needs the dialect: --drive ${serverDrives.join(' | ')}`);
  },
  async driver(request) {
    const { serverDriver } = await import('../../../src/llm/edge/index.ts');
    return serverDriver({
      ...request,
      name: isDrive(request.name) ? dialectOfDrive(request.name) : request.name,
    });
  },
  async awaitReady(request, { timeouts, signal }) {
    if (!isDrive(request.name)) return undefined;
    const dialect = dialectOfDrive(request.name);
    if (dialect === 'lmstudio') return undefined;
    const { serverDriver, untilLoaded } = await import('../../../src/llm/edge/index.ts');
    const dial = await serverDriver({ ...request, name: dialect });
    const { step: patience = defaultTimeouts.step } = timeouts;
    return untilLoaded(dial, modelPages[dialect], { patience, signal });
  },
  async credentials() {
    return { scheme: 'none', features: [], of: () => ({}) };
  },
  simulated: () => ({ scheme: 'none', features: [], of: () => ({}) }),
  shown,
  note: (traces) => refusalNote(traces) ?? notesOf([parallelNote(traces), betaNote(traces)]),
  operates: () => true,
};

/** Model servers, proxies and routers: the target listens, the kit sends requests. */
export const llmServerSuite: Suite<ServerView> = {
  id: 'llm/server',
  protocol: 'llm',
  role: 'server',
  title: 'Model servers: answers in the form of their dialect, within the token limit',
  features,
  judging: { rules: serverRules, ...serverJudging },
  secrets: {
    metadata: [],
    fields: ['clientPasskey'],
    may: (message) => isObject(message) && isObject(message['body']) && 'clientPasskey' in message['body'],
  },
  // How long a whole answer may take (ms). Models are slow.
  timeouts: { handshake: 5000, ...defaultTimeouts, late: 100 },
  target: listening,
  scenarios: serverScenarios,
  unsupported: () => undefined,
  claimsOf: (statement) => (statement?.operator?.['witness'] === undefined ? [] : ['witness']),
  peers: {
    'llm/prober': () => (world) => {
      const { dial, codec } = unitWire();
      const there = world.dial === undefined ? {} : { dial: dial(world.dial) };
      return peerOf(prober(), codec, askedCodec)({ ...world, ...there });
    },
  },
  conditionalRows: [
    {
      requirement: 'LLM-S14',
      reason:
        'the kit cannot make this server fail in the middle of a stream; where it asks another model, check llm/gateway can',
      unless: () => false,
    },
    {
      requirement: 'LLM-S15',
      reason:
        'no answer shows whether the server still generates for a client that has left; name the page where it counts its running answers: --witness /metrics (vLLM, llama.cpp), /slots (llama.cpp). Where it asks another model, check llm/gateway sees it',
      unless: (statement) => statement.operator?.['witness'] !== undefined,
    },
  ],
  statement: {
    target: `target:
  # An argv array, never a shell string. {port} is the port to listen on, {listen} the host:port (also in
  # WIREPROOF_LISTEN). For a server that runs already, write connect: http://127.0.0.1:8000 instead of command.
  command: [./my-server, --port, '{port}']

# The dialect that it speaks: anthropic, openai-chat, openai-responses, ollama, lmstudio, gemini or bedrock; or openai-responses-ws,
# which is OpenAI Responses on a WebSocket. A server that follows the Open Responses specification has the profile open-responses,
# with the drive openai-responses.
drive: openai-chat
`,
    more: `# How the kit asks. model: the default is the first model that the server lists. token_env: the environment variable
# with an API key, which is sent as Authorization: Bearer, as x-api-key and as x-goog-api-key. url: the base URL, if it is more than host:port.
# The page where the server counts the answers that it generates is its witness, a path or a URL (LLM-S15).
# Further header fields stand in headers, where env names the environment variable with the value.
# operator:
#   model: my-model
#   token_env: MY_TOKEN
#   url: http://127.0.0.1:8000/v1
#   witness: /metrics
#   headers: { api-version: '2026-01-01', api-key: { env: MY_TOKEN } }
`,
  },
  reference: referenceServer,
  mutants: serverMutants,
  lawful: lawfulServers,
  profiles: {
    [openDrive]: {
      drives: { 'openai-responses': openDrive },
      without: {
        'LLM-S33':
          'Open Responses says otherwise: [DONE] ends each stream (Streaming HTTP Responses; LLM-S60)',
      },
    },
  },
};
