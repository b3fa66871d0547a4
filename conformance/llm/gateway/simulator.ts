/** `wireproof simulate llm/gateway`: the reference gateway on a port, between any clients and any providers. */
import { WireproofError, addressText } from '../../../src/kit/base/index.ts';
import { LiveSession } from '../../../src/kit/simulate/index.ts';
import type { SimulatorEnd, SimulatorRun } from '../../../src/kit/suite/index.ts';
import { serveGateway } from '../../../src/llm/edge/gateway/index.ts';
import type { GatewayRoute } from '../../../src/llm/gateway/index.ts';
import { routeOfFlag } from './route-flag.ts';

/** What a route does, in words. */
function routeWords({ client, model, provider, url, fallback }: GatewayRoute): string {
  const asking = model === undefined ? '' : ` that ask for ${model}`;
  const second = fallback === undefined ? '' : `, else at ${fallback}`;
  return `clients of ${client}${asking}: ${provider} at ${url}${second}`;
}

/** Plays until it is interrupted. */
export async function play(run: SimulatorRun): Promise<SimulatorEnd> {
  const live = new LiveSession(run, {
    suite: { id: 'llm/gateway', protocol: 'llm', role: 'gateway' },
    textOf: () => undefined,
    target: 'clients and providers of the simulated gateway',
  });
  const { flags } = live;
  const key = flags.variable('key-env');
  const headers = key === undefined ? {} : { headers: { authorization: `Bearer ${key}`, 'x-api-key': key } };
  const routes = flags.list('route').map((text) => ({ ...routeOfFlag(text), ...headers }));
  if (routes.length === 0)
    throw new WireproofError(
      'usage',
      'a gateway needs a route: --route anthropic=openai-chat@http://127.0.0.1:4010',
    );
  const retries =
    flags.read('retries', 'a count from 0 to 10', (text) =>
      /^(?:\d|10)$/.test(text) ? Number(text) : undefined,
    ) ?? 0;
  const idle = flags.time('idle');
  const patience = idle === undefined ? {} : { idle };
  const served = await serveGateway({ ...flags.address('listen'), routes, retries, ...patience });
  for (const route of routes) live.notify(routeWords(route));
  live.notify(`a gateway listens on ${addressText(served)}; Ctrl-C stops it`);
  try {
    await live.ended;
    return live.sumUp();
  } finally {
    await served.close();
  }
}
