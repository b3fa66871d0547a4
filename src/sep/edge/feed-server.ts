/**
 * A SEP feed server: gives the values of context feeds to executors in other processes, over HTTP. Its contract is
 * spec/sep/feeds.openapi.yaml. The values come from a function of the caller.
 */
import { addressText } from '../../kit/base/index.ts';
import { bareHost, listenHttp } from '../../kit/transport/index.ts';
import { mostRequest } from './feed-contract.ts';
import { FeedExchange } from './feed-exchange.ts';
import { feedGuard } from './feed-guard.ts';
import type { FeedGuardOptions } from './feed-guard.ts';
import { limitsWith } from './feed-limits.ts';
import { FeedPlaces, UnreadAnswers } from './feed-places.ts';
import type { FeedAnswer, ServedFeeds } from './served-feeds.ts';

/** The limits of a server, each with a default. */
export interface FeedServerLimits {
  /** The longest time of a fetch (ms); default 10 s. */
  readonly timeout?: number;
  /** The longest time for a request to arrive, and for an answer to be read (ms); default 30 s. */
  readonly transfer?: number;
  /** The most fetches at a time; default 256. A fetch that ignores its signal counts until it ends. */
  readonly mostFetches?: number;
  /** The most connections at a time; default 4096: an idle one costs little, and must not keep others out. */
  readonly mostConnections?: number;
}

/** The options of a server. */
export interface FeedServerOptions extends Partial<FeedGuardOptions>, FeedServerLimits {
  readonly feeds: ServedFeeds;
  /** Default 0: any free port. `host` is 127.0.0.1 by default. */
  readonly port?: number;
  /** Origins of web pages that may call, beside pages of this machine; `*`: any. */
  readonly origins?: readonly string[];
  /** Whether the process may end while the server listens; default false. */
  readonly background?: boolean;
  /** Gets every answer to a request that passed the guard of Origin. */
  readonly onAnswer?: (answer: FeedAnswer) => void;
}

/** A listening feed server. */
export interface FeedServer {
  readonly port: number;
  /** The base URL, for `source.url` of a remote feed. */
  readonly url: string;
  /** Ends everything at once. The signals of open fetches end. */
  close(): Promise<void>;
}

type Limits = { readonly [name in keyof Required<FeedServerLimits>]: number };

/** The most open requests of a connection. Clients wait for the answer before they ask again. */
export const pipelined = 4;

/** The defaults of {@link FeedServerLimits}. */
export const feedServerLimits: Limits = {
  timeout: 10_000,
  transfer: 30_000,
  mostFetches: 256,
  mostConnections: 4096,
};

/**
 * Serves feeds.
 *
 * @throws WireproofError 'usage' without a token on an address that others can reach, and for a wrong limit;
 * 'environment' when the port cannot be had
 * @example
 * const server = await serveFeeds({
 *   feeds: {
 *     list: () => [{ id: 'load', trigger: 'on_demand' }],
 *     fetch: async (_, params) => ({ value: { cpu: 7, ...params } }),
 *   },
 * });
 * const { id, value } = await (await fetch(`${server.url}/feeds/load`)).json() as { id: string; value: object };
 * console.log({ id, value }); // { id: 'load', value: { cpu: 7 } }
 * await server.close();
 */
export async function serveFeeds(options: FeedServerOptions): Promise<FeedServer> {
  const { host = '127.0.0.1', port = 0, origins, background = false } = options;
  const { timeout, transfer, mostFetches, mostConnections } = limitsWith<Limits>(feedServerLimits, options);
  const settings = {
    feeds: options.feeds,
    guard: feedGuard({ ...options, host }),
    places: new FeedPlaces(mostFetches),
    unread: new UnreadAnswers(),
    timeout,
    onAnswer: options.onAnswer ?? (() => {}),
  };
  const server = await listenHttp({
    host: bareHost(host),
    port,
    accept: (link, head) => new FeedExchange(settings, link, head),
    maxReceive: mostRequest,
    background,
    origins,
    hosts: options.allowHosts,
    refusal: (error) => ({ error }),
    bounds: { request: transfer, idle: timeout + transfer, connections: mostConnections, pipelined },
  });
  const url = `http://${addressText({ host: bareHost(host), port: server.port })}`;
  return { port: server.port, url, close: () => server.close() };
}
