/** Ports of loopback: reserves free ones, and waits until a program listens on one. */
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { WireproofError } from '../base/index.ts';

/** A port that no other reservation on this machine has, until it is released or this process ends. */
export interface ReservedPort {
  readonly port: number;
  release(): void;
}

const loopback = '127.0.0.1';

/**
 * Ports come in pairs: the even one is given away, and this process listens on the odd one as long as the reservation
 * lasts, so that no other process of the kit takes the pair. The range lies below the ports that a system gives out by
 * itself (from 32768 on Linux, from 49152 elsewhere; RFC 6335, section 6, for the latter).
 */
const first = 10_000;
const pairs = 11_000;

/** Processes begin at different places, so that they seldom try the same pair. */
let next = Math.floor(Math.random() * pairs);

/** Errors that say that a port is taken, or kept by the system for itself. */
const taken = ['EADDRINUSE', 'EACCES'];

/** Listens on a port; undefined when it is taken. */
const listening = (port: number): Promise<Server | undefined> =>
  new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (cause: NodeJS.ErrnoException) => {
      if (taken.includes(cause.code ?? '')) resolve(undefined);
      else reject(new WireproofError('environment', `no free port: ${cause.message}`, { cause }));
    });
    server.listen(port, loopback, () => resolve(server.unref()));
  });

async function isFree(port: number): Promise<boolean> {
  const server = await listening(port);
  if (server === undefined) return false;
  await new Promise((resolve) => server.close(resolve));
  return true;
}

/** Reserves a port. @throws WireproofError 'environment' when none is free */
export async function reservePort(): Promise<ReservedPort> {
  for (let tries = 0; tries < pairs; tries++) {
    const port = first + 2 * (next++ % pairs);
    const guard = await listening(port + 1);
    if (guard === undefined) continue;
    const release = (): void => void guard.close();
    if (await isFree(port)) return { port, release };
    release();
  }
  throw new WireproofError('environment', `no free port from ${first} to ${first + 2 * pairs}`);
}

/** A port that is reserved until this process ends. @throws WireproofError 'environment' when none is free */
export const freePort = async (): Promise<number> => (await reservePort()).port;

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

/** Waits until a program listens, or until `givenUp` says so, or for `ms`. @returns whether one listens */
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
