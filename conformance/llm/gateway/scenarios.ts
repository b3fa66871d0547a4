/**
 * The scenarios of gateways: the tests of fixtures/llm/scenarios/gateway, each for each pair of dialects. The kit is the client
 * and the provider.
 */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json, JsonObject, Scenario, ScenarioStep } from '../../../src/kit/base/index.ts';
import type { CaseBuilders, Statement } from '../../../src/kit/spec/index.ts';
import { gatewayDialects, writeFullRequest } from '../../../src/llm/gateway/index.ts';
import type { FullRequest, GatewayDialect } from '../../../src/llm/gateway/index.ts';
import { gatewayTest } from '../generated/scenario-validators.ts';
import { membersExcept, testsOfTable } from '../scenario-tables.ts';
import type { ScenarioTest } from '../scenario-tables.ts';
import { claimedBy } from './claims.ts';
import { showsRow } from './conditions.ts';
import { stepsOfCrowd, turnsOfCrowd } from './crowd.ts';
import type { Crowd, CrowdAsk } from './crowd.ts';
import { placeOf } from './large.ts';
import type { LargeText } from './large.ts';
import { nameOfPair } from './pairs.ts';
import type { Route } from './pairs.ts';
import { headersOf } from './route-headers.ts';
import { allRoutes, routesOf } from './routes.ts';
import type { Unreadable } from './unreadable.ts';

/** The forms in which a client asks, one after the other: as a stream or not, with a letter that tells the requests apart. */
const forms = {
  stream: [[true, 's']],
  body: [[false, 'b']],
  both: [
    [true, 's'],
    [false, 'b'],
  ],
  twice: [
    [true, 's'],
    [true, 't'],
  ],
  'both-twice': [
    [true, 's'],
    [false, 'b'],
    [true, 't'],
    [false, 'c'],
  ],
} as const;

/** A test: the provider's answer in the words of a script, and what the client asks for. */
interface GatewayTest extends ScenarioTest {
  /** The default is a stream, then a body. */
  readonly asks?: keyof typeof forms;
  /** Members that are added to the neutral request. */
  readonly request?: Partial<FullRequest>;
  /** Such members for one request each; the default is one request. */
  readonly requests?: readonly Partial<FullRequest>[];
  /** Steps of the scenario between a request and the end of its answer. */
  readonly meanwhile?: readonly ScenarioStep[];
  /** Steps that await what a request leads to; the default is the end of its answer. */
  readonly awaits?: readonly ScenarioStep[];
  /** The clients that can ask for it; the default is all. */
  readonly clients?: readonly GatewayDialect[];
  /** The providers that can say it; the default is all. */
  readonly providers?: readonly GatewayDialect[];
  /** The answers to further requests; by default all requests get the same one. */
  readonly turns?: readonly JsonObject[];
  /** The claim without which it is not played. */
  readonly claim?: 'fallback' | 'stalled';
  /** The answer of the second provider; by default it is that of the first one. */
  readonly second?: readonly JsonObject[];
  /** Further header fields of the requests. */
  readonly headers?: { readonly [name: string]: string };
  /** Whether only pairs of equal dialects can show it. */
  readonly equal?: boolean;
  /** The request from which on the provider's answers have what no client knows, from 1. */
  readonly noise_from?: number;
  /** What comes instead of the provider's answers. */
  readonly unreadable?: readonly Unreadable[];
  /** Requests that are sent at once. */
  readonly at_once?: Crowd;
  /** What the provider may write in the self-test while the client does not read (bytes). */
  readonly window?: number;
  /** The large text that stands for `{large}`, in a check and in the self-test. */
  readonly large?: { readonly text: LargeText; readonly tried?: LargeText };
  /** The pairs on which the self-test plays it, by their names: it takes long. A check plays it on each route. */
  readonly tried?: readonly string[];
}

const ownMembers = new Set([
  'name',
  'title',
  'exercises',
  'asks',
  'request',
  'requests',
  'meanwhile',
  'awaits',
  'clients',
  'providers',
  'turns',
  'claim',
  'second',
  'headers',
  'equal',
  'noise_from',
  'unreadable',
  'at_once',
  'large',
  'window',
  'tried',
]);

const builders: CaseBuilders = {};

/** The tools that requests offer. */
const tools = ['write', 'read', 'list', 'odd'].map((name) => ({
  name,
  description: `The tool ${name}.`,
  schema: { type: 'object', properties: {} },
}));

/** One request of a test. */
interface Ask {
  readonly stream: boolean;
  /** The end of its word. */
  readonly letter: string;
  readonly members: Partial<FullRequest>;
}

/** The word of a request. It is in the request below, too: by it, the judge joins both sides. */
const wordOf = (test: GatewayTest, route: Route, { letter }: Ask): string =>
  `[case ${nameOfPair(route)}-${test.name}-${letter}]`;

/** The neutral request of a test. */
function requestOf(test: GatewayTest, route: Route, one: Ask): FullRequest {
  const { stream, members } = one;
  const word = wordOf(test, route, one);
  return {
    model: route.model,
    messages: [{ role: 'user', parts: [{ kind: 'text', text: `${word} Follow the instructions.` }] }],
    tools,
    limit: 1000,
    stream,
    unknown: {},
    // Only in its own dialect a request has members that are unknown.
    ...(members.unknown === undefined ? {} : { from: route.client }),
    ...(stream ? { includeUsage: true } : {}),
    ...withWord(members, word),
  };
}

/** The members with the word in its place. */
const withWord = ({ messages, ...members }: Partial<FullRequest>, word: string): Partial<FullRequest> => ({
  ...members,
  ...(messages === undefined
    ? {}
    : {
        messages: messages.map((message) => ({
          ...message,
          parts: message.parts.map((part) =>
            part.kind === 'text' ? { ...part, text: part.text.replace('{case}', word) } : part,
          ),
        })),
      }),
});

const answered: ScenarioStep = {
  await: { from: 'target', to: 'client', kind: ['end', 'reset'], within: '$timeouts.step' },
};

/** The requests of a test, each in its forms. */
const asksOf = ({ asks = 'both', request = {}, requests = [{}] }: GatewayTest): readonly Ask[] =>
  requests.flatMap((members, i) =>
    forms[asks].map(([stream, letter]) => ({
      stream,
      letter: requests.length === 1 ? letter : `${letter}${i}`,
      members: { ...request, ...members },
    })),
  );

function sendOf(test: GatewayTest, route: Route, one: Ask): ScenarioStep {
  const { client, base } = route;
  const { body, path } = writeFullRequest(client, requestOf(test, route, one));
  const message: JsonObject = { ask: { dialect: client, path: `${base}${path}`, body } };
  return { send: { from: 'client', message, verbatim: test.large === undefined } };
}

const ask = (test: GatewayTest, route: Route, one: Ask): readonly ScenarioStep[] => [
  sendOf(test, route, one),
  ...(test.meanwhile ?? []),
  ...(test.awaits ?? [answered]),
];

/** The script of a test, and the steps that ask for its answers. */
interface Play {
  readonly turns: readonly JsonObject[];
  readonly steps: readonly ScenarioStep[];
}

function playOf(test: GatewayTest, route: Route): Play {
  const { at_once: crowd, turns } = test;
  const { steps = [], ...more } = membersExcept(test, ownMembers);
  if (crowd === undefined || !isArray(steps))
    return {
      turns: turns ?? [{ times: 'always', steps, ...more }],
      steps: asksOf(test).flatMap((one) => ask(test, route, one)),
    };
  const requests = Array.from({ length: crowd.count }, () => ({}));
  const asks = asksOf({ ...test, requests }).map((one): CrowdAsk => ({
    word: wordOf(test, route, one),
    letter: one.letter,
    send: sendOf(test, route, one),
  }));
  return { turns: turnsOfCrowd(crowd, steps, more, asks), steps: stepsOfCrowd(crowd, asks) };
}

/** The claims of the gateway, and the one that the test needs. */
const claimedFor = ({ claim }: GatewayTest, statement: Statement | undefined): JsonObject => ({
  ...claimedBy(statement),
  ...(claim === 'fallback' ? { fallback: true } : {}),
  ...(claim === 'stalled' ? { givesUp: true } : {}),
});

const secondScript = ({ name, second }: GatewayTest, script: Json): Json =>
  second === undefined ? script : { title: name, turns: [{ times: 'always', steps: second }] };

function scenarioOf(test: GatewayTest, route: Route, statement: Statement | undefined): Scenario {
  const { claim } = test;
  const { turns, steps } = playOf(test, route);
  const script: Json = { title: test.name, turns };
  const noise = test.noise_from === undefined ? {} : { noise_from: test.noise_from };
  const unreadable = test.unreadable === undefined ? {} : { unreadable: test.unreadable };
  const stalls = test.window === undefined ? {} : { stalls: true };
  const claims = claimedFor(test, statement);
  const about: JsonObject = {
    case: `${nameOfPair(route)}-${test.name}`,
    provider: route.provider,
    pair: nameOfPair(route),
    ...(Object.keys(claims).length === 0 ? {} : { claims }),
    ...(statement === undefined && test.window !== undefined ? { window: test.window } : {}),
  };
  const asksAnother = claims['fallback'] === true;
  return {
    name: `${nameOfPair(route)}-${test.name}`,
    title: `${test.title}; ${route.client} over ${route.provider}`,
    suite: 'llm/gateway',
    needs: {
      drive: [route.client, allRoutes],
      features: [nameOfPair(route), ...(claim === undefined ? [] : [claim])],
    },
    exercises: test.exercises.flat().filter((row) => showsRow(row, route)),
    fresh: false,
    alone: false,
    last: false,
    reference: asksAnother ? { fallback: true } : {},
    peers: {
      client: { role: 'llm/prober', options: {} },
      provider: { role: 'llm/provider', options: { script, ...noise, ...stalls, ...unreadable } },
      ...(asksAnother
        ? { provider_2: { role: 'llm/provider', options: { script: secondScript(test, script), ...noise } } }
        : {}),
    },
    steps: [{ mark: { about }, verbatim: true }, ...headersOf(route, test.headers), ...steps],
  };
}

/** The test with the places of its large text. */
function withLarge(test: GatewayTest, isSelftest: boolean): GatewayTest {
  const { large } = test;
  if (large === undefined) return test;
  return placed(test, placeOf(isSelftest ? (large.tried ?? large.text) : large.text));
}

/** A value with a place instead of `{large}`. */
function placed<T>(value: T, place: string): T;
function placed(value: unknown, place: string): unknown {
  if (typeof value === 'string') return value.replaceAll('{large}', () => place);
  if (Array.isArray(value)) return value.map((one: unknown) => placed(one, place));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, placed(one, place)]));
}

/** All scenarios: for the routes of the statement, or for every pair. @throws WireproofError 'usage' for an unknown dialect */
export function gatewayScenarios(statement?: Statement): readonly Scenario[] {
  const isSelftest = statement === undefined;
  const tests = ['answers', 'attempts', 'requests', 'wire']
    .flatMap((table) => testsOfTable<GatewayTest>(`gateway/${table}`, builders, gatewayTest).tests)
    .map((test) => withLarge(test, isSelftest));
  return routesOf(statement).flatMap((route) =>
    tests
      .filter(
        ({ clients = gatewayDialects, providers = gatewayDialects, equal, tried }) =>
          (equal !== true || route.client === route.provider) &&
          clients.includes(route.client) &&
          providers.includes(route.provider) &&
          (!isSelftest || tried?.includes(nameOfPair(route)) !== false),
      )
      .map((test) => scenarioOf(test, route, statement)),
  );
}
