/**
 * The scenarios of model servers: fixtures/llm/scenarios/server/requests.yaml, each in every dialect that supports it, and
 * the steps that differ by dialect. sockets.yaml has those of the WebSocket of Responses.
 */
import type { Json, JsonObject, Scenario, ScenarioStep } from '../../../src/kit/base/index.ts';
import { objectArgument, textArgument } from '../../../src/kit/spec/index.ts';
import type { CaseBuilders } from '../../../src/kit/spec/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import type { DialectName, ToolSpec } from '../../../src/llm/index.ts';
import { serverTest } from '../generated/scenario-validators.ts';
import { dialectOfDrive, openDrive, socketDrive } from './drives.ts';
import type { ServerDrive } from './drives.ts';
import { occursIn, testsOfTable, rowsOf } from '../scenario-tables.ts';
import type { DialectTest } from '../scenario-tables.ts';
import {
  ampleLimit,
  applyPatch,
  cuttingLimits,
  getWeather,
  noSuchModel,
  prompts,
  smallLimit,
  writeReport,
} from './prompts.ts';

/** A scenario in one dialect, as its table has it. */
interface ServerTest extends DialectTest {
  readonly steps: readonly (ScenarioStep | readonly ScenarioStep[])[];
  /** Features that it needs in addition to the drive's. */
  readonly features?: readonly string[];
}

const send = (message: JsonObject): JsonObject => ({
  send: { from: 'prober', message, verbatim: true },
});

const ended: readonly string[] = ['end', 'reset'];

/** Finds the model. A server without a list is asked for a model with a name of the kit. */
const findModel = (dialect: DialectName): readonly JsonObject[] => {
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
  gemini: [
    { data: { candidates: [{ finishReason: '$any' }] } },
    { data: { promptFeedback: { blockReason: '$any' } } },
    error,
  ],
  // An exception has a message, in a stream and before it.
  bedrock: [{ event: 'messageStop' }, { data: { message: '$any' } }],
  'gemini-interactions': [{ data: { event_type: 'interaction.completed' } }, error],
};

/** The end of a body. It comes soon after the last unit. */
const bodyEnd = (match: readonly JsonObject[]): readonly JsonObject[] => [
  {
    await: { from: 'target', kind: ended },
    soon: { after: { from: 'target', match }, within: '$timeouts.body_end' },
  },
];

/** Waits until the answer is over. In LM Studio only the channel ends, so the kit still watches the connection. */
function waitForEnd(dialect: DialectName, ...more: readonly string[]): readonly JsonObject[] {
  if (dialect !== 'lmstudio') return bodyEnd(lastUnits[dialect]);
  const closed = ['channelClose', 'channelError', ...more].map((type) => ({ data: { type } }));
  return [
    {
      await: { from: 'target', match: closed },
      else: { await: { from: 'target', kind: ended } },
    },
    ...disconnect,
  ];
}

/** Ends a connection of LM Studio, after time for what must not come any more. */
const disconnect: readonly JsonObject[] = [
  { quiet: { for: '100ms' } },
  { end: { from: 'prober', code: 0, message: '' } },
];

const wholeEnd = bodyEnd([{ data: '$any' }]);

const ask = (dialect: DialectName, how: JsonObject): JsonObject => send({ ask: { dialect, ...how } });

/** Sends one request, and waits for the whole answer. */
const answer = (dialect: DialectName, request: JsonObject): readonly JsonObject[] => [
  ...findModel(dialect),
  ask(dialect, { request }),
  ...(request['stream'] === false ? wholeEnd : waitForEnd(dialect)),
];

/** Sends a request that demands a call, once for each limit that cuts the call. */
const askWithLimits = (dialect: DialectName, request: JsonObject): readonly JsonObject[] => [
  ...findModel(dialect),
  ...cuttingLimits.flatMap((maxTokens) => [
    ask(dialect, { request: { ...request, maxTokens }, forced: true }),
    ...waitForEnd(dialect),
  ]),
];

/** Looks at the witness, once or after each of these times. */
const lookAtWitness = (...waits: readonly string[]): readonly JsonObject[] => {
  const look = [
    send({ look: 'witness' }),
    { await: { from: 'target', kind: ended, within: '$timeouts.handshake' } },
  ];
  return waits.length === 0 ? look : waits.flatMap((time) => [{ quiet: { for: time } }, ...look]);
};

const toolJson = ({ name, description, inputSchema, custom, eager }: ToolSpec): JsonObject => ({
  name,
  ...(description === undefined ? {} : { description }),
  ...(custom && { custom }),
  ...(eager === true && { eager }),
  inputSchema,
});

/** What the table may name: the prompts, tools and limits, and the steps of a dialect. */
const buildersOf = (dialect: DialectName): CaseBuilders => ({
  ...Object.fromEntries(
    Object.entries(prompts).map(([name, content]) => [name, (): Json => [{ role: 'user', content }]]),
  ),
  write_report: () => toolJson(writeReport),
  write_report_at_once: () => toolJson({ ...writeReport, eager: true }),
  get_weather: () => toolJson(getWeather),
  apply_patch: () => toolJson(applyPatch),
  no_such_model: () => noSuchModel,
  small: () => smallLimit,
  ample: () => ampleLimit,
  find: () => findModel(dialect),
  ask: (how) => ask(dialect, objectArgument(how)),
  end: (...more) => waitForEnd(dialect, ...more.map(textArgument)),
  body_end: () => wholeEnd,
  disconnect: () => disconnect,
  answer: (request) => answer(dialect, objectArgument(request)),
  look: (...waits) => lookAtWitness(...waits.map(textArgument)),
  forced_limits: (request) => askWithLimits(dialect, objectArgument(request)),
});

const plain: Pick<Scenario, 'suite' | 'fresh' | 'alone' | 'last' | 'reference' | 'peers'> = {
  suite: 'llm/server',
  fresh: false,
  alone: false,
  last: false,
  reference: {},
  peers: { prober: { role: 'llm/prober', options: {} } },
};

/** The ends of an answer on a WebSocket of Responses, which stays open. */
const socketEnds = (times = 1): readonly JsonObject[] => [
  {
    await: { from: 'target', match: [...lastUnits['openai-responses'], ...typed('error')], times },
    else: { await: { from: 'target', kind: ended } },
  },
];

/** What the table of WebSockets may name. */
const socketBuilders: CaseBuilders = {
  ...buildersOf('openai-responses'),
  ask: (how) => ask('openai-responses', { socket: {}, ...objectArgument(how) }),
  end: (times) => socketEnds(times === undefined ? 1 : Number(times)),
  answer: (request) => [
    ...findModel('openai-responses'),
    ask('openai-responses', { request: objectArgument(request), socket: {} }),
    ...socketEnds(),
    ...disconnect,
  ],
};

const socketScenarios = (): readonly Scenario[] =>
  testsOfTable<ServerTest>('server/sockets', socketBuilders, serverTest).tests.map((test) =>
    scenarioOf(test, socketDrive),
  );

/** All tests of a dialect. A name of its table stands for steps of this dialect. */
const testsOf = (dialect: DialectName): readonly ServerTest[] =>
  testsOfTable<ServerTest>('server/requests', buildersOf(dialect), serverTest).tests;

/** Open Responses has only tools of the type function ("ResponsesToolParam"). */
const inOpenResponses = ({ name }: ServerTest): boolean => !name.endsWith('custom-tool');

const openScenarios = (): readonly Scenario[] =>
  [
    ...testsOf('openai-responses').filter(
      (test) => occursIn(test, 'openai-responses') && inOpenResponses(test),
    ),
    ...testsOfTable<ServerTest>('server/open-responses', buildersOf('openai-responses'), serverTest).tests,
  ].map((test) => scenarioOf(test, openDrive));

function scenarioOf(test: ServerTest, drive: ServerDrive): Scenario {
  const { name, title, steps, features = [], own } = test;
  return {
    ...plain,
    name: `${drive}-${name}`,
    title,
    needs: { drive: [drive], features },
    exercises: rowsOf(test, own?.[drive] === undefined ? dialectOfDrive(drive) : drive),
    ...(drive === openDrive && { reference: { profile: openDrive } }),
    steps: steps.flat(),
  };
}

/** All scenarios: `anthropic-text` and so on, each for the drive of its dialect; then those of WebSockets and of profiles. */
export function serverScenarios(): readonly Scenario[] {
  const played = dialects.map((dialect) => ({ dialect, tests: testsOf(dialect) }));
  const names = new Set(played.flatMap(({ tests }) => tests.map(({ name }) => name)));
  const ofDialects = [...names].flatMap((name) =>
    played.flatMap(({ dialect, tests }) =>
      tests
        .filter((test) => test.name === name && occursIn(test, dialect))
        .map((test) => scenarioOf(test, dialect)),
    ),
  );
  return [...ofDialects, ...socketScenarios(), ...openScenarios()];
}
