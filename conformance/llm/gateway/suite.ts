/** The suite of gateways between model dialects. The kit is the client and the provider, and judges both wires at once. */
import { WireproofError } from '../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';
import { peerOf } from '../../../src/kit/suite/index.ts';
import type { ListeningTargetKind, Suite } from '../../../src/kit/suite/index.ts';
import { askedCodec } from '../../../src/llm/index.ts';
import { gatewayDialects } from '../../../src/llm/gateway/index.ts';
import { llmEnvironment, llmSecrets } from '../../../src/llm/edge/index.ts';
import { prober } from '../server/prober.ts';
import { unitWire } from '../server/units.ts';
import { claimFeatures, claimedFeatures, claimedRows } from './claims.ts';
import { keys } from './keys.ts';
import { largeTexts } from './large.ts';
import { gatewayLawful } from './lawful/index.ts';
import { gatewayMutants } from './mutants/index.ts';
import { nameOfPair, pairs, placeOfPair } from './pairs.ts';
import { gatewayProvider } from './provider.ts';
import { gatewayRules } from './rules/index.ts';
import { allRoutes, routesOf } from './routes.ts';
import { routedRows } from './routed-rows.ts';
import { gatewayScenarios } from './scenarios.ts';
import { gatewayPeer, simulatedFallback, simulatedProvider } from './target.ts';
import { defaultTimeouts, gatewayJudging, wires } from './view.ts';
import type { GatewayView } from './view.ts';

const listening: ListeningTargetKind = {
  kind: 'listens',
  scheme: 'http',
  asksForModel: true,
  providers: gatewayDialects,
  drivers: [...gatewayDialects, allRoutes],
  choose(_, statement) {
    const { routes, drive, operator } = statement ?? {};
    if (routes !== undefined) return allRoutes;
    if (drive !== undefined && operator?.['provider'] !== undefined) return drive;
    throw new WireproofError(
      'usage',
      'llm/gateway needs a pair of dialects: --drive anthropic --provider openai-chat, or routes in a statement (wireproof init llm/gateway)',
    );
  },
  driver: async (request) =>
    (await import('../../../src/llm/edge/index.ts')).serverDriver({ ...request, name: 'openai-chat' }),
  async credentials() {
    return { scheme: 'none', features: [], of: () => ({}) };
  },
  simulated: () => ({ scheme: 'none', features: [], of: () => ({}) }),
  shown: () => undefined,
  operates: () => true,
};

/** Gateways: the target listens for clients in one dialect, and asks a provider in another. */
export const llmGatewaySuite: Suite<GatewayView> = {
  id: 'llm/gateway',
  protocol: 'llm',
  role: 'gateway',
  title: 'LLM gateways: what a provider says in one dialect is heard in another',
  features: [
    ...pairs.map((pair) => ({
      name: nameOfPair(pair),
      advertised: false,
      text: `answers clients of ${pair.client} from a provider of ${pair.provider}`,
    })),
    ...claimFeatures,
  ],
  judging: { rules: gatewayRules, ...gatewayJudging },
  secrets: llmSecrets,
  keys,
  timeouts: { handshake: 5000, ...defaultTimeouts, late: 100 },
  target: listening,
  sideServers: [
    { peer: 'provider', variable: 'llm_url', simulatedUrl: simulatedProvider, environment: llmEnvironment },
    {
      peer: 'provider_2',
      variable: 'llm_url_2',
      simulatedUrl: simulatedFallback,
      feature: 'fallback',
      environment: () => ({}),
    },
  ],
  scenarios: gatewayScenarios,
  axes: { rows: 'client', columns: 'provider', placeOf: ({ needs }) => placeOfPair(needs.features) },
  claimsOf: (statement) => [...routesOf(statement).map(nameOfPair), ...claimedFeatures(statement)],
  unsupported: () => undefined,
  peers: {
    'llm/prober': () => (world) => {
      const { dial, codec } = unitWire();
      const there = world.dial === undefined ? {} : { dial: dial(world.dial) };
      return peerOf(prober(), codec, askedCodec)({ ...world, ...there });
    },
    'llm/provider': (options: JsonObject) => gatewayProvider(options),
  },
  reports: ['request', 'answered', 'stalled', 'flushed'],
  wires: { 'llm/prober': wires.above, 'llm/provider': wires.below },
  variables: () => largeTexts,
  longestText: 1 << 12,
  conditionalRows: [...claimedRows, ...routedRows],
  statement: {
    target: `target:
  # An argv array, never a shell string. {port} is the port to listen on, {llm_url} the base URL of the kit's provider.
  command: [./my-gateway, --port, '{port}', --provider, '{llm_url}']
  # For a gateway that runs already, write connect: 127.0.0.1:4000 and serve: { llm_url: '127.0.0.1:8090' } instead of command.
  # The kit's provider listens at the second address.

# The pairs of dialects: anthropic, openai-chat, openai-responses, ollama. model leads to the provider of the pair.
routes:
  - { client: anthropic, provider: openai-chat, model: kit-openai-chat }
  # - { client: openai-chat, provider: anthropic, model: kit-anthropic, base: /openai, headers: { authorization: 'Bearer {client_key}' } }
`,
    more: `# What the gateway does on purpose. {llm_url_2} is the provider of a fallback; {provider_key} is a key for both.
# claims: { buffers: [all], retries: 3, fallback: true, on_leave: { drain: 30s }, credentials: forwarded }
`,
  },
  reference: (options) => gatewayPeer({}, options),
  mutants: gatewayMutants,
  lawful: gatewayLawful,
};
