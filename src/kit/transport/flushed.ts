/**
 * Waits until the other side has everything that was written. A reset drops the bytes that the kernel still holds, so a
 * reset after a flush must wait for the other side's acknowledgement, which Node does not report.
 */
import { readFileSync } from 'node:fs';
import type { Socket } from 'node:net';

/** How often the kernel is asked, and how long at most (ms). */
const every = 2;
const patience = 5000;
/** Where the kernel does not say, bytes over loopback count as arrived after this long (ms). */
const guess = 50;

/** Calls back once the other side has everything. It does not call back when the socket is gone before. */
export function onceFlushed(socket: Socket, then: () => void): void {
  const until = performance.now() + patience;
  const look = (): void => {
    if (socket.destroyed) return;
    const late = performance.now() > until;
    if (socket.writableLength > 0 && !late) return void setTimeout(look, every);
    const left = held(socket);
    if (left === undefined) setTimeout(then, guess);
    else if (left > 0 && !late) setTimeout(look, every);
    else then();
  };
  // Node holds small writes back until the end of the turn.
  setImmediate(look);
}

/**
 * Bytes that the kernel holds: not yet acknowledged, or, where the other side is on this machine, not yet read by it (a
 * reader that finds a reset after unread bytes may take it for an end). Undefined where the kernel does not say: only
 * Linux does.
 */
function held({ localPort, remotePort }: Socket): number | undefined {
  const [near, far] = [localPort ?? 0, remotePort ?? 0].map((port) =>
    port.toString(16).toUpperCase().padStart(4, '0'),
  );
  // proc(5): "sl local_address rem_address st tx_queue:rx_queue …", numbers in hexadecimal.
  const own = new RegExp(`: \\w+:${near} \\w+:${far} \\w+ (\\w+):`);
  const others = new RegExp(`: \\w+:${far} \\w+:${near} \\w+ \\w+:(\\w+)`);
  for (const file of ['/proc/net/tcp', '/proc/net/tcp6']) {
    const table = contents(file);
    const unsent = own.exec(table)?.[1];
    if (unsent !== undefined) return parseInt(unsent, 16) + parseInt(others.exec(table)?.[1] ?? '0', 16);
  }
  return undefined;
}

function contents(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    return '';
  }
}
