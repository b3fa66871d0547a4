/** GOAWAY of the gRPC server (RFC 9113, 6.8), as a client of @grpc/grpc-js and a client of plain HTTP/2 see it. */
import { connect, constants } from 'node:http2';
import { expect, it, onTestFinished } from 'vitest';
import type { Metadata, Status } from '../base/index.ts';
import { ignoredEvents } from '../world/index.ts';
import type { Link } from '../world/index.ts';
import { dialGrpc } from './grpc-client.ts';
import { serveGrpc } from './grpc-server.ts';
import type { GrpcServer } from './grpc-server.ts';

const method = '/a.B/C';

/** A busy machine may take seconds. */
const soon = <T>(value: () => T) => expect.poll(value, { timeout: 20_000 });

/** A server that sends back each message, with the connection of each stream. */
async function echo(): Promise<{ server: GrpcServer; conns: string[] }> {
  const conns: string[] = [];
  const server = await serveGrpc({
    ...{ host: '127.0.0.1', port: 0, methods: [method], maxReceive: 1 << 20 },
    accept(link) {
      conns.push(link.conn);
      link.headers({});
      return {
        ...ignoredEvents,
        message: (bytes) => void link.send(bytes),
        halfClose: () => link.close({ code: 0, message: '' }),
      };
    },
  });
  onTestFinished(() => server.close());
  return { server, conns };
}

interface Call {
  readonly link: Link;
  readonly texts: string[];
  readonly ended: Status[];
}

function call({ port }: GrpcServer): Call {
  const texts: string[] = [];
  const ended: Status[] = [];
  const metadata: Metadata = {};
  const link = dialGrpc({ address: `127.0.0.1:${port}`, method, maxReceive: 1 << 20 })(
    { metadata },
    {
      ...ignoredEvents,
      message: (bytes) => void texts.push(Buffer.from(bytes).toString()),
      ended: (status) => void ended.push(status ?? { code: -1, message: '' }),
    },
  );
  link.send(Buffer.from('before'));
  return { link, texts, ended };
}

it('NO_ERROR lets a stream go on until its end, and takes new connections', async () => {
  const { server, conns } = await echo();
  const { link, texts, ended } = call(server);
  await soon(() => texts).toEqual(['before']);
  server.goaway('NO_ERROR');
  link.send(Buffer.from('after'));
  await soon(() => texts).toEqual(['before', 'after']);
  const next = call(server);
  await soon(() => next.texts).toEqual(['before']);
  expect(new Set(conns).size).toBe(2);
  expect(ended).toEqual([]);
  link.halfClose();
  await soon(() => ended).toEqual([{ code: 0, message: 'OK' }]);
  next.link.close({ code: 1, message: '' });
});

it('ENHANCE_YOUR_CALM ends each stream, which grpc-js shows as RESOURCE_EXHAUSTED', async () => {
  const { server } = await echo();
  const { texts, ended } = call(server);
  await soon(() => texts).toEqual(['before']);
  server.goaway('ENHANCE_YOUR_CALM');
  await soon(() => ended.map(({ code }) => code)).toEqual([8]);
  const next = call(server);
  await soon(() => next.texts).toEqual(['before']);
  next.link.close({ code: 1, message: '' });
});

it.each([
  ['NO_ERROR', constants.NGHTTP2_NO_ERROR, ''],
  ['ENHANCE_YOUR_CALM', constants.NGHTTP2_ENHANCE_YOUR_CALM, 'too_many_pings'],
] as const)('%s arrives with its code, the last stream and its data', async (code, number, data) => {
  const { server, conns } = await echo();
  const session = connect(`http://127.0.0.1:${server.port}`);
  onTestFinished(() => session.destroy());
  session.on('error', () => {});
  const came = new Promise((resolve) =>
    session.once('goaway', (...[error, last, bytes]) => resolve([error, last, bytes?.toString() ?? ''])),
  );
  const headers = { ':method': 'POST', ':path': method, 'content-type': 'application/grpc', te: 'trailers' };
  session.request(headers).on('error', () => {});
  await soon(() => conns.length).toBe(1);
  server.goaway(code);
  expect(await came).toEqual([number, 1, data]);
});
