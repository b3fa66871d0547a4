/** Dials gRPC streams of raw bytes, a connection each. */
import type { ChannelOptions, ClientDuplexStream, StatusObject } from '@grpc/grpc-js';
import type { Dial, Link, LinkEvents } from '../world/index.ts';
import { grpcMetadata, plainMetadata } from './grpc-server.ts';
import { grpcPackage } from './packages.ts';
import type { TlsTrust } from './tls.ts';

/** Where and how to dial. */
export interface GrpcClientOptions {
  /** host:port */
  readonly address: string;
  /** The full method path of a stream without `:path` in its metadata. */
  readonly method: string;
  readonly maxReceive: number;
  /** Numbers for the names of connections and streams; default from 1. */
  readonly next?: () => number;
  /** Use TLS; absent: no TLS. */
  readonly tls?: TlsTrust;
  /** The `:authority` of the streams; absent: the host of the address. */
  readonly authority?: string;
}

/** Counts from 1. */
function counter(): () => number {
  let n = 0;
  return () => ++n;
}

/** How long a stream that is half-closed may take to end (ms). */
const lastWords = 1000;

const identity = (bytes: Buffer): Buffer => bytes;

/** A way to open streams to a gRPC server. */
export function dialGrpc(server: GrpcClientOptions): Dial {
  const { address, method, next = counter(), tls } = server;
  const { Client, credentials } = grpcPackage();
  const channel =
    tls === undefined
      ? credentials.createInsecure()
      : credentials.createSsl(tls.ca === undefined ? null : Buffer.from(tls.ca));
  return (options, events) => {
    const { ':path': path = method, ...metadata } = options.metadata;
    const client = new Client(address, channel, channelOptions(server, options));
    const call = client.makeBidiStreamRequest(path, identity, identity, grpcMetadata(metadata));
    return linkOf(call, events, { n: next(), close: () => client.close() });
  };
}

const channelOptions = (
  { maxReceive, authority }: GrpcClientOptions,
  { keepalive }: Parameters<Dial>[0],
): ChannelOptions => ({
  'grpc.use_local_subchannel_pool': 1,
  'grpc.max_receive_message_length': maxReceive,
  ...(authority === undefined ? {} : { 'grpc.default_authority': authority }),
  ...(keepalive === undefined
    ? {}
    : { 'grpc.keepalive_time_ms': keepalive, 'grpc.keepalive_permit_without_calls': 1 }),
});

/** The link of a call. `close` gives its client back when the call has its status. */
function linkOf(
  call: ClientDuplexStream<Buffer, Buffer>,
  events: LinkEvents,
  { n, close }: { readonly n: number; close(): void },
): Link {
  let over = false;
  let halfClosed = false;
  let cancelling: NodeJS.Timeout | undefined;
  call.on('metadata', (metadata) => events.headers(plainMetadata(metadata)));
  call.on('data', (bytes: Buffer) => void (over || events.message(bytes)));
  call.on('drain', () => events.drained());
  call.on('error', () => {}); // the status event follows
  call.on('status', (status: StatusObject) => {
    clearTimeout(cancelling);
    close();
    if (over) return;
    over = true;
    events.ended({ code: status.code, message: status.details });
  });
  return {
    conn: `c${n}`,
    stream: `s${n}`,
    headers: () => {},
    send: (bytes) => over || call.write(bytes as Buffer),
    halfClose() {
      halfClosed = true;
      call.end();
    },
    close() {
      over = true;
      // A cancel drops messages that are not written yet. After a half-close, the server ends the stream.
      if (halfClosed) cancelling ??= setTimeout(() => call.cancel(), lastWords);
      else call.cancel();
    },
    pause: () => void call.pause(),
    resume: () => void call.resume(),
  };
}
