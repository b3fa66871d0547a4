/** A suite of its own: a relay listens for a user, asks two models of the kit at once, and answers with both words. */
import type { JsonObject, PeerCommand, Role, RoleOutput, Scenario } from '../base/index.ts';
import { exercised, rule, violated } from '../judge/rule.ts';
import type { Requirement } from '../spec/index.ts';
import { peerOf } from '../suite/index.ts';
import type { MakePeer, SideServer, Suite } from '../suite/index.ts';
import { ndjson } from '../testee/ndjson.ts';
import { dialHttp } from '../transport/index.ts';

const path = { ':path': '/' };

/** Sends its request in a new exchange. */
const user: Role<null, JsonObject, JsonObject, PeerCommand<JsonObject>> = {
  name: 'user',
  start: () => null,
  step(state, input) {
    if (input.type !== 'command' || input.command.do !== 'send') return { state, outputs: [] };
    const { message } = input.command;
    const peer = 'relay';
    return {
      state,
      outputs: [
        { type: 'dial', peer, metadata: path },
        { type: 'send', peer, message },
        { type: 'half_close', peer },
      ],
    };
  },
};

/** The answer to a request. */
const answer = (peer: string, message: JsonObject): readonly RoleOutput<JsonObject>[] => [
  { type: 'headers', peer, metadata: { ':status': '200' } },
  { type: 'send', peer, message },
  { type: 'close', peer, status: { code: 0, message: '' } },
];

/** Answers each request with its word. */
const model = (word: string): Role<null, JsonObject, JsonObject> => ({
  name: 'model',
  start: () => null,
  step: (state, input) => ({ state, outputs: input.type === 'message' ? answer(input.peer, { word }) : [] }),
});

const variables = ['llm_url', 'llm_url_2'] as const;

/** The relay's requests to both models. */
const asks: readonly RoleOutput<JsonObject>[] = variables.flatMap((peer) => [
  { type: 'dial', peer, metadata: { ':url': `http://${peer}.simulated`, ...path } },
  { type: 'send', peer, message: { prompt: 'a word' } },
]);

interface RelayState {
  /** The user's exchange. */
  readonly asking: string;
  /** The words that came, by the variable of their model. */
  readonly words: { readonly [variable: string]: unknown };
}

/** The relay in the simulated world. `order`: the models in the order of their words. */
const relay = (order: readonly (typeof variables)[number][]): Role<RelayState, JsonObject, JsonObject> => ({
  name: 'relay',
  start: () => ({ asking: '', words: {} }),
  step(state, input) {
    if (input.type !== 'message') return { state, outputs: [] };
    const { peer, message } = input;
    if (message['ask'] !== undefined) return { state: { asking: peer, words: {} }, outputs: asks };
    const words = { ...state.words, [peer]: message['word'] };
    const isFull = variables.every((variable) => words[variable] !== undefined);
    const say = order.map((variable) => words[variable]).join(' ');
    return { state: { ...state, words }, outputs: isFull ? answer(state.asking, { say }) : [] };
  },
});

const relayPeer =
  (...order: (typeof variables)[number][]): (() => MakePeer) =>
  () =>
    peerOf(relay(order), ndjson, ndjson);

const side = (peer: string, variable: (typeof variables)[number]): SideServer => ({
  peer,
  variable,
  simulatedUrl: `http://${variable}.simulated`,
  environment: (url) => ({ [`${peer.toUpperCase()}_BASE`]: url }),
});

interface View {
  readonly words: Map<string, string>;
}

export const relaySuite: Suite<View> = {
  id: 'relay/station',
  protocol: 'relay',
  role: 'station',
  title: 'Relay',
  features: [],
  judging: {
    topicOf: (event) => (event.kind === 'message' ? event.from : event.kind),
    view: {
      start: () => ({ words: new Map() }),
      step: ({ words }, { kind, from, data }) => {
        if (kind === 'message' && data['word'] !== undefined) words.set(from, String(data['word']));
      },
    },
    rules: [
      rule({
        requirement: 'RELAY-01',
        listens: ['target'],
        start: () => null,
        step: (_, event, { words }: View) => {
          const { say } = event.data;
          if (say === undefined) return undefined;
          const expected = `${words.get('first')} ${words.get('second')}`;
          return say === expected
            ? exercised(event)
            : violated(event, `expected ${expected}; came ${String(say)}`);
        },
      }),
    ],
  },
  secrets: { metadata: [], fields: [], may: () => false },
  timeouts: { handshake: 5000, step: 5000, late: 20 },
  target: {
    kind: 'listens',
    scheme: 'http',
    drivers: ['http'],
    choose: () => 'http',
    async driver({ place }) {
      const dial = dialHttp({ maxReceive: 1 << 20 });
      return ({ metadata }, events) => dial({ metadata: { ...metadata, ':url': place.url } }, events);
    },
    credentials: async () => ({ scheme: 'none', features: [], of: () => ({}) }),
    simulated: () => ({ scheme: 'none', features: [], of: () => ({}) }),
    shown: () => undefined,
    operates: (role) => role === 'relay/user',
  },
  sideServers: [side('first', 'llm_url'), side('second', 'llm_url_2')],
  unsupported: () => undefined,
  peers: {
    'relay/user': () => peerOf(user, ndjson, ndjson),
    'relay/model': ({ word }) => peerOf(model(String(word)), ndjson, ndjson),
  },
  conditionalRows: [],
  statement: { target: '' },
  reference: relayPeer('llm_url', 'llm_url_2'),
  mutants: () => [
    {
      id: 'swaps',
      breaks: 'RELAY-01',
      title: 'takes one model for the other',
      make: relayPeer('llm_url_2', 'llm_url'),
    },
  ],
};

export const relayRows: readonly Requirement[] = [
  {
    id: 'RELAY-01',
    level: 'MUST',
    roles: ['station'],
    text: 'The answer has the words of both models.',
    source: { document: 'here', section: '1' },
    since: '0.1.0',
  },
];

/** A scenario in which the models say these words. */
export const relayScenario = (first: string, second: string): Scenario => ({
  name: `${first}-${second}`,
  title: 'The user asks once.',
  suite: relaySuite.id,
  needs: { drive: [], features: [] },
  exercises: ['RELAY-01'],
  fresh: false,
  alone: false,
  last: false,
  reference: {},
  peers: {
    user: { role: 'relay/user', options: {} },
    first: { role: 'relay/model', options: { word: first } },
    second: { role: 'relay/model', options: { word: second } },
  },
  steps: [
    { send: { from: 'user', message: { ask: 'a word' } } },
    { await: { from: 'target', match: { say: '$any' } } },
  ],
});

/** The program: `node -e CODE PORT URL URL`. It answers with the words of the URLs in their order. */
export const relayProgram = `
const [port, ...urls] = process.argv.slice(1);
const ask = (url) => fetch(url, { method: 'POST', body: '{"prompt":"a word"}' }).then((answer) => answer.json());
require('http').createServer(async (request, response) => {
  const words = await Promise.all(urls.map(ask));
  response.end(JSON.stringify({ say: words.map(({ word }) => word).join(' ') }));
}).listen(+port, '127.0.0.1');
`;
