/**
 * Serves gRPC streams of raw bytes: protobuf stays in the codecs. Every stream becomes a {@link Link} that carries
 * bytes.
 */
import { createServer } from 'node:net';
import type { Socket } from 'node:net';
import type { Metadata as GrpcMetadata, Server, ServerDuplexStream, StatusObject } from '@grpc/grpc-js';
import { addressText } from '../base/index.ts';
import type { Metadata, Status } from '../base/index.ts';
import type { Accept, GoawayCode, Link, LinkEvents } from '../world/index.ts';
import { sendGoaway } from './goaway.ts';
import { grpcPackage } from './packages.ts';
import { bound, cannotListen } from './tcp.ts';

type Call = ServerDuplexStream<Buffer, Buffer>;

/** How a server is set up. */
export interface GrpcServerOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** Full method paths, such as `/coven.CovenControl/AgentStream`; all are bidirectional streams. */
  readonly methods: readonly string[];
  readonly accept: Accept;
  /** The largest message that is accepted (bytes). */
  readonly maxReceive: number;
  /** Ping a silent connection this often (ms); one that does not answer is closed. Absent: never. */
  readonly keepalive?: number;
  /** Close a connection that has no stream for so long (ms); default 15,000. */
  readonly idle?: number;
  /** The connection's name by the client's `host:port`; absent: that address. */
  readonly connOf?: (peer: string) => string;
  /** Whether the process may end while this server listens; default false. */
  readonly background?: boolean;
}

/** A listening server. */
export interface GrpcServer {
  readonly port: number;
  /** Sends GOAWAY on every open connection. Later connections are accepted. */
  goaway(code: GoawayCode): void;
  /** Ends everything at once. */
  close(): void;
}

/** How long the answer to a keepalive ping may take (ms). */
const keepaliveAnswer = 20_000;

/**
 * A connection without a stream is closed after this time (ms). Node does not notice the end of a connection that breaks in
 * the middle of a DATA frame: such a socket stays until then.
 */
export const idleConnection = 15_000;

const identity = (bytes: Buffer): Buffer => bytes;

/** Converts gRPC metadata to the kit's: the first value of each key, without binary values. */
export function plainMetadata(metadata: GrpcMetadata): Metadata {
  const entries = Object.entries(metadata.getMap()).filter(([, value]) => typeof value === 'string');
  return Object.fromEntries(entries) as Metadata;
}

/** Converts the kit's metadata to gRPC's. */
export function grpcMetadata(metadata: Metadata): GrpcMetadata {
  const made = new (grpcPackage().Metadata)();
  for (const [key, value] of Object.entries(metadata)) made.set(key, value);
  return made;
}

/**
 * Listens.
 *
 * @throws WireproofError 'environment' when the address cannot be bound
 */
export async function serveGrpc(options: GrpcServerOptions): Promise<GrpcServer> {
  const { Server, ServerCredentials } = grpcPackage();
  const server = new Server({
    'grpc.max_receive_message_length': options.maxReceive,
    'grpc.max_send_message_length': -1,
    'grpc.keepalive_permit_without_calls': 1,
    'grpc.max_connection_idle_ms': options.idle ?? idleConnection,
    'grpc-node.flow_control_window': 1 << 20,
    ...(options.keepalive === undefined
      ? {}
      : { 'grpc.keepalive_time_ms': options.keepalive, 'grpc.keepalive_timeout_ms': keepaliveAnswer }),
  });
  let streams = 0;
  const handle = (method: string) => (call: Call) => {
    const stream = `s${++streams}`;
    attach(call, stream, method, options);
  };
  for (const method of options.methods) server.register(method, handle(method), identity, identity, 'bidi');
  const address = addressText(options);
  if (options.background === true) return serveInBackground(server, options);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(address, ServerCredentials.createInsecure(), (error, bound) => {
      if (error === null) resolve(bound);
      else reject(cannotListen(address, error));
    });
  });
  return { port, goaway: (code) => sendGoaway(server, code), close: () => server.forceShutdown() };
}

/** Serves the connections of a socket that does not keep the process alive: grpc-js cannot let go of its own. */
async function serveInBackground(server: Server, { host, port }: GrpcServerOptions): Promise<GrpcServer> {
  const injector = server.createConnectionInjector(grpcPackage().ServerCredentials.createInsecure());
  const sockets = new Set<Socket>();
  const listener = createServer((socket) => {
    socket.unref().setNoDelay(true);
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    injector.injectConnection(socket);
  });
  const at = await bound(listener, host, port);
  listener.unref();
  const close = (): void => {
    listener.close();
    server.forceShutdown();
    for (const socket of sockets) socket.destroy();
  };
  return { port: at, goaway: (code) => sendGoaway(server, code), close };
}

function attach(call: Call, stream: string, method: string, options: GrpcServerOptions): void {
  const link = new ServerLink(call, options.connOf?.(call.getPeer()) ?? call.getPeer(), stream);
  const metadata = { ':path': method, ...plainMetadata(call.metadata) };
  link.hear(options.accept(link, metadata));
}

/** The server's end of a stream. A class, so that ten thousand of them share their functions. */
class ServerLink implements Link {
  readonly conn: string;
  readonly stream: string;
  readonly #call: Call;
  #over = false;

  constructor(call: Call, conn: string, stream: string) {
    this.#call = call;
    this.conn = conn;
    this.stream = stream;
  }

  /** Reports to `events` from now on. */
  hear(events: LinkEvents): void {
    const call = this.#call;
    call.on('data', (bytes: Buffer) => events.message(bytes));
    call.on('drain', () => events.drained());
    // grpc-js reports a RST_STREAM that comes alone as an end, and in the same turn of the event loop as a cancel.
    call.on('end', () => {
      setImmediate(() => {
        if (!this.#over) events.halfClose();
      });
    });
    call.on('cancelled', () => this.#gone(events));
    call.on('error', (error: Error & Partial<StatusObject>) => {
      const { code, details = error.message } = error;
      this.#gone(events, code === undefined ? undefined : { code, message: details });
    });
  }

  #gone(events: LinkEvents, status?: Status): void {
    if (this.#over) return;
    this.#over = true;
    events.ended(status);
  }

  headers(metadata: Metadata): void {
    this.#call.sendMetadata(grpcMetadata(metadata));
  }

  send(bytes: Uint8Array): boolean {
    return this.#over || this.#call.write(bytes as Buffer);
  }

  /** A server has no half-close: it ends a stream with a status. */
  halfClose(): void {}

  close(status: Status, metadata?: Metadata): void {
    if (this.#over) return;
    this.#over = true;
    finish(this.#call, status, metadata);
  }

  pause(): void {
    this.#call.pause();
  }

  resume(): void {
    this.#call.resume();
  }
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
