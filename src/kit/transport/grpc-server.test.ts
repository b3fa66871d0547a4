/** The gRPC server keeps no socket of a client that is gone, however the connection broke. */
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { ignoredEvents } from '../world/index.ts';
import { serveGrpc } from './grpc-server.ts';

const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
/** Frames of RFC 9113, section 4.1: length, type, flags, stream, and less of the payload than the length says. */
const settings = Buffer.from([0, 0, 0, 4, 0, 0, 0, 0, 0]);
const halfFrames = {
  'a preface': preface.subarray(0, 10),
  'the head of a frame': Buffer.concat([preface, settings, Buffer.from([0, 0])]),
  'a HEADERS frame': Buffer.concat([preface, settings, Buffer.from([0, 0, 100, 1, 4, 0, 0, 0, 1, 0x82])]),
  'a DATA frame': Buffer.concat([preface, settings, Buffer.from([0, 0, 50, 0, 0, 0, 0, 0, 1, 1, 2])]),
};

const sockets = (): number =>
  process.getActiveResourcesInfo().filter((name) => name === 'TCPSocketWrap').length;

/** Connects, sends bytes, and breaks the connection. */
const broken = (port: number, bytes: Buffer): Promise<void> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(bytes);
      setTimeout(() => socket.destroy(), 20);
    });
    socket.on('error', () => {});
    socket.once('close', () => resolve());
    socket.resume();
  });

it.each(Object.entries(halfFrames))(
  'forgets connections that break in the middle of %s',
  async (_, bytes) => {
    const before = sockets();
    const server = await serveGrpc({
      ...{ host: '127.0.0.1', port: 0, methods: ['/a.B/C'], maxReceive: 1 << 20, idle: 300 },
      accept() {
        throw new Error('no stream was opened');
      },
    });
    await Promise.all(Array.from({ length: 20 }, () => broken(server.port, bytes)));
    await expect.poll(sockets, { timeout: 5000 }).toBe(before);
    server.close();
  },
);

/** A frame on stream 1. */
function frame(type: number, flags: number, payload: Buffer): Buffer {
  const head = Buffer.from([0, 0, payload.length, type, flags, 0, 0, 0, 1]);
  return Buffer.concat([head, payload]);
}

/** A header field of RFC 7541, section 6.2.2: a literal that enters no table. */
const field = (name: string, value: string): Buffer =>
  Buffer.concat([
    Buffer.from([0, name.length]),
    Buffer.from(name),
    Buffer.from([value.length]),
    Buffer.from(value),
  ]);

const call = Buffer.concat([
  preface,
  settings,
  frame(
    1,
    4,
    Buffer.concat([
      field(':method', 'POST'),
      field(':scheme', 'http'),
      field(':path', '/a.B/C'),
      field(':authority', 'localhost'),
      field('content-type', 'application/grpc'),
      field('te', 'trailers'),
    ]),
  ),
  frame(0, 0, Buffer.from([0, 0, 0, 0, 1, 120])),
]);

// A client of Node.js half-closes before its RST_STREAM; one of Go sends the frame alone.
it.each([
  ['a RST_STREAM', frame(3, 0, Buffer.from([0, 0, 0, 8])), ['message', 'break']],
  ['a half-close', frame(0, 1, Buffer.alloc(0)), ['message', 'half-close']],
])('reports %s of a client as what it is', async (_, last, expected) => {
  const came: string[] = [];
  const server = await serveGrpc({
    ...{ host: '127.0.0.1', port: 0, methods: ['/a.B/C'], maxReceive: 1 << 20 },
    accept(link) {
      link.headers({});
      return {
        ...ignoredEvents,
        message: () => void came.push('message'),
        halfClose: () => void came.push('half-close'),
        ended: (status) => void came.push(status === undefined ? 'break' : 'status'),
      };
    },
  });
  const socket = connect(server.port, '127.0.0.1', () => socket.write(call));
  socket.on('error', () => {}).resume();
  await expect.poll(() => came, { timeout: 20_000 }).toEqual(['message']);
  socket.write(last);
  await expect.poll(() => came, { timeout: 20_000 }).toEqual(expected);
  socket.destroy();
  server.close();
});
