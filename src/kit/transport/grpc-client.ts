/** Dials gRPC streams of raw bytes, a connection each. */
import type { StatusObject } from '@grpc/grpc-js';
import type { Dial, Link } from '../world/index.ts';
import { grpcMetadata, plainMetadata } from './grpc-server.ts';
import { grpcPackage } from './packages.ts';

/** Where and how to dial. */
export interface GrpcClientOptions {
  /** host:port */
  readonly address: string;
  /** Full method path, where the metadata of a stream has no `:path`. */
  readonly method: string;
  readonly maxReceive: number;
  /** Numbers for the names of connections and streams; default from 1. */
  readonly next?: () => number;
}

/** Counts from 1. */
function counter(): () => number {
  let n = 0;
  return () => ++n;
}

const identity = (bytes: Buffer): Buffer => bytes;

/** A way to open streams to a gRPC server. */
export function dialGrpc({ address, method, maxReceive, next = counter() }: GrpcClientOptions): Dial {
  const { Client, credentials } = grpcPackage();
  return (options, events) => {
    const { ':path': path = method, ...metadata } = options.metadata;
    const client = new Client(address, credentials.createInsecure(), {
      'grpc.use_local_subchannel_pool': 1,
      'grpc.max_receive_message_length': maxReceive,
      ...(options.keepalive === undefined
        ? {}
        : { 'grpc.keepalive_time_ms': options.keepalive, 'grpc.keepalive_permit_without_calls': 1 }),
    });
    const call = client.makeBidiStreamRequest(path, identity, identity, grpcMetadata(metadata));
    const n = String(next());
    let over = false;
    call.on('metadata', (metadata) => events.headers(plainMetadata(metadata)));
    call.on('data', (bytes: Buffer) => events.message(bytes));
    call.on('drain', () => events.drained());
    call.on('error', () => {}); // the status says it
    call.on('status', (status: StatusObject) => {
      client.close();
      if (over) return;
      over = true;
      events.ended({ code: status.code, message: status.details });
    });
    const link: Link = {
      conn: `c${n}`,
      stream: `s${n}`,
      headers: () => {},
      send: (bytes) => over || call.write(bytes as Buffer),
      halfClose: () => void call.end(),
      close() {
        over = true;
        call.cancel();
      },
      pause: () => void call.pause(),
      resume: () => void call.resume(),
    };
    return link;
  };
}
