/** Feeds of another process: `simulate sep/feeds` serves them, and an executor fetches them until the server dies. */
import { describe, expect, it } from 'vitest';
import { realClock } from '../../src/kit/world/index.ts';
import { Iterations } from '../../src/sep/executor/iterations.test-helper.ts';
import { Runner } from '../../src/sep/index.ts';
import { remoteFeeds } from '../../src/sep/edge/index.ts';
import { program, startWireproof, wireproof } from '../run.test-helper.ts';
import type { RunningProgram } from '../run.test-helper.ts';

const env = { FEED_TOKEN: 'k3y-of-feeds' };

const serverManifest = program(
  'feed-server.yaml',
  `context_feeds:
  - id: load
    type: tool
    source: { type: tool, name: top, params: { unit: percent } }
    transform: [{ pick: parameters.unit }, { format: 'load in $value' }]
`,
);

/** A feed server in its own process, and its URL. */
async function served(...more: readonly string[]): Promise<{ server: RunningProgram; url: string }> {
  const args = ['simulate', 'sep/feeds', '--manifest', serverManifest, '--listen', '127.0.0.1:0'];
  const server = startWireproof([...args, '--token-env', 'FEED_TOKEN', ...more], { env });
  const [, url = ''] = await server.prints(/1 feeds on (http:\/\/127\.0\.0\.1:\d+)\/feeds: load/);
  return { server, url };
}

const clientManifest = (name: string, url: string): string =>
  program(
    `${name}.yaml`,
    `context_feeds: [{ id: far, type: on_demand, source: { type: remote, name: load, url: '${url}' } }]\n`,
  );

/** Two iterations, with time between them to kill a server. */
const script = program(
  'two-iterations.yaml',
  `iterations:
  - ['<action type="tool" mode="sync" id="w">{"name":"wait"}</action><response final="false">$far</response>']
  - ['<response>$far</response>']
providers: { wait: [{ after: 3, output: 1 }] }
`,
);

const client = (manifest: string, ...more: readonly string[]): readonly string[] => [
  'simulate',
  'sep/executor',
  '--script',
  script,
  '--manifest',
  manifest,
  ...more,
];

/** The events of a run about feeds. */
const eventsOf = (stdout: string): readonly { readonly [name: string]: unknown }[] =>
  stdout
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { data: { type?: string } }).data)
    .filter(({ type }) => ['context_feed', 'diagnostic', 'response'].includes(type ?? ''));

describe('simulate sep/executor --extension distributed_feeds', () => {
  it('fetches the feeds of a server, and keeps their values as stale when it is killed', async () => {
    const { server, url } = await served('--extension', 'transformations');
    const on = ['--extension', 'distributed_feeds', '--token-env', 'FEED_TOKEN'];
    const running = startWireproof(client(clientManifest('killed', url), ...on), { env });
    await running.prints(/"context_feed"/);
    await server.stop('SIGKILL');
    const { code, stdout } = await running.ended;
    expect(code).toBe(0);
    expect(eventsOf(stdout)).toMatchObject([
      { type: 'context_feed', id: 'far', text: 'load in percent', runtime: true },
      { type: 'response', text: 'load in percent' },
      {
        type: 'diagnostic',
        code: 'feed-failed',
        message: expect.stringMatching(/ECONNREFUSED.*its old value stays, and is stale$/) as string,
      },
      { type: 'response', text: 'load in percent' },
    ]);
    expect(stdout).not.toContain(env.FEED_TOKEN);
  });

  it('fails the feed without the extension, without the token, and of a server whose extension is off', async () => {
    const [changing, plain] = await Promise.all([served('--extension', 'transformations'), served()]);
    const on = ['--extension', 'distributed_feeds'];
    const token = ['--token-env', 'FEED_TOKEN'];
    const reasons = await Promise.all(
      [
        client(clientManifest('off', changing.url), ...token),
        client(clientManifest('no-token', changing.url), ...on),
        client(clientManifest('plain', plain.url), ...on, ...token),
      ].map(async (args) => {
        const running = startWireproof(args, { env });
        const [, reason = ''] = await running.prints(
          /"message":"expected a value of the feed far; it failed: ([^"]*)/,
        );
        return reason;
      }),
    );
    expect(reasons).toMatchObject([
      expect.stringMatching(/^its source is remote, and distributed_feeds are off; it has no value/),
      expect.stringMatching(/status 401/),
      expect.stringMatching(/status 502: it has transform, and transformations are off/),
    ]);
    expect(changing.server.stderr).not.toMatch(/ 200 in /);
  });

  it('refuses a name that is no extension', async () => {
    const { code, stderr } = await wireproof([
      'simulate',
      'sep/feeds',
      '--manifest',
      serverManifest,
      '--extension',
      'x',
    ]);
    expect(code).toBe(2);
    expect(stderr).toContain('--extension x: expected NAME, NAME=on or NAME=off');
  });
});

it('the model sees that a value is stale when its server was killed', async () => {
  const { server, url } = await served('--extension', 'transformations');
  const fetchRemote = remoteFeeds({ token: env.FEED_TOKEN });
  const iterations = new Iterations();
  const runner = new Runner({
    clock: realClock(),
    providers: {},
    feeds: {
      feeds: [
        {
          id: 'far',
          trigger: 'on_demand',
          enabled: true,
          source: { type: 'remote', name: 'load', url, params: {} },
        },
      ],
    },
    sources: (source, { signal }) => fetchRemote(source, signal),
    extensions: { distributed_feeds: true },
    onEvent: () => {},
    onIteration: iterations.onIteration,
  });
  await iterations.next(() => runner.begin());
  await server.stop('SIGKILL');
  await iterations.next(() => runner.endOutput());
  runner.cancel();
  expect(iterations.seen).toEqual([
    '<context_feed id="far">\nload in percent\n</context_feed>',
    '<context_feed id="far" stale="true">\nload in percent\n</context_feed>\n',
  ]);
});
