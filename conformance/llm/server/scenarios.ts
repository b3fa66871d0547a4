/** The scenarios of model servers: a table of requests, each in every dialect that supports it. */
import type { JsonObject, Scenario, ScenarioStep } from '../../../src/kit/base/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import type { DialectName, LlmRequest } from '../../../src/llm/index.ts';
import { ampleLimit, getWeather, noSuchModel, prompts, smallLimit, writeReport } from './prompts.ts';

/** One case: its requests, and the requirements that it exercises. */
interface Case {
  readonly name: string;
  readonly title: string;
  readonly exercises: readonly string[];
  /** Requirements of single dialects that it exercises. */
  readonly own?: { readonly [D in DialectName]?: readonly string[] };
  readonly steps: (dialect: DialectName) => readonly ScenarioStep[];
  /** The dialects that support it. The default is all. */
  readonly only?: readonly DialectName[];
}

const send = (message: JsonObject): ScenarioStep => ({
  send: { from: 'prober', message, verbatim: true },
});

const ended: readonly string[] = ['end', 'reset'];

/** Finds the model. A server without a list is asked for a model with a name of the kit. */
const findModel = (dialect: DialectName): readonly ScenarioStep[] => {
  const from = dialect === 'lmstudio' ? 'prober' : 'target';
  const within = '$timeouts.handshake';
  return [
    send({ find: dialect }),
    {
      await: { from, kind: ended, within, optional: true },
      else: { await: { from: 'target', kind: ended } },
    },
  ];
};

const error: JsonObject = { data: { error: '$any' } };

const typed = (...types: readonly string[]): readonly JsonObject[] =>
  types.map((type) => ({ data: { type } }));

/** The last units of a stream, by dialect. */
const lastUnits: { readonly [D in Exclude<DialectName, 'lmstudio'>]: readonly JsonObject[] } = {
  anthropic: typed('message_stop', 'error'),
  'openai-chat': [{ data: '[DONE]' }, error],
  'openai-responses': typed('response.completed', 'response.incomplete', 'response.failed'),
  ollama: [{ data: { done: true } }, error],
};

/** The end of a body. It comes soon after the last unit. */
const bodyEnd = (match: readonly JsonObject[]): readonly ScenarioStep[] => [
  {
    await: { from: 'target', kind: ended },
    soon: { after: { from: 'target', match }, within: '$timeouts.body_end' },
  },
];

/** Waits until the answer is over. In LM Studio only the channel ends, so the kit still watches the connection. */
function waitForEnd(dialect: DialectName, ...more: readonly string[]): readonly ScenarioStep[] {
  if (dialect !== 'lmstudio') return bodyEnd(lastUnits[dialect]);
  const closed = ['channelClose', 'channelError', ...more].map((type) => ({ data: { type } }));
  return [
    {
      await: { from: 'target', match: closed },
      else: { await: { from: 'target', kind: ended } },
    },
    { quiet: { for: '100ms' } },
    { end: { from: 'prober', code: 0, message: '' } },
  ];
}

/** A request as JSON for a scenario. */
const json = (request: Partial<LlmRequest>): JsonObject => JSON.parse(JSON.stringify(request)) as JsonObject;

const ask = (dialect: DialectName, request: Partial<LlmRequest>, more: JsonObject = {}): ScenarioStep =>
  send({ ask: { dialect, request: json(request), ...more } });

const user = (content: string): Pick<LlmRequest, 'messages'> => ({ messages: [{ role: 'user', content }] });

/** Sends one request, and waits for the whole answer. */
const askOnce =
  (request: Partial<LlmRequest>): Case['steps'] =>
  (dialect) => [
    ...findModel(dialect),
    ask(dialect, request),
    ...(request.stream === false ? bodyEnd([{ data: '$any' }]) : waitForEnd(dialect)),
  ];

const http: readonly DialectName[] = dialects.filter((dialect) => dialect !== 'lmstudio');

const always = ['LLM-S01', 'LLM-S02', 'LLM-S03', 'LLM-S30'];

/** A path that no server has. */
const unknownPath = '/v1/wireproof-unknown';

const grammar: NonNullable<Case['own']> = {
  anthropic: ['LLM-S04', 'LLM-S05'],
  'openai-chat': ['LLM-S18', 'LLM-S19', 'LLM-S25', 'LLM-S32'],
  'openai-responses': ['LLM-S07', 'LLM-S21', 'LLM-S22', 'LLM-S33'],
  ollama: ['LLM-S08'],
  lmstudio: ['LLM-S09'],
};

/** The grammar of an answer with calls. */
const callGrammar: NonNullable<Case['own']> = {
  ...grammar,
  'openai-chat': [...(grammar['openai-chat'] ?? []), 'LLM-S06'],
};

const ample = { maxTokens: ampleLimit };
const small = { maxTokens: smallLimit };

/** Invalid bodies: the messages are a number. */
const invalid: { readonly [D in DialectName]: JsonObject } = {
  anthropic: { max_tokens: 16, messages: 17, stream: true },
  'openai-chat': { messages: 17, stream: true },
  'openai-responses': { input: 17, stream: true },
  ollama: { messages: 17 },
  lmstudio: { modelSpecifier: 17, history: 17, predictionConfigStack: { layers: [] } },
};

const welcome: JsonObject = { authVersion: 1, clientIdentifier: 'wireproof', clientPasskey: 'wireproof' };

const create = (creationParameter: JsonObject): JsonObject => ({
  type: 'channelCreate',
  endpoint: 'predict',
  channelId: 0,
  creationParameter,
});

const askInvalid = (dialect: DialectName): ScenarioStep =>
  dialect === 'lmstudio'
    ? send({ ask: { dialect, messages: [welcome, create(invalid[dialect])] } })
    : send({ ask: { dialect, body: invalid[dialect] } });

const streamed: readonly Case[] = [
  {
    name: 'text',
    title: 'An answer of text, streamed',
    exercises: [...always, 'LLM-S13', 'LLM-S23', 'LLM-S24'],
    own: grammar,
    steps: askOnce({ ...user(prompts.text), ...ample }),
  },
  {
    name: 'unicode',
    title: 'An answer in many scripts',
    exercises: [...always, 'LLM-S31'],
    steps: askOnce({ ...user(prompts.unicode), ...ample }),
  },
  {
    name: 'limit',
    title: 'A long answer, with a small limit',
    exercises: ['LLM-S10', 'LLM-S12', 'LLM-S13'],
    steps: askOnce({ ...user(prompts.long), ...small }),
  },
  {
    name: 'tool',
    title: 'A call of a tool with long arguments',
    exercises: ['LLM-S11', 'LLM-S20', 'LLM-S30'],
    own: callGrammar,
    steps: askOnce({ ...user(prompts.report), ...ample, tools: [writeReport] }),
  },
  {
    name: 'limit-tool',
    title: 'A tool call that is cut by a small limit',
    exercises: ['LLM-S10', 'LLM-S12'],
    steps: askOnce({ ...user(prompts.report), ...small, tools: [writeReport] }),
  },
  {
    name: 'parallel',
    title: 'Two tool calls in one answer',
    exercises: ['LLM-S11', 'LLM-S20', 'LLM-S30'],
    own: callGrammar,
    steps: askOnce({ ...user(prompts.weather), ...ample, tools: [getWeather] }),
  },
  {
    name: 'failure',
    title: 'An error in mid-stream, if the kit can cause one',
    exercises: ['LLM-S14'],
    steps: askOnce({ ...user(prompts.failure), ...ample }),
  },
];

const whole: readonly Case[] = [
  {
    name: 'whole',
    title: 'An answer of text that is not streamed',
    exercises: [...always, 'LLM-S13', 'LLM-S23', 'LLM-S24'],
    own: { 'openai-chat': ['LLM-S25', 'LLM-S32'] },
    only: http,
    steps: askOnce({ ...user(prompts.text), ...ample, stream: false }),
  },
  {
    name: 'whole-unicode',
    title: 'An answer in many scripts that is not streamed',
    exercises: [...always, 'LLM-S31'],
    only: http,
    steps: askOnce({ ...user(prompts.unicode), ...ample, stream: false }),
  },
  {
    name: 'whole-limit',
    title: 'A small limit, in an answer that is not streamed',
    exercises: ['LLM-S10', 'LLM-S12'],
    only: http,
    steps: askOnce({ ...user(prompts.long), ...small, stream: false }),
  },
  {
    name: 'whole-tool',
    title: 'A tool call in an answer that is not streamed',
    exercises: ['LLM-S11', 'LLM-S20'],
    only: http,
    own: { 'openai-chat': ['LLM-S25', 'LLM-S32'] },
    steps: askOnce({ ...user(prompts.report), ...ample, tools: [writeReport], stream: false }),
  },
];

const beside: readonly Case[] = [
  {
    name: 'no-usage',
    title: 'An answer without include_usage',
    exercises: ['LLM-S18'],
    only: ['openai-chat'],
    steps: askOnce({ ...user(prompts.text), ...ample, includeUsage: false }),
  },
  {
    name: 'count',
    title: 'A prompt that is counted and then answered',
    exercises: ['LLM-S16'],
    only: ['anthropic', 'openai-responses'],
    steps: (dialect) => {
      const request = { ...user(prompts.weather), ...ample, tools: [getWeather], system: 'Be brief.' };
      return [
        ...findModel(dialect),
        ask(dialect, request, { count: true }),
        ...waitForEnd(dialect),
        ask(dialect, request),
        ...waitForEnd(dialect),
      ];
    },
  },
  {
    name: 'invalid',
    title: 'An invalid request',
    exercises: ['LLM-S17'],
    steps: (dialect) => [
      ...findModel(dialect),
      askInvalid(dialect),
      ...waitForEnd(dialect, 'communicationWarning'),
    ],
  },
  {
    name: 'unknown-model',
    title: 'An unknown model',
    exercises: ['LLM-S17'],
    steps: askOnce({ ...user(prompts.text), ...ample, model: noSuchModel }),
  },
  {
    name: 'abort',
    title: 'A client that cancels during an answer, and asks again',
    exercises: always,
    steps: (dialect) => [
      ...findModel(dialect),
      ask(dialect, { ...user(prompts.long), ...ample }),
      {
        await: { from: 'target', match: { data: '$any' }, times: 2 },
        else: { await: { from: 'target', kind: ended } },
      },
      send({ cancel: true }),
      ...(dialect === 'lmstudio' ? waitForEnd(dialect) : []),
      ask(dialect, { ...user(prompts.text), ...ample }),
      ...waitForEnd(dialect),
    ],
  },
  {
    name: 'kept',
    title: 'Several requests on one connection, which is kept',
    exercises: [...always, 'LLM-S26', 'LLM-S27'],
    only: http,
    steps: (dialect) => {
      const request = { ...user(prompts.text), ...ample };
      const keep = { connection: 'keep' };
      return [
        ...findModel(dialect),
        ask(dialect, request, keep),
        ...waitForEnd(dialect),
        ask(dialect, { ...user(prompts.unicode), ...ample, stream: false }, keep),
        ...bodyEnd([{ data: '$any' }]),
        // Programs ask for pages that a server does not have. It must read the body of such a request, too.
        ask(dialect, request, { ...keep, path: unknownPath }),
        ...waitForEnd(dialect),
        ask(dialect, request, { connection: 'last' }),
        ...waitForEnd(dialect),
      ];
    },
  },
  {
    name: 'unauthenticated',
    title: 'A client that does not authenticate',
    exercises: ['LLM-S09'],
    only: ['lmstudio'],
    steps: (dialect) => [
      send({
        ask: {
          dialect,
          messages: [create({ modelSpecifier: { type: 'query', query: {} }, history: { messages: [] } })],
        },
      }),
      { await: { from: 'target', kind: [...ended, 'message'] } },
      { quiet: { for: '100ms' } },
      { end: { from: 'prober', code: 0, message: '' } },
    ],
  },
];

const plain: Pick<Scenario, 'suite' | 'fresh' | 'alone' | 'last' | 'reference' | 'peers'> = {
  suite: 'llm/server',
  fresh: false,
  alone: false,
  last: false,
  reference: {},
  peers: { prober: { role: 'llm/prober', options: {} } },
};

/** All scenarios: `anthropic-text` and so on, each for the drive of its dialect. */
export const serverScenarios = (): readonly Scenario[] =>
  [...streamed, ...whole, ...beside].flatMap(({ name, title, exercises, own, steps, only = dialects }) =>
    only.map((dialect) => ({
      ...plain,
      name: `${dialect}-${name}`,
      title,
      needs: { drive: [dialect], features: [] },
      exercises: [...exercises, ...(own?.[dialect] ?? [])],
      steps: steps(dialect),
    })),
  );
