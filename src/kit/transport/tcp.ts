/** TCP: listens for connections, or makes one. */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { WireproofError } from '../base/index.ts';
import type { Accept } from '../world/index.ts';
import { byteWire } from './byte-endpoint.ts';
import { Connections } from './connections.ts';
import type { ByteEndpoint } from './connections.ts';

/** Where, and who takes the connections. */
export interface TcpOptions {
  readonly host: string;
  /** To listen: 0 for any free one. */
  readonly port: number;
  readonly accept: Accept;
  /** Hears of each connection. */
  readonly onConnect?: () => void;
}

/** Why an address cannot be had, in words. */
export const whyNot = (error: NodeJS.ErrnoException): string =>
  error.code === 'EADDRINUSE' ? 'the port is in use; give another, or 0 for any free one' : error.message;

/** Connections that may wait to be taken: of 511, Node's default, a burst leaves some to try again seconds later. */
const backlog = 4096;

/** Waits until a server listens. @throws WireproofError 'environment' when it cannot */
export function bound(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) =>
      reject(
        new WireproofError('environment', `cannot listen on ${host}:${port}: ${whyNot(cause)}`, { cause }),
      ),
    );
    server.listen({ port, host, backlog }, () => resolve((server.address() as AddressInfo).port));
  });
}

function take(wires: Connections, socket: Socket): void {
  socket.setNoDelay(true);
  wires.add(byteWire({ readable: socket, writable: socket, reset: () => void socket.resetAndDestroy() }));
}

/** Listens. @throws WireproofError 'environment' when the address cannot be had */
export async function listenTcp({ host, port, accept, onConnect }: TcpOptions): Promise<ByteEndpoint> {
  const wires = new Connections('tcp', accept);
  const server = createServer((socket) => {
    onConnect?.();
    take(wires, socket);
  });
  const at = await bound(server, host, port);
  const close = (): void => {
    server.close();
    wires.close();
  };
  return { port: at, fault: (fault) => wires.fault(fault), close };
}

/** Dials. @throws WireproofError 'environment' when nobody listens there */
export async function connectTcp({ host, port, accept, onConnect }: TcpOptions): Promise<ByteEndpoint> {
  const wires = new Connections('tcp', accept);
  const socket = await new Promise<Socket>((resolve, reject) => {
    const dialled = connect({ host, port });
    dialled.once('connect', () => resolve(dialled));
    dialled.once('error', (cause) =>
      reject(
        new WireproofError('environment', `cannot connect to ${host}:${port}: ${cause.message}`, { cause }),
      ),
    );
  });
  onConnect?.();
  take(wires, socket);
  return { port: 0, fault: (fault) => wires.fault(fault), close: () => wires.close() };
}
