/** Both ends of a SEP feed server, over HTTP; see readers.test-helper.ts. */
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { remoteFeeds, serveFeeds } from '../../src/sep/edge/index.ts';
import type { FeedServer } from '../../src/sep/edge/index.ts';
import { holds, worstJson } from './readers.test-helper.ts';

/** The body that the hostile server gives. */
let body = '';
const hostile: Server = createServer((_, response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.end(body);
});
let server: FeedServer | undefined;

beforeAll(async () => {
  await new Promise<void>((resolve) => void hostile.listen(0, '127.0.0.1', resolve));
  server = await serveFeeds({
    feeds: {
      list: () => [{ id: 'load', trigger: 'on_demand' }],
      fetch: (_, params) => Promise.resolve({ value: params, at: 0 }),
    },
  });
});

afterAll(async () => {
  hostile.closeAllConnections();
  hostile.close();
  await server?.close();
});

const fetchRemote = remoteFeeds();

/** Fetches a feed from the hostile server. */
function fetchFrom(answer: string): Promise<unknown> {
  body = answer;
  const { port } = hostile.address() as AddressInfo;
  return fetchRemote({ type: 'remote', name: 'load', url: `http://127.0.0.1:${port}`, params: {} });
}

/** Asks the feed server with a body. */
async function ask(text: string): Promise<unknown> {
  const headers = { 'content-type': 'application/json' };
  return (await fetch(`${server?.url ?? ''}/feeds/load`, { method: 'POST', headers, body: text })).text();
}

/** The largest body of a request is 64 KiB: each input is cut to it, and then is most often no JSON any more. */
const most = 60_000;

describe('feeds', () => {
  it('come when nobody is hostile', async () => {
    expect(await fetchFrom('{"id":"load","at":"2026-01-01T00:00:00.000Z","value":7}')).toMatchObject({
      value: 7,
    });
    expect(JSON.parse(String(await ask('{"params":{"a":7}}')))).toMatchObject({ value: { a: 7 } });
  });
  holds<string>(
    {
      'an answer': fetchFrom,
      'a value': (text) => fetchFrom(`{"id":"load","at":"2026-01-01T00:00:00.000Z","value":${text}}`),
      'a request': (text) => ask(text.slice(0, most)),
      'a request with parameters': (text) => ask(`{"params":{"a":${text.slice(0, most)}}}`),
    },
    worstJson,
  );
});
