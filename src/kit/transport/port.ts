/** Ports: one that is free, and waiting until somebody listens on one. */
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { WireproofError } from '../base/index.ts';

/** A port of loopback that nobody has at this moment. @throws WireproofError 'environment' when there is none */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (cause) =>
      reject(new WireproofError('environment', `no free port: ${cause.message}`, { cause })),
    );
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });
}

/** How long to wait between two tries (ms). */
const pause = 25;

const reachable = (host: string, port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect({ host, port });
    const done = (is: boolean) => (): void => {
      socket.destroy();
      resolve(is);
    };
    socket.setTimeout(1000, done(false));
    socket.once('connect', done(true));
    socket.once('error', done(false));
  });

/** Waits until somebody listens, or until `given up` says so, or for `ms`. @returns whether somebody does */
export async function awaitPort(
  place: { readonly host: string; readonly port: number },
  ms: number,
  givenUp: () => boolean,
): Promise<boolean> {
  const until = Date.now() + ms;
  while (!givenUp()) {
    if (await reachable(place.host, place.port)) return true;
    if (Date.now() > until) return false;
    await new Promise((resolve) => void setTimeout(resolve, pause));
  }
  return false;
}
