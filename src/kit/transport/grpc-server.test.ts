/** The gRPC server keeps no socket of a client that is gone, however the connection broke. */
import { connect } from 'node:net';
import { expect, it } from 'vitest';
import { ignoredEvents } from '../world/index.ts';
import { dialGrpc } from './grpc-client.ts';
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

it('reports a RST_STREAM of the client as a break, and its half-close as a half-close', async () => {
  const came: string[] = [];
  const method = '/a.B/C';
  const server = await serveGrpc({
    ...{ host: '127.0.0.1', port: 0, methods: [method], maxReceive: 1 << 20 },
    accept(link) {
      link.headers({});
      return {
        ...ignoredEvents,
        message: () => void came.push('message'),
        halfClose() {
          came.push('half-close');
          link.close({ code: 0, message: '' });
        },
        ended: (status) => void came.push(status === undefined ? 'break' : 'status'),
      };
    },
  });
  const dial = dialGrpc({ address: `127.0.0.1:${server.port}`, method, maxReceive: 1 << 20 });
  for (const how of ['close', 'halfClose'] as const) {
    const link = dial({ metadata: {} }, ignoredEvents);
    link.send(Buffer.from('x'));
    await expect.poll(() => came.at(-1), { timeout: 20_000 }).toBe('message');
    link[how]({ code: 1, message: 'gone' });
    const last = how === 'close' ? 'break' : 'half-close';
    await expect.poll(() => came.at(-1), { timeout: 20_000 }).toBe(last);
  }
  expect(came).toEqual(['message', 'break', 'message', 'half-close']);
  server.close();
});
