/** A feed server for tests, and a plain HTTP client that can send what no fetch() sends. */
import { request } from 'node:http';
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from 'node:http';
import { afterEach } from 'vitest';
import type { Json, JsonObject } from '../../kit/base/index.ts';
import { serveFeeds } from './feed-server.ts';
import type { FeedServer, FeedServerOptions } from './feed-server.ts';
import type { ServedOutcome } from './served-feeds.ts';

/** How a feed of a test is fetched. */
export type TestFetch = (params: JsonObject, signal: AbortSignal) => Promise<ServedOutcome> | ServedOutcome;

const open: FeedServer[] = [];

/** Closes the servers of each test. */
export const closeServers = (): void =>
  afterEach(async () => {
    await Promise.all(open.splice(0).map((server) => server.close()));
  });

/** Serves feeds by their ids. */
export async function served(
  feeds: { readonly [id: string]: TestFetch },
  options: Omit<FeedServerOptions, 'feeds'> = {},
): Promise<FeedServer> {
  const server = await serveFeeds({
    feeds: {
      list: () => Object.keys(feeds).map((id) => ({ id, trigger: 'on_demand' })),
      fetch: async (id, params, signal) =>
        (await feeds[id]?.(params, signal)) ?? { error: 'asked for a feed that is not listed' },
    },
    ...options,
  });
  open.push(server);
  return server;
}

/** A request of a test. */
export interface TestRequest {
  readonly path: string;
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  /** JSON, or the bytes as they are. */
  readonly body?: Json | Buffer;
}

/** An answer: its JSON is undefined where its body is none. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly json: Json | undefined;
}

/** Asks a server. */
export function ask({ port }: { readonly port: number }, asked: TestRequest): Promise<TestAnswer> {
  const { path, method = 'GET', headers = {}, body } = asked;
  const text = body instanceof Buffer || body === undefined ? body : Buffer.from(JSON.stringify(body));
  const sized =
    text === undefined ? {} : { 'content-type': 'application/json', 'content-length': text.length };
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, method, headers: { ...sized, ...headers }, agent: false },
      (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers,
            json: jsonIn(Buffer.concat(chunks).toString()),
          }),
        );
      },
    );
    sent.on('error', reject);
    sent.end(text);
  });
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
