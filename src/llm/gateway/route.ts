/** The routes of a gateway: which provider answers a request, by its path and its model. */
import { isObject } from '../../kit/base/index.ts';
import type { Json, Metadata } from '../../kit/base/index.ts';
import { dialectOf } from '../dialects/index.ts';
import { routeOf } from '../streamer/routes.ts';
import { gatewayDialects } from './dialects.ts';
import type { GatewayDialect } from './dialects.ts';

/** One pair of dialects: requests that come in `client` are asked of a provider that speaks `provider`. */
export interface GatewayRoute {
  readonly client: GatewayDialect;
  readonly provider: GatewayDialect;
  /** The base URL of the provider. */
  readonly url: string;
  /** The base URL of a provider that is asked when the first one cannot answer; absent: there is none. */
  readonly fallback?: string;
  /** The model for which clients ask to get this route; absent: any model that no other route has. */
  readonly model?: string;
  /** The model that the provider is asked for; absent: the client's. */
  readonly served?: string;
  /** Header fields for the provider, such as its key. */
  readonly headers?: Metadata;
}

const paths = gatewayDialects.flatMap((dialect) =>
  dialectOf[dialect].paths.map((path) => ({ method: 'POST', path, dialect }) as const),
);

/** The dialect of a request, by its path; `allow`: the method that its path wants. */
export function dialectAt(
  method: string,
  target: string,
  headers: Metadata,
): GatewayDialect | { readonly allow: string } | undefined {
  const found = routeOf(paths, { method, target, headers });
  return found !== undefined && 'dialect' in found ? found.dialect : found;
}

/** The route of a request: that of its model, else one without a model. */
export function routeFor(
  routes: readonly GatewayRoute[],
  dialect: GatewayDialect,
  body: Json,
): GatewayRoute | undefined {
  const model = isObject(body) ? body['model'] : undefined;
  const own = routes.filter(({ client }) => client === dialect);
  return own.find((route) => route.model === model) ?? own.find((route) => route.model === undefined);
}
