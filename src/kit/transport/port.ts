/** Ports of loopback: reserves free ones, and waits until a program listens on one. */
import { machineDelay } from './kit-load.ts';
import { connect, createServer } from 'node:net';
import type { Server } from 'node:net';
import { WireproofError } from '../base/index.ts';

/** A port that no other reservation on this machine can have, until it is released or this process ends. */
export interface ReservedPort {
  readonly port: number;
  release(): void;
}

const loopback = '127.0.0.1';

/**
 * Ports are reserved in pairs: the even one is returned, and this process listens on the odd one during the reservation,
 * so that no other process of the kit takes the pair. The range is below the ports that a system assigns by itself (from
 * 32768 on Linux, from 49152 elsewhere; RFC 6335, section 6, for the latter).
 */
const first = 10_000;
const pairs = 11_000;

/** Processes start at different pairs, so that they seldom try the same one. */
let next = Math.floor(Math.random() * pairs);

/** The errors for a port that is in use, or reserved by the system. */
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

/** The time between two attempts (ms). */
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

/** Waits until a program listens, until `givenUp` returns true, or for `ms`. @returns whether a program listens */
export async function awaitPort(
  place: { readonly host: string; readonly port: number },
  ms: number,
  givenUp: () => boolean,
): Promise<boolean> {
  const until = Date.now() + ms;
  const delay = machineDelay();
  while (!givenUp()) {
    if (await reachable(place.host, place.port)) return true;
    if (Date.now() > until + machineDelay() - delay) return false;
    await new Promise((resolve) => void setTimeout(resolve, pause));
  }
  return false;
}
