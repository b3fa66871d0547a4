/**
 * Fetches remote feeds: sources of the type `remote`, whose values a SEP feed server gives (spec/sep/feeds.openapi.yaml).
 * Whatever a server does becomes a sentence.
 */
import type { FeedSource } from '../feeds/feed.ts';
import { mostAnswer } from './feed-contract.ts';
import { limitsWith } from './feed-limits.ts';
import { RemoteExchange } from './remote-exchange.ts';
import type { RemoteOutcome } from './remote-exchange.ts';
import { RemoteServers } from './remote-servers.ts';
import type { RemoteServerOptions } from './remote-servers.ts';

/** The options of a client. */
export interface RemoteFeedOptions extends RemoteServerOptions {
  /** The longest time of a fetch, from its start to the whole answer (ms); default 12 s. */
  readonly timeout?: number;
  /** The largest answer (bytes); default 1 MiB. */
  readonly mostBytes?: number;
  /** Certificates (PEM) of authorities, or of the server itself; absent: Node's authorities. */
  readonly ca?: string;
}

/** Fetches a remote feed; never throws. The end of the signal ends the fetch. */
export type FetchRemoteFeed = (source: FeedSource, signal?: AbortSignal) => Promise<RemoteOutcome>;

/** The defaults of a client. The time is longer than the default of a server, whose own sentence says more. */
export const feedClientLimits: { readonly timeout: number; readonly mostBytes: number } = {
  timeout: 12_000,
  mostBytes: mostAnswer,
};

/**
 * Makes a function that fetches remote feeds.
 *
 * @throws WireproofError 'usage' for a token that no header can carry, an origin that is no URL, or a wrong limit
 * @example
 * import { serveFeeds } from './feed-server.ts';
 *
 * const server = await serveFeeds({
 *   token: 'k3y',
 *   feeds: {
 *     list: () => [{ id: 'load', trigger: 'on_demand' }],
 *     fetch: async (_, params) => ({ value: params['cpu'] ?? null, at: 0 }),
 *   },
 * });
 * const fetchRemote = remoteFeeds({ token: 'k3y' });
 * const source = { type: 'remote', name: 'load', url: server.url, params: { cpu: 7 } } as const;
 * await fetchRemote(source); // { value: 7, at: '1970-01-01T00:00:00.000Z', stale: false }
 * await server.close();
 */
export function remoteFeeds(options: RemoteFeedOptions = {}): FetchRemoteFeed {
  const { timeout, mostBytes, ca } = options;
  const servers = new RemoteServers(options);
  const limits = {
    ...limitsWith(feedClientLimits, { timeout, mostBytes }),
    ...(ca === undefined ? {} : { ca }),
  };
  return async (source, signal) => {
    const call = servers.callOf(source);
    return call.ok ? new RemoteExchange(call.value, limits).outcome(signal) : { error: call.error };
  };
}
