// Attacks on the servers of a simulated provider, of its recorder and of its replay, with an honest client beside.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from './ask.mjs';
import { start } from './kit.mjs';

/** The time in which an honest request is answered beside an attack (ms, 99th percentile). */
const mostWait = 500;

/** A provider that answers at once; on /endless its answer has no end. */
async function provider() {
  const piece = Buffer.alloc(1 << 16, 'x');
  const server = createServer((request, response) => {
    request.resume();
    if (request.url !== '/endless') return void request.on('end', () => response.end('{}'));
    const more = () => {
      while (!response.destroyed && response.write(piece));
    };
    response.on('drain', more);
    more();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { url: `http://127.0.0.1:${port}`, close: () => server.closeAllConnections() };
}

/** A raw connection that writes a text. It reads nothing until `answer` is asked. */
function raw(port, text) {
  const socket = connect(Number(port), '127.0.0.1').pause();
  socket.on('error', () => {});
  socket.write(text);
  const answer = (within = 10_000) =>
    new Promise((done) => {
      let came = '';
      const end = () => done(came);
      socket.on('data', (bytes) => {
        if (came.length < 1000) came += bytes.toString('latin1').slice(0, 1000);
      });
      socket.on('close', end);
      setTimeout(end, within).unref();
      socket.resume();
    });
  return { socket, answer };
}

/** Waits until a socket takes more, or is gone. */
const roomOn = (socket) =>
  new Promise((/** @type {(value?: unknown) => void} */ done) => {
    const end = () => {
      socket.off('drain', end).off('close', end);
      done();
    };
    socket.on('drain', end).on('close', end);
  });

/** The first status of a raw answer; 0: the connection was closed without one. */
const statusOf = async (port, text) => {
  const { socket, answer } = raw(port, text);
  const came = await answer();
  socket.destroy();
  return Number(/^HTTP\/1\.1 (\d+)/.exec(came)?.[1] ?? 0);
};

const honestly = (port) => ask(port, { size: 10 });

/**
 * A row: `args` of `simulate llm`, of a folder and a provider; `attack` gets the port. It returns what is wrong. Beside it,
 * an honest client asks all the time.
 */
const row = (name, tries, args, attack, honest = honestly) => ({
  name,
  tries,
  async attack() {
    const folder = mkdtempSync(join(tmpdir(), 'wireproof-attack-'));
    const real = await provider();
    const given = args(folder, real.url);
    const kit = start(['simulate', 'llm', '--listen', '127.0.0.1:0', '--quiet', ...given], { limit: 100 });
    const [, port] = await kit.line(/127\.0\.0\.1:(\d+)/);
    const state = { over: false };
    const attacking = attack(port).finally(() => (state.over = true));
    const waits = [];
    while (!state.over) {
      const { status, ms } = await honest(port);
      waits.push(status === 200 ? ms : Infinity);
      await sleep(20);
    }
    const wrong = await attacking;
    const wait = waits.toSorted((a, b) => a - b)[Math.floor(waits.length * 0.99)] ?? 0;
    if (wait > mostWait) wrong.push(`an honest request took ${Math.round(wait)} ms`);
    const ended = await kit.stop();
    if (ended.code !== 0) wrong.push(`exit ${ended.code}`);
    real.close();
    rmSync(folder, { recursive: true });
    return { ...ended, wait, wrong };
  },
});

const scripted = () => [];
const recorder = (folder, url) => ['--record-from', url, '--script-out', join(folder, 'session.json')];

/** A replay with one exchange, which the honest client asks for. */
const replay = (folder) => {
  const file = join(folder, 'session.json');
  const request = { model: 'm', messages: [{ role: 'user', content: 'x'.repeat(10) }] };
  const exchange = {
    method: 'POST',
    path: '/v1/chat/completions',
    request,
    status: 200,
    headers: {},
    body: '{}',
  };
  writeFileSync(file, JSON.stringify({ wireproof: 'recording/1', exchanges: [exchange] }));
  return ['--replay', file];
};

/** The unexpected among statuses. */
const others = (statuses, allowed) =>
  [...new Set(statuses)].filter((status) => !allowed.includes(status)).map((status) => `status ${status}`);

async function neverReads(port) {
  const text = 'GET /endless HTTP/1.1\r\nhost: localhost\r\n\r\n';
  const sockets = Array.from({ length: 5 }, () => raw(port, text).socket);
  await sleep(15_000);
  for (const socket of sockets) socket.destroy();
  return [];
}

async function stalled(port) {
  const head = 'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n';
  const texts = ['', head, `${head}content-length: 1000\r\n\r\n{`];
  const sockets = [];
  for (let i = 0; i < 5000; i++) {
    sockets.push(raw(port, texts[i % 3]).socket);
    if (i % 100 === 0) await sleep(20);
  }
  await sleep(5000);
  for (const socket of sockets) socket.destroy();
  return [];
}

/** Bodies in chunks of one byte. */
async function drip(port) {
  const head = 'POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: chunked\r\n\r\n';
  const bytes = Buffer.from('1\r\nx\r\n'.repeat(5000));
  const one = async () => {
    const { socket } = raw(port, head);
    for (let i = 0; i < 200 && !socket.destroyed; i++) if (!socket.write(bytes)) await roomOn(socket);
    socket.destroy();
  };
  await Promise.all([one(), one(), one()]);
  return [];
}

async function largeBodies(port) {
  const head = 'POST /v1/messages HTTP/1.1\r\nhost: localhost\r\ncontent-length: 700000000\r\n\r\n';
  const piece = Buffer.alloc(1 << 20, 'x');
  const one = async () => {
    const { socket, answer } = raw(port, head);
    const came = answer();
    for (let i = 0; i < 700 && !socket.destroyed; i++) if (!socket.write(piece)) await roomOn(socket);
    socket.destroy();
    return Number(/^HTTP\/1\.1 (\d+)/.exec(await came)?.[1] ?? 0);
  };
  const statuses = await Promise.all(Array.from({ length: 4 }, one));
  return others(statuses, [413, 503, 0]);
}

async function embeddings(port) {
  const body = JSON.stringify({ model: 'e', input: Array(20_000).fill('x') });
  const statuses = [];
  for (let i = 0; i < 100; i++) statuses.push((await ask(port, { path: '/v1/embeddings', body })).status);
  // The most that is answered, to clients that do not read.
  const most = JSON.stringify({ model: 'e', input: Array(2048).fill('x'), dimensions: 3072 });
  const text = `POST /v1/embeddings HTTP/1.1\r\nhost: localhost\r\ncontent-length: ${most.length}\r\n\r\n${most}`;
  const sockets = Array.from({ length: 20 }, () => raw(port, text).socket);
  await sleep(5000);
  for (const socket of sockets) socket.destroy();
  return others(statuses, [400]);
}

const lines = [
  'OPTIONS * HTTP/1.1',
  'GET http://localhost/x HTTP/1.1',
  'GET http://localhost HTTP/1.1',
  'GET a://x/ HTTP/1.1',
  'GET //x HTTP/1.1',
  'GET /%ff%00 HTTP/1.1',
  'CONNECT a:1 HTTP/1.1',
  'TRACE / HTTP/1.1',
  'HEAD /v1/chat/completions HTTP/1.1',
  'GET / HTTP/9.9',
  'nonsense',
];

const hostileLines = async (port) => {
  const statuses = [];
  for (let i = 0; i < 300; i++)
    statuses.push(
      await statusOf(port, `${lines[i % lines.length]}\r\nhost: localhost\r\nconnection: close\r\n\r\n`),
    );
  return others(statuses, [200, 400, 0]);
};

const foreignHost = async (port) => {
  const statuses = [];
  for (let i = 0; i < 300; i++)
    statuses.push((await ask(port, { size: 10, headers: { host: `evil${i}.example` } })).status);
  return others(statuses, [403]);
};

export const serverAttacks = [
  row('recorder: endless answers that nobody reads', 5, recorder, neverReads),
  row('recorder: stalled connections', 5000, recorder, stalled),
  row('recorder: a drip', 3, recorder, drip),
  row('recorder: bodies of 700 MB', 4, recorder, largeBodies),
  row('recorder: hostile request lines', 300, recorder, hostileLines),
  row('replay: hostile request lines', 300, replay, hostileLines),
  row('simulate llm: embeddings of 20,000 inputs', 120, scripted, embeddings),
  row('simulate llm: a drip', 3, scripted, drip),
  row('simulate llm: stalled connections', 5000, scripted, stalled),
  row('simulate llm: foreign Host', 300, scripted, foreignHost),
];
