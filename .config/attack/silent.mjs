// Peers that never answer: the kit gives up in time, and ends when it is told to.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { start } from './kit.mjs';

/** The longest time from TERM to the end of the command (ms). */
const mostEnd = 3000;

/** A server that takes connections and never answers. */
async function deaf() {
  const sockets = new Set();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const close = () => {
    for (const socket of sockets) socket.destroy();
    server.close();
  };
  return { port, close };
}

/** Starts a command next to a deaf server, and ends it by TERM after a while, when it has not ended by itself. */
const beside = (name, args, codes, files = (_port) => ({})) => ({
  name,
  tries: 1,
  async attack() {
    const { port, close } = await deaf();
    const folder = mkdtempSync(join(tmpdir(), 'wireproof-attack-'));
    for (const [file, text] of Object.entries(files(port))) writeFileSync(join(folder, file), text);
    const kit = start(args(port), { limit: 90, cwd: folder });
    const over = await Promise.race([kit.ended.then(() => true), sleep(60_000).then(() => false)]);
    const began = performance.now();
    const ended = await (over ? kit.ended : kit.stop());
    const took = performance.now() - began;
    close();
    rmSync(folder, { recursive: true });
    const wrong = codes.includes(ended.code) ? [] : [`exit ${ended.code}`];
    if (!over && took > mostEnd) wrong.push(`TERM took ${Math.round(took)} ms`);
    return { ...ended, wrong };
  },
});

const feed = (port) => ({
  'manifest.yaml': JSON.stringify({
    context_feeds: [
      {
        id: 'far',
        type: 'on_demand',
        source: { type: 'remote', name: 'load', url: `http://127.0.0.1:${port}` },
      },
    ],
  }),
  'run.yaml': JSON.stringify({ iterations: [['<response>$far</response>']] }),
});

/** The rows of the attack table. */
export const silent = [
  beside(
    'llm/server: never answers',
    (port) => [
      'check',
      'llm/server',
      '--drive',
      'openai-chat',
      '--connect',
      `127.0.0.1:${port}`,
      '--timeout',
      'step=2s',
      '--trace',
      'off',
    ],
    [1, 3, 4],
  ),
  beside(
    'fold/gateway: never answers',
    (port) => ['check', 'fold/gateway', '--connect', `127.0.0.1:${port}`, '--trace', 'off'],
    [1, 3, 4],
  ),
  beside(
    'koda/engine: never answers',
    (port) => ['check', 'koda/engine', '--connect', `ws://127.0.0.1:${port}/`, '--trace', 'off'],
    [1, 3, 4],
  ),
  beside(
    'simulate sep/executor: a remote feed that never answers',
    () => [
      'simulate',
      'sep/executor',
      '--manifest',
      'manifest.yaml',
      '--script',
      'run.yaml',
      '--extension',
      'distributed_feeds',
      '--json',
    ],
    [0, 1],
    feed,
  ),
  beside(
    'simulate fold/agent --llm: a model that never answers',
    (port) => [
      'simulate',
      'fold/agent',
      '--llm',
      `http://127.0.0.1:${port}`,
      '--dialect',
      'ollama',
      '--model',
      'm',
      '--connect',
      `127.0.0.1:${port}`,
    ],
    [0, 1, 3, 130],
  ),
];
