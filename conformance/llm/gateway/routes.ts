/** The routes of a gateway, as its statement names them. */
import { WireproofError, didYouMean } from '../../../src/kit/base/index.ts';
import type { StatedRoute, Statement } from '../../../src/kit/spec/index.ts';
import { gatewayDialects } from '../../../src/llm/gateway/index.ts';
import type { GatewayDialect } from '../../../src/llm/gateway/index.ts';
import { modelOf, pairs } from './pairs.ts';
import type { Pair, Route } from './pairs.ts';

/** The drive that tries all routes of a statement. */
export const allRoutes = 'routes';

/** @throws WireproofError 'usage' for an unknown dialect */
function dialectNamed(name: string, where: string): GatewayDialect {
  const dialect = gatewayDialects.find((one) => one === name);
  if (dialect !== undefined) return dialect;
  throw new WireproofError(
    'usage',
    `${where}: no dialect ${JSON.stringify(name)}${didYouMean(name, gatewayDialects)}; the dialects are ${gatewayDialects.join(', ')}`,
  );
}

const plainRoute = (pair: Pair): Route => ({ ...pair, model: modelOf(pair), base: '', headers: {} });

function statedRoute({ client, provider, ...stated }: StatedRoute, i: number): Route {
  const where = `routes[${i}]`;
  const pair = { client: dialectNamed(client, where), provider: dialectNamed(provider, where) };
  return { ...plainRoute(pair), ...stated };
}

/**
 * The routes to try: those of the statement, else the one pair that drive and provider name, else every pair.
 *
 * @throws WireproofError 'usage' for an unknown dialect, or for two routes of one pair
 */
export function routesOf(statement?: Statement): readonly Route[] {
  const { routes, drive, operator } = statement ?? {};
  if (routes !== undefined) return distinct(routes.map(statedRoute));
  const provider = operator?.['provider'];
  if (typeof provider !== 'string' || drive === undefined) return pairs.map(plainRoute);
  const pair = { client: dialectNamed(drive, 'drive'), provider: dialectNamed(provider, 'provider') };
  const model = operator?.['model'];
  return [{ ...plainRoute(pair), ...(typeof model === 'string' ? { model } : {}) }];
}

function distinct(routes: readonly Route[]): readonly Route[] {
  const twice = routes.find(
    (route, i) =>
      routes.findIndex((one) => one.client === route.client && one.provider === route.provider) < i,
  );
  if (twice === undefined) return routes;
  throw new WireproofError(
    'usage',
    `routes: ${twice.client} over ${twice.provider} is there twice; a check tries each pair once`,
  );
}
