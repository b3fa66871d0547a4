/** The gRPC server keeps no socket of a client that is gone, however the connection broke. */
import { connect } from 'node:net';
import { expect, it } from 'vitest';
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
