/**
 * The reference gateway on real sockets: agents, packs and client programs over gRPC, operators over HTTP, and calls
 * from within the process. Health and reflection answer on the gRPC port, so that grpcurl and similar tools work.
 */
import { randomUUID } from 'node:crypto';
import type { Status } from '../../kit/base/index.ts';
import { isLoopback, serveGrpc } from '../../kit/transport/index.ts';
import type { GrpcServer } from '../../kit/transport/index.ts';
import { Host, ignoredEvents, realClock } from '../../kit/world/index.ts';
import type { Accept, GoawayCode, WireEvent } from '../../kit/world/index.ts';
import { gateway } from '../gateway/gateway.ts';
import type { GatewayCommand } from '../gateway/gateway.ts';
import type { GatewayOptions } from '../gateway/options.ts';
import type { GatewayState } from '../gateway/state.ts';
import { ledgerEffects, memoryLedger } from '../gateway/ledger.ts';
import type { Ledger } from '../gateway/ledger.ts';
import { fileDescriptors } from '../generated/descriptors.ts';
import type { OperatorReply, OperatorRequest } from '../operator.ts';
import { controlServices, servicePath } from '../services.ts';
import { agentPaths, gatewayCodecs, packRegisterPath, packResultPath } from '../stream-codecs.ts';
import type { GatewayIn, GatewayOut } from '../stream-codecs.ts';
import { clientServicePaths, clientServicePrefix } from './client-service/methods.ts';
import { clientServiceAccept } from './client-service/service.ts';
import { healthAccept } from './health.ts';
import type { HealthAccept } from './health.ts';
import { serveHttpFace } from './http/face.ts';
import type { HttpFace } from './http/face.ts';
import { sameSecret } from './http/guard.ts';
import { operatorCall } from './operator-call.ts';
import { gatewayPaths, reflectionAccept } from './reflection.ts';

export interface GatewayServerOptions {
  /** The address for gRPC; default 127.0.0.1. */
  readonly host?: string;
  /** 0: any free port. */
  readonly port: number;
  /** The operator's HTTP face; absent: none. */
  readonly http?: {
    readonly host?: string;
    readonly port: number;
    readonly token?: string;
    /** Take any free port where this one is not free; default false. */
    readonly orAnyPort?: boolean;
  };
  /** More paths of agents' streams. */
  readonly paths?: readonly string[];
  readonly gateway?: Partial<GatewayOptions>;
  /** Default: in memory. The server closes it. */
  readonly ledger?: Ledger;
  /** The largest received message (bytes); default 4 MiB. */
  readonly maxReceive?: number;
  /** Whether the process may end while the gateway listens; default false. */
  readonly background?: boolean;
  /** Receives everything that crosses the gateway's streams. */
  readonly tap?: (event: WireEvent) => void;
  /** Receives the gateway's reports about itself. */
  readonly report?: (what: string, detail: string) => void;
}

export interface GatewayServer {
  readonly port: number;
  /** 0 without an HTTP face. */
  readonly httpPort: number;
  /** Makes an operator's call; `end` is called once. @returns a function that leaves the call */
  ask(
    request: OperatorRequest,
    on: { reply(reply: OperatorReply): void; end(status: Status): void },
  ): () => void;
  /** Sends HTTP/2 GOAWAY on every gRPC connection. The gateway goes on, and accepts new connections. */
  goaway(code: GoawayCode): void;
  /** Shuts down: agents are told, requests may end, `stopped` is reported, and everything closes. */
  shutdown(reason: string): void;
  /** Resolves when it has stopped. */
  readonly stopped: Promise<void>;
  /** Closes everything at once. */
  close(): void;
}

const defaultMaxReceive = 4 << 20;
/** The interval of keepalive pings to agents (ms). An agent itself may be silent for any time. */
const keepalive = 60_000;
/** The time for the last messages to reach agents and operators (ms). */
const closeDelay = 100;

/**
 * Serves the reference gateway.
 *
 * @throws WireproofError 'environment' when a port is in use or not available
 *
 * @example
 * ```ts no-run: listens on ports
 * const server = await serveGateway({ port: 50051, http: { port: 50080 } });
 * server.close();
 * ```
 */
export async function serveGateway(options: GatewayServerOptions): Promise<GatewayServer> {
  const { host = '127.0.0.1', ledger = memoryLedger() } = options;
  let resolveStopped: () => void = () => {};
  const stopped = new Promise<void>((resolve) => (resolveStopped = resolve));
  const running = hostOf(options, ledger, () => void setTimeout(close, closeDelay));
  const accept = serviceAccept(running.accept, isLoopback(host) ? undefined : (options.http?.token ?? ''));
  const aliases = aliasesOf(options.paths ?? []);
  const grpc = await serveGrpc({
    host,
    port: options.port,
    maxReceive: options.maxReceive ?? defaultMaxReceive,
    keepalive,
    background: options.background === true,
    methods: [...new Set([...methods, ...aliases.keys(), ...(options.paths ?? [])])],
    accept: (link, metadata) => {
      const path = metadata[':path'] ?? '';
      return accept(link, { ...metadata, ':path': aliases.get(path) ?? path });
    },
  });
  const http = await serveHttp(options, running.accept, grpc);
  let closed = false;
  const close = (): void => {
    if (closed) return;
    closed = true;
    void http?.close();
    running.stop();
    grpc.close();
    ledger.close();
    resolveStopped();
  };
  const shutdown = (reason: string): void => {
    accept.setServing(false);
    running.command({ do: 'shutdown', reason });
  };
  const ask = terminalCalls(running.accept);
  const { port, goaway } = grpc;
  return { port, httpPort: http?.port ?? 0, ask, goaway, shutdown, stopped, close };
}

type GatewayHost = Host<GatewayState, GatewayIn, GatewayOut, GatewayCommand>;

/** The gateway's host; `stopped` is called when the gateway has stopped. */
function hostOf(options: GatewayServerOptions, ledger: Ledger, stopped: () => void): GatewayHost {
  const { tap } = options;
  return new Host({
    ...gatewayCodecs({}),
    role: gateway({ uuid: randomUUID, epoch: Date.now(), ...options.gateway }),
    clock: realClock({ background: options.background === true }),
    wireOf: gatewayCodecs,
    effect: ledgerEffects(ledger),
    report(what, detail) {
      options.report?.(what, detail);
      if (what === 'stopped') stopped();
    },
    ...(tap === undefined ? {} : { tap }),
  });
}

/** Calls from within the process, each on a stream of its own. */
function terminalCalls(accept: Accept): GatewayServer['ask'] {
  let calls = 0;
  return (request, on) => {
    const reply = (name: string, data: unknown): true => {
      on.reply({ [name]: data });
      return true;
    };
    const stream = { conn: 'terminal', stream: `t${++calls}` };
    const call = operatorCall(accept, stream, request, { reply, ended: (status) => on.end(status) });
    return () => call.leave();
  };
}

const methods: readonly string[] = [
  ...agentPaths,
  packRegisterPath,
  packResultPath,
  ...clientServicePaths,
  ...gatewayPaths,
];

/** Other paths of PackService and ClientService: in the packages of the older name, and of the services of `paths`. */
function aliasesOf(paths: readonly string[]): ReadonlyMap<string, string> {
  const served = [...controlServices, ...paths.map((path) => path.slice(1))];
  const published = [packRegisterPath, packResultPath, ...clientServicePaths];
  return new Map(served.flatMap((service) => published.map((path) => [servicePath(path, service), path])));
}

const services = ['coven.CovenControl', 'coven.PackService', 'coven.ClientService', 'fold.FoldControl'];

const unauthenticated = 16;

/**
 * The services in front of the gateway: health, reflection and ClientService.
 *
 * @param token the token that ClientService demands; undefined: none, because only this machine can call it
 */
function serviceAccept(accept: Accept, token: string | undefined): HealthAccept {
  const clients = clientServiceAccept(accept);
  const guarded: Accept = (link, metadata) => {
    if (metadata[':path']?.startsWith(clientServicePrefix) !== true) return accept(link, metadata);
    const given = metadata['authorization'] ?? '';
    if (token === undefined || (token !== '' && sameSecret(given, `Bearer ${token}`)))
      return clients(link, metadata);
    link.close({ code: unauthenticated, message: 'ClientService wants the token of the HTTP face here' });
    return ignoredEvents;
  };
  const described = { descriptor: fileDescriptors, services };
  return healthAccept(reflectionAccept(guarded, described), services);
}

async function serveHttp(
  { host = '127.0.0.1', http, background = false }: GatewayServerOptions,
  accept: Accept,
  grpc: GrpcServer,
): Promise<HttpFace | undefined> {
  if (http === undefined) return undefined;
  const { orAnyPort = false, ...face } = http;
  const listen = (port: number): Promise<HttpFace> =>
    serveHttpFace({ host, background, ...face, port, accept });
  try {
    return await (orAnyPort ? listen(face.port).catch(() => listen(0)) : listen(face.port));
  } catch (error) {
    grpc.close();
    throw error;
  }
}
