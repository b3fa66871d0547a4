// A hostile client of a simulated server. Usage: raw-client.mjs PORT KIND TRIES; prints the statuses of its requests, if any.
import { randomBytes } from 'node:crypto';
import { createConnection } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { toonFrame } from './ask.mjs';

const [port, kind, tries] = process.argv.slice(2);
const statuses = {};

/** Opens a connection, writes pieces, and breaks it. @returns what came back */
function connection(pieces, { hold = 20, keep = false } = {}) {
  return new Promise((done) => {
    const socket = createConnection({ port: Number(port), host: '127.0.0.1' });
    let text = '';
    socket.on('data', (bytes) => (text += bytes.toString('latin1')));
    socket.on('error', () => {});
    socket.on('close', () => done(text));
    socket.on('connect', async () => {
      for (const piece of pieces) {
        socket.write(piece);
        await sleep(1);
      }
      if (keep) return void setTimeout(() => socket.destroy(), hold);
      await sleep(hold);
      socket.resetAndDestroy();
    });
  });
}

const preface = 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n';
const frame = (type, flags, stream, payload) => {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head[3] = type;
  head[4] = flags;
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
};
const settings = frame(4, 0, 0, Buffer.alloc(0));
const brokenHttp2 = [
  // The connection breaks in the middle of a DATA frame of no stream, of HEADERS, of SETTINGS, of the preface.
  () => [preface, settings, frame(0, 0, 1, Buffer.alloc(200)).subarray(0, 40)],
  () => [preface, settings, frame(1, 4, 1, randomBytes(60)).subarray(0, 30)],
  () => [preface, frame(4, 0, 0, Buffer.alloc(5))],
  () => [preface.slice(0, 12)],
  () => [preface, settings, frame(1, 4, 1, randomBytes(64))],
  () => [preface, settings, frame(8, 0, 0, Buffer.from([0, 0, 0, 0]))],
  () => [preface, settings, frame(9, 0, 3, randomBytes(1000))],
  () => [randomBytes(500)],
];

const upgrade = (path) =>
  `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: Upgrade\r\nupgrade: websocket\r\nsec-websocket-version: 13\r\nsec-websocket-key: ${randomBytes(16).toString('base64')}\r\n\r\n`;
const brokenWebSocket = [
  () => [upgrade('/'), randomBytes(200)],
  // A reserved opcode, an unmasked frame, a length of 2^63, a control frame of 200 bytes.
  () => [upgrade('/'), Buffer.from([0x83, 0x80, 0, 0, 0, 0])],
  () => [upgrade('/'), Buffer.from([0x82, 0x05, 1, 2, 3, 4, 5])],
  () => [upgrade('/'), Buffer.from([0x82, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0, 0, 0, 0])],
  () => [upgrade('/'), Buffer.from([0x89, 0xfe, 0, 200, 0, 0, 0, 0])],
  () => [upgrade('/').slice(0, 40)],
];

const deepApi = (depth) => {
  const body = `{"sender":"me","content":${'['.repeat(depth)}`;
  return `POST /api/send HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`;
};

const kinds = {
  http2: (i) => connection(brokenHttp2[i % brokenHttp2.length]()),
  websocket: (i) => connection(brokenWebSocket[i % brokenWebSocket.length]()),
  deep: async () => {
    const status =
      /^HTTP\/1\.1 (\d+)/.exec(await connection([deepApi(100_000)], { hold: 2000, keep: true }))?.[1] ?? 0;
    statuses[status] = (statuses[status] ?? 0) + 1;
  },
  payload: (i) => connection([toonFrame(1, i, '['.repeat(6000))]),
  garbage: () => connection([randomBytes(2000)]),
  idle: () => connection([], { hold: 5000, keep: true }),
};

/** How many connections are open at a time: the idle ones all. */
const together = kind === 'idle' ? Number(tries) : 40;
for (let i = 0; i < Number(tries); i += together)
  await Promise.all(
    Array.from({ length: Math.min(together, Number(tries) - i) }, (_, n) => kinds[kind](i + n)),
  );
process.stdout.write(`${JSON.stringify(statuses)}\n`);
