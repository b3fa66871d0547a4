/**
 * A proxy in front of a server. It forwards every byte, names connections, reports keepalive pings, and on demand disturbs
 * the network: it delays, splits, cuts or resets real sockets.
 */
import { connect, createServer } from 'node:net';
import type { Socket } from 'node:net';
import type { Fault } from '../world/index.ts';
import { tapFrames } from './frame-tap.ts';
import { bound } from './tcp.ts';
import { connectTls } from './tls.ts';
import type { TlsTrust } from './tls.ts';

/** How a proxy is set up. */
export interface FaultProxyOptions {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
  /** The port of the server. */
  readonly behind: number;
  /** The host of the server; default loopback. */
  readonly behindHost?: string;
  /** Use TLS to the server, but not to clients; absent: no TLS. */
  readonly tls?: TlsTrust;
  /** A client's keepalive ping. `afterData`: the server sent DATA or HEADERS since the client's last ping. */
  readonly onPing: (conn: string, afterData: boolean) => void;
  /** A gRPC message with this number of bytes begins. */
  readonly onMessage?: (conn: string, bytes: number) => void;
  readonly onConnect?: (conn: string) => void;
}

/** A listening proxy. */
export interface FaultProxy {
  readonly port: number;
  /** The name of a connection, by the client address that the server sees. */
  connOf(peer: string): string;
  /** Disturbs every open connection; `slow` and `split` apply to later ones too. */
  fault(fault: Fault): void;
  close(): void;
}

interface Pair {
  readonly outer: Socket;
  readonly inner: Socket;
}

/** The current limits of the forwarding. */
interface Passage {
  stalledUntil: number;
  rate: number;
  size: number;
}

/**
 * Listens and forwards.
 *
 * @throws WireproofError 'environment' when the address cannot be bound
 */
export async function openFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const pairs = new Map<string, Pair>();
  const names = new Map<number, string>();
  const passage: Passage = { stalledUntil: 0, rate: Infinity, size: Infinity };
  let count = 0;
  const server = createServer((outer) => {
    const conn = `c${++count}`;
    const inner = connectBehind(options);
    pairs.set(conn, { outer, inner });
    options.onConnect?.(conn);
    inner.once('connect', () => names.set(inner.localPort ?? 0, conn));
    endTogether({ outer, inner }, () => pairs.delete(conn));
    let data = false;
    const tap = tapFrames({
      onPing() {
        options.onPing(conn, data);
        data = false;
      },
      onMessage: (bytes) => options.onMessage?.(conn, bytes),
    });
    const serverTap = tapFrames({ onPing() {}, onMessage() {}, onContent: () => (data = true) }, 'server');
    pass(outer, inner, passage, tap);
    pass(inner, outer, passage, serverTap);
  });
  const port = await bound(server, options.host, options.port);
  return {
    port,
    connOf: (peer) => names.get(Number(peer.slice(peer.lastIndexOf(':') + 1))) ?? peer,
    fault: (fault) => disturb(fault, pairs, passage),
    close() {
      server.close();
      for (const { outer, inner } of pairs.values()) {
        outer.destroy();
        inner.destroy();
      }
    },
  };
}

/** Ends both sockets of a pair with the first of them. `gone` may be called several times. */
function endTogether({ outer, inner }: Pair, gone: () => void): void {
  const end = (): void => {
    gone();
    outer.destroy();
    inner.destroy();
  };
  for (const socket of [outer, inner]) {
    socket.setNoDelay(true);
    socket.on('error', end);
    socket.on('close', end);
  }
}

function connectBehind({ behind: port, behindHost: host = '127.0.0.1', tls }: FaultProxyOptions): Socket {
  return tls === undefined ? connect({ port, host }) : connectTls({ port, host, ...tls }, ['h2']);
}

function pass(from: Socket, to: Socket, passage: Passage, tap?: (chunk: Uint8Array) => void): void {
  from.on('data', (chunk: Buffer) => {
    tap?.(chunk);
    const plain =
      passage.rate === Infinity && passage.size === Infinity && passage.stalledUntil <= Date.now();
    if (plain) {
      if (!to.write(chunk)) from.pause();
      return;
    }
    from.pause();
    void slowly(chunk, to, passage).then(() => from.resume());
  });
  to.on('drain', () => from.resume());
  from.on('end', () => to.end());
}

const sleep = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));

async function slowly(chunk: Buffer, to: Socket, passage: Passage): Promise<void> {
  const step = Math.min(
    passage.size,
    passage.rate === Infinity ? chunk.length : Math.max(1, passage.rate / 50),
  );
  for (let i = 0; i < chunk.length && !to.destroyed; i += step) {
    const stalled = passage.stalledUntil - Date.now();
    if (stalled > 0) await sleep(stalled);
    to.write(chunk.subarray(i, i + step));
    // Each piece leaves as a packet of its own only if the event loop turns between them.
    if (passage.rate === Infinity) await new Promise((resolve) => setImmediate(resolve));
    else await sleep(20);
  }
}

function disturb(fault: Fault, pairs: Map<string, Pair>, passage: Passage): void {
  switch (fault.kind) {
    case 'stall':
      passage.stalledUntil = Date.now() + fault.ms;
      return;
    case 'restore':
      Object.assign(passage, { stalledUntil: 0, rate: Infinity, size: Infinity } satisfies Passage);
      return;
    case 'slow':
      passage.rate = fault.rate;
      return;
    case 'split':
      passage.size = fault.size;
      return;
    case 'gather':
    case 'goaway':
      // Its bytes are those of HTTP/2, which has its own frames. The server sends GOAWAY.
      return;
    case 'cut':
    case 'reset':
      for (const { outer, inner } of pairs.values()) {
        if (fault.kind === 'reset') outer.resetAndDestroy();
        else outer.destroy();
        inner.destroy();
      }
      return;
    default:
      fault satisfies never;
  }
}
