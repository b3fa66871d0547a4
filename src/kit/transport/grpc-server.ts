/**
 * Serves gRPC streams of raw bytes: protobuf stays in the codecs. Every stream becomes a {@link Link}; what is
 * sent on it and what it hears is bytes.
 */
import { Metadata as GrpcMetadata, Server, ServerCredentials } from '@grpc/grpc-js';
import type { ServerDuplexStream, StatusObject } from '@grpc/grpc-js';
import { WireproofError } from '../base/index.ts';
import type { Metadata, Status } from '../base/index.ts';
import type { Accept, Link } from '../world/index.ts';

type Call = ServerDuplexStream<Buffer, Buffer>;

/** How a server is set up. */
export interface GrpcServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Full method paths, such as `/coven.CovenControl/AgentStream`; all are bidirectional streams. */
  readonly methods: readonly string[];
  readonly accept: Accept;
  /** Largest message taken (bytes). */
  readonly maxReceive: number;
  /** The connection's name by the client's `host:port`; absent: that address. */
  readonly connOf?: (peer: string) => string;
}

/** A listening server. */
export interface GrpcServer {
  readonly port: number;
  /** Ends everything at once. */
  close(): void;
}

const identity = (bytes: Buffer): Buffer => bytes;

/** gRPC metadata as the kit has it: first values, binary ones left out. */
export function plainMetadata(metadata: GrpcMetadata): Metadata {
  const entries = Object.entries(metadata.getMap()).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(entries) as Metadata;
}

/** The kit's metadata as gRPC has it. */
export function grpcMetadata(metadata: Metadata): GrpcMetadata {
  const made = new GrpcMetadata();
  for (const [key, value] of Object.entries(metadata)) made.set(key, value);
  return made;
}

/**
 * Listens.
 *
 * @throws WireproofError 'environment' when the address cannot be had
 */
export async function serveGrpc(options: GrpcServerOptions): Promise<GrpcServer> {
  const server = new Server({
    'grpc.max_receive_message_length': options.maxReceive,
    'grpc.max_send_message_length': -1,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc-node.flow_control_window': 1 << 20,
  });
  let streams = 0;
  const handle = (method: string) => (call: Call) => {
    const stream = `s${++streams}`;
    attach(call, stream, method, options);
  };
  for (const method of options.methods) server.register(method, handle(method), identity, identity, 'bidi');
  const address = `${options.host}:${options.port}`;
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else
        reject(
          new WireproofError('environment', `cannot listen on ${address}: ${error.message}`, {
            cause: error,
          }),
        );
    });
  });
  return { port, close: () => server.forceShutdown() };
}

function attach(call: Call, stream: string, method: string, options: GrpcServerOptions): void {
  const conn = options.connOf?.(call.getPeer()) ?? call.getPeer();
  let over = false;
  const link: Link = {
    conn,
    stream,
    headers: (metadata) => call.sendMetadata(grpcMetadata(metadata)),
    send: (bytes) => over || call.write(bytes as Buffer),
    halfClose: () => {},
    close(status, metadata) {
      if (over) return;
      over = true;
      finish(call, status, metadata);
    },
    pause: () => void call.pause(),
    resume: () => void call.resume(),
  };
  const metadata = { ':path': method, ...plainMetadata(call.metadata) };
  const events = options.accept(link, metadata);
  call.on('data', (bytes: Buffer) => events.message(bytes));
  call.on('drain', () => events.drained());
  call.on('end', () => {
    if (!over) events.halfClose();
  });
  const gone = (status?: Status): void => {
    if (over) return;
    over = true;
    events.ended(status);
  };
  call.on('cancelled', () => gone());
  call.on('error', (error: Error & Partial<StatusObject>) => {
    gone(
      error.code === undefined ? undefined : { code: error.code, message: error.details ?? error.message },
    );
  });
}

function finish(call: Call, status: Status, metadata: Metadata | undefined): void {
  if (status.code === 0) {
    call.end(metadata === undefined ? undefined : grpcMetadata(metadata));
    return;
  }
  const error = Object.assign(new Error(status.message), { code: status.code, details: status.message });
  call.emit(
    'error',
    metadata === undefined ? error : Object.assign(error, { metadata: grpcMetadata(metadata) }),
  );
}
