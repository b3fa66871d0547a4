/** The scenarios of model servers: a table of what is asked, in each dialect that can ask it. */
import type { JsonObject, Scenario, ScenarioStep } from '../../../src/kit/base/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import type { DialectName, LlmRequest } from '../../../src/llm/index.ts';
import { ampleLimit, getWeather, noSuchModel, prompts, smallLimit, writeReport } from './prompts.ts';

/** One case: what is asked, and what that puts to the test. */
interface Case {
  readonly name: string;
  readonly title: string;
  readonly exercises: readonly string[];
  /** Rows of a dialect's own that it puts to the test. */
  readonly own?: { readonly [D in DialectName]?: readonly string[] };
  readonly steps: (dialect: DialectName) => readonly ScenarioStep[];
  /** Dialects that have it; absent: all. */
  readonly only?: readonly DialectName[];
}

const send = (message: JsonObject): ScenarioStep => ({
  send: { from: 'prober', message, verbatim: true },
});

const ended: readonly string[] = ['end', 'reset'];

/** Finds out which model there is. A server without a list is asked for one by a name of ours. */
const find = (dialect: DialectName): readonly ScenarioStep[] => {
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

/** Waits until the answer is over. A channel of LM Studio ends, its connection stays: what follows is still watched for. */
function over(dialect: DialectName, ...more: readonly string[]): readonly ScenarioStep[] {
  if (dialect !== 'lmstudio') return [{ await: { from: 'target', kind: ended } }];
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

/** The members of a request as a scenario has them. */
const json = (request: Partial<LlmRequest>): JsonObject => JSON.parse(JSON.stringify(request)) as JsonObject;

const ask = (dialect: DialectName, request: Partial<LlmRequest>, more: JsonObject = {}): ScenarioStep =>
  send({ ask: { dialect, request: json(request), ...more } });

const user = (content: string): Pick<LlmRequest, 'messages'> => ({ messages: [{ role: 'user', content }] });

/** Asks once, and waits for all of the answer. */
const once =
  (request: Partial<LlmRequest>): Case['steps'] =>
  (dialect) => [...find(dialect), ask(dialect, request), ...over(dialect)];

const http: readonly DialectName[] = dialects.filter((dialect) => dialect !== 'lmstudio');

const always = ['LLM-S01', 'LLM-S02', 'LLM-S03'];

const grammar: NonNullable<Case['own']> = {
  anthropic: ['LLM-S04', 'LLM-S05'],
  'openai-chat': ['LLM-S06'],
  'openai-responses': ['LLM-S07'],
  ollama: ['LLM-S08'],
  lmstudio: ['LLM-S09'],
};

const ample = { maxTokens: ampleLimit };
const small = { maxTokens: smallLimit };

/** Bodies that are no requests: what a prompt stands in is a number. */
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
    exercises: [...always, 'LLM-S13'],
    own: grammar,
    steps: once({ ...user(prompts.text), ...ample }),
  },
  {
    name: 'unicode',
    title: 'An answer in many scripts',
    exercises: always,
    steps: once({ ...user(prompts.unicode), ...ample }),
  },
  {
    name: 'limit',
    title: 'A long answer is asked for, and a small limit set',
    exercises: ['LLM-S10', 'LLM-S12', 'LLM-S13'],
    steps: once({ ...user(prompts.long), ...small }),
  },
  {
    name: 'tool',
    title: 'A tool with long arguments is to be called',
    exercises: ['LLM-S11'],
    own: grammar,
    steps: once({ ...user(prompts.report), ...ample, tools: [writeReport] }),
  },
  {
    name: 'limit-tool',
    title: 'A small limit falls into the call of a tool',
    exercises: ['LLM-S10', 'LLM-S12'],
    steps: once({ ...user(prompts.report), ...small, tools: [writeReport] }),
  },
  {
    name: 'parallel',
    title: 'A tool is to be called twice in one answer',
    exercises: ['LLM-S11'],
    own: grammar,
    steps: once({ ...user(prompts.weather), ...ample, tools: [getWeather] }),
  },
  {
    name: 'failure',
    title: 'An error in mid-stream, where the server can be made to have one',
    exercises: ['LLM-S14'],
    steps: once({ ...user(prompts.failure), ...ample }),
  },
];

const whole: readonly Case[] = [
  {
    name: 'whole',
    title: 'An answer of text that is not streamed',
    exercises: [...always, 'LLM-S13'],
    only: http,
    steps: once({ ...user(prompts.text), ...ample, stream: false }),
  },
  {
    name: 'whole-limit',
    title: 'A small limit, in an answer that is not streamed',
    exercises: ['LLM-S10', 'LLM-S12'],
    only: http,
    steps: once({ ...user(prompts.long), ...small, stream: false }),
  },
  {
    name: 'whole-tool',
    title: 'A tool is to be called, in an answer that is not streamed',
    exercises: ['LLM-S11'],
    only: http,
    steps: once({ ...user(prompts.report), ...ample, tools: [writeReport], stream: false }),
  },
];

const beside: readonly Case[] = [
  {
    name: 'no-usage',
    title: 'An answer whose usage is not asked for',
    exercises: ['LLM-S06'],
    only: ['openai-chat'],
    steps: once({ ...user(prompts.text), ...ample, includeUsage: false }),
  },
  {
    name: 'count',
    title: 'A prompt is counted, and then answered',
    exercises: ['LLM-S16'],
    only: ['anthropic', 'openai-responses'],
    steps: (dialect) => {
      const request = { ...user(prompts.weather), ...ample, tools: [getWeather], system: 'Be brief.' };
      return [
        ...find(dialect),
        ask(dialect, request, { count: true }),
        ...over(dialect),
        ask(dialect, request),
        ...over(dialect),
      ];
    },
  },
  {
    name: 'invalid',
    title: 'A request that is none',
    exercises: ['LLM-S17'],
    steps: (dialect) => [...find(dialect), askInvalid(dialect), ...over(dialect, 'communicationWarning')],
  },
  {
    name: 'unknown-model',
    title: 'A model that is not there',
    exercises: ['LLM-S17'],
    steps: once({ ...user(prompts.text), ...ample, model: noSuchModel }),
  },
  {
    name: 'abort',
    title: 'The client lets go in mid-answer, and asks anew',
    exercises: always,
    steps: (dialect) => [
      ...find(dialect),
      ask(dialect, { ...user(prompts.long), ...ample }),
      {
        await: { from: 'target', match: { data: '$any' }, times: 2 },
        else: { await: { from: 'target', kind: ended } },
      },
      send({ cancel: true }),
      ...(dialect === 'lmstudio' ? over(dialect) : []),
      ask(dialect, { ...user(prompts.text), ...ample }),
      ...over(dialect),
    ],
  },
  {
    name: 'unauthenticated',
    title: 'A client that does not say who it is asks for an answer',
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

/** Every scenario: `anthropic-text` and so on, each for its dialect's drive. */
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
