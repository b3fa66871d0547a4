/** TCP: listens for connections, or makes one, over TLS if asked. */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import { addressText, WireproofError } from '../base/index.ts';
import type { Accept } from '../world/index.ts';
import { byteWire } from './byte-endpoint.ts';
import { Connections } from './connections.ts';
import type { ByteEndpoint } from './connections.ts';
import { bareHost } from './page-guard.ts';
import { connectTls, dialError, dialPatience } from './tls.ts';
import type { TlsTrust } from './tls.ts';

/** The longest time until a connection is made (ms). */
interface Patience {
  readonly patience?: number;
}

interface Address {
  readonly host: string;
  /** To listen, 0 means any free port. */
  readonly port: number;
}

/** The address, and the acceptor of the connections. */
export interface TcpOptions extends Address {
  readonly accept: Accept;
  /** Whether the process may end while a listener listens; default false. */
  readonly background?: boolean;
}

/** The environment error for an address that cannot be bound. */
export function cannotListen(address: string, cause: Error): WireproofError {
  const why = cause.message.includes('EADDRINUSE')
    ? 'the port is in use; give another, or 0 for any free one'
    : cause.message;
  return new WireproofError('environment', `cannot listen on ${address}: ${why}`, { cause });
}

/** The maximum of connections that wait to be accepted. With Node's default of 511, some of a burst retry seconds later. */
const backlog = 4096;

/** Waits until a server listens. @throws WireproofError 'environment' when it cannot */
export function bound(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => reject(cannotListen(addressText({ host, port }), cause)));
    server.listen({ port, host: bareHost(host), backlog }, () =>
      resolve((server.address() as AddressInfo).port),
    );
  });
}

function onSocket(connections: Connections, socket: Socket): void {
  socket.setNoDelay(true);
  // Node cannot reset a connection below TLS.
  const reset = socket instanceof TLSSocket ? {} : { reset: () => void socket.resetAndDestroy() };
  connections.add(byteWire({ readable: socket, writable: socket, ...reset }));
}

/** Listens. @throws WireproofError 'environment' when the address cannot be bound */
export async function listenTcp({
  host,
  port,
  accept,
  background = false,
}: TcpOptions): Promise<ByteEndpoint> {
  const connections = new Connections('tcp', accept);
  const server = createServer((socket) => onSocket(connections, background ? socket.unref() : socket));
  const at = await bound(server, host, port);
  if (background) server.unref();
  const close = (): void => {
    server.close();
    connections.close();
  };
  return { port: at, fault: (fault) => connections.fault(fault), close };
}

/**
 * Dials.
 *
 * @throws WireproofError 'environment' when nothing listens there, it does not answer in time, or its certificate is not trusted
 */
export async function connectTcp(
  options: TcpOptions & Patience & { readonly tls?: TlsTrust },
): Promise<ByteEndpoint> {
  const connections = new Connections('tcp', options.accept);
  onSocket(connections, await dialled(options, options.tls));
  return { port: 0, fault: (fault) => connections.fault(fault), close: () => connections.close() };
}

/** Shakes hands over TLS, and hangs up. @throws WireproofError as {@link connectTcp} */
export async function checkTls(place: Address & Patience, trust: TlsTrust): Promise<void> {
  const socket = await dialled(place, trust);
  socket.end(() => socket.destroy());
}

/** Makes a connection, over TLS if asked. */
function dialled(
  { host, port, patience = dialPatience }: Address & Patience,
  tls: TlsTrust | undefined,
): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = tls === undefined ? connect({ host, port }) : connectTls({ host, port, ...tls });
    const late = setTimeout(() => socket.destroy(new Error(`no answer in ${patience} ms`)), patience);
    socket.once(tls === undefined ? 'connect' : 'secureConnect', () => {
      clearTimeout(late);
      resolve(socket);
    });
    socket.once('error', (cause) => {
      clearTimeout(late);
      reject(dialError(addressText({ host, port }), cause));
    });
  });
}
