/**
 * The reference gateway on real sockets: agents, packs and client programs over gRPC, operators over HTTP, and
 * whoever started it by calls in the same process. Health and reflection answer on the gRPC port, so that grpcurl
 * and the like can look at it.
 */
import { createHash, randomUUID, timingSafeEqual } from 'node:crypto';
import { Host, realClock } from '../../kit/world/index.ts';
import type { Accept, Link, LinkEvents, WireEvent } from '../../kit/world/index.ts';
import { serveGrpc } from '../../kit/transport/index.ts';
import type { GrpcServer } from '../../kit/transport/index.ts';
import { gateway } from '../gateway/gateway.ts';
import type { GatewayCommand, GatewayOptions, GatewayState } from '../gateway/gateway.ts';
import { gatewayCodecs, ledgerEffects } from '../gateway/host.ts';
import { fileDescriptors } from '../generated/descriptors.ts';
import { memoryLedger } from '../gateway/ledger.ts';
import type { Ledger } from '../gateway/ledger.ts';
import { operatorCallCodec, operatorPath, operatorReplyCodec } from '../operator.ts';
import type { OperatorReply, OperatorRequest } from '../operator.ts';
import { agentPaths, packRegisterPath, packResultPath } from '../stream-codecs.ts';
import type { GatewayIn, GatewayOut } from '../stream-codecs.ts';
import type { Status } from '../../kit/base/index.ts';
import { clientServiceAccept } from './client-service/service.ts';
import { clientServicePaths } from './client-service/protobuf.ts';
import { healthAccept } from './health.ts';
import type { HealthAccept } from './health.ts';
import { serveHttpFace } from './http/face.ts';
import type { HttpFace } from './http/face.ts';
import { gatewayPaths, reflectionAccept } from './reflection.ts';

/** How a gateway is served. */
export interface GatewayServerOptions {
  /** Where gRPC listens; loopback unless told. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  /** The operator's face; absent: none. */
  readonly http?: { readonly host?: string; readonly port: number; readonly token?: string };
  /** More paths under which agents may come. */
  readonly paths?: readonly string[];
  readonly gateway?: Partial<GatewayOptions>;
  /** Default: in memory. The server closes it. */
  readonly ledger?: Ledger;
  /** Largest message taken (bytes); default 4 MiB. */
  readonly maxReceive?: number;
  /** Hears everything that crosses. */
  readonly tap?: (event: WireEvent) => void;
  /** Hears what the gateway has to say of itself. */
  readonly told?: (what: string, detail: string) => void;
}

/** A gateway that is served. */
export interface GatewayServer {
  readonly port: number;
  /** 0: there is no face. */
  readonly httpPort: number;
  /** Makes an operator's call; `end` is heard once. @returns a function that leaves the call */
  ask(
    request: OperatorRequest,
    on: { reply(reply: OperatorReply): void; end(status: Status): void },
  ): () => void;
  /** Stops in an orderly way: agents are told, requests may end, then `stopped` is told and everything closes. */
  shutdown(reason: string): void;
  /** Resolves when it has stopped. */
  readonly stopped: Promise<void>;
  /** Ends everything at once. */
  close(): void;
}

const defaultMaxReceive = 4 << 20;
/** An agent may be silent as long as it likes; whether it is there at all is asked this often (ms). */
const keepalive = 60_000;
/** What is still on its way to agents and operators when all has been said is given this long (ms). */
const parting = 100;

/**
 * Serves the reference gateway.
 *
 * @throws WireproofError 'environment' when a port cannot be had
 *
 * @example
 * ```ts no-run: listens on ports
 * const server = await serveGateway({ port: 50051, http: { port: 50080 } });
 * server.close();
 * ```
 */
export async function serveGateway(options: GatewayServerOptions): Promise<GatewayServer> {
  const { host = '127.0.0.1', ledger = memoryLedger(), tap, told } = options;
  let over: () => void = () => {};
  const stopped = new Promise<void>((resolve) => (over = resolve));
  const { receives, sends } = gatewayCodecs({});
  const running = new Host<GatewayState, GatewayIn, GatewayOut, GatewayCommand>({
    role: gateway({
      uuid: randomUUID,
      epoch: Date.now(),
      ...options.gateway,
    }),
    clock: realClock(),
    receives,
    sends,
    wireOf: gatewayCodecs,
    effect: ledgerEffects(ledger),
    report: (what, detail) => {
      told?.(what, detail);
      if (what === 'stopped') setTimeout(close, parting);
    },
    ...(tap === undefined ? {} : { tap }),
  });
  const accept = inFront(running.accept, loopback.has(host) ? undefined : (options.http?.token ?? ''));
  const grpc = await serveGrpc({
    host,
    port: options.port,
    maxReceive: options.maxReceive ?? defaultMaxReceive,
    keepalive,
    methods: [...new Set([...methods, ...(options.paths ?? [])])],
    accept,
  });
  const http = await faceOf(options, running.accept, grpc);
  let closed = false;
  const close = (): void => {
    if (closed) return;
    closed = true;
    void http?.close();
    running.stop();
    grpc.close();
    ledger.close();
    over();
  };
  let calls = 0;
  return {
    port: grpc.port,
    httpPort: http?.port ?? 0,
    ask: (request, on) => ask(running.accept, `t${++calls}`, request, on),
    shutdown(reason) {
      accept.setServing(false);
      running.command({ do: 'shutdown', reason });
    },
    stopped,
    close,
  };
}

const methods: readonly string[] = [
  ...agentPaths,
  packRegisterPath,
  packResultPath,
  ...clientServicePaths,
  ...gatewayPaths,
];
const services = ['coven.CovenControl', 'coven.PackService', 'coven.ClientService', 'fold.FoldControl'];

/** Where no token is asked for: nobody else can come. */
const loopback: ReadonlySet<string> = new Set(['127.0.0.1', '::1', 'localhost']);
const unauthenticated = 16;

/** What answers before the gateway does: health, reflection, and client programs, who show a token where one is due. */
function inFront(accept: Accept, token: string | undefined): HealthAccept {
  const clients = clientServiceAccept(accept);
  const checked: Accept = (link, metadata) => {
    const operates = metadata[':path']?.startsWith('/coven.ClientService/') === true;
    if (!operates) return accept(link, metadata);
    if (token === undefined || (token !== '' && same(metadata['authorization'] ?? '', `Bearer ${token}`)))
      return clients(link, metadata);
    link.close({ code: unauthenticated, message: 'ClientService wants the token of the HTTP face here' });
    return deaf;
  };
  const known = { descriptor: fileDescriptors, services };
  return healthAccept(reflectionAccept(checked, known), services);
}

const deaf: LinkEvents = {
  headers() {},
  message() {},
  halfClose() {},
  ended() {},
  drained() {},
  ping() {},
};

/** Whether two texts are equal, in a time that does not say where they differ. */
function same(a: string, b: string): boolean {
  const [x, y] = [a, b].map((text) => createHash('sha256').update(text).digest());
  return x !== undefined && y !== undefined && timingSafeEqual(x, y);
}

async function faceOf(
  { host = '127.0.0.1', http }: GatewayServerOptions,
  accept: Accept,
  grpc: GrpcServer,
): Promise<HttpFace | undefined> {
  if (http === undefined) return undefined;
  try {
    return await serveHttpFace({ host, ...http, accept });
  } catch (error) {
    grpc.close();
    throw error;
  }
}

/** One call of whoever started the gateway, on a link within the process. */
function ask(
  accept: Accept,
  stream: string,
  request: OperatorRequest,
  on: { reply(reply: OperatorReply): void; end(status: Status): void },
): () => void {
  let events: LinkEvents | undefined;
  let over = false;
  const link: Link = {
    conn: 'terminal',
    stream,
    headers: () => {},
    send(bytes) {
      const decoded = operatorReplyCodec.decode(bytes);
      if (decoded.ok && !over) on.reply(decoded.value.message);
      return true;
    },
    halfClose: () => {},
    close(status) {
      if (over) return;
      over = true;
      on.end(status);
    },
    pause: () => {},
    resume: () => {},
  };
  events = accept(link, { ':path': operatorPath });
  events.message(operatorCallCodec.encode(request));
  return () => {
    if (over) return;
    over = true;
    events?.ended(undefined);
  };
}
