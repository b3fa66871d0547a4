/** The request that a gateway sends to a provider. */
import type { Metadata } from '../../kit/base/index.ts';
import type { WireRequest } from '../dialects/shared/dialect.ts';
import { writeFullRequest } from './request/index.ts';
import type { FullRequest } from './request/request.ts';
import type { GatewayRoute } from './route.ts';

/** Header fields of a client that mean something to a provider of its own dialect. No other one goes below. */
const passed: readonly string[] = ['anthropic-version', 'anthropic-beta', 'openai-beta'];

/** Writes the request in the provider's dialect, with the provider's own key. */
export function providerRequest(route: GatewayRoute, request: FullRequest, headers: Metadata): WireRequest {
  const { client, provider, served } = route;
  const asked: FullRequest = {
    ...request,
    ...(served === undefined ? {} : { model: served }),
    // Usage is always asked for: a client of another dialect always gets it.
    ...(request.stream ? { includeUsage: true } : {}),
  };
  const { path, headers: own, body } = writeFullRequest(provider, asked);
  const same = client === provider ? passed.filter((name) => headers[name] !== undefined) : [];
  const kept = Object.fromEntries(same.map((name) => [name, headers[name] ?? '']));
  return { path, body, headers: { ...own, ...kept, ...route.headers } };
}
