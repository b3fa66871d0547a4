/** A connection of bytes: a TCP socket, or the two pipes of a process. */
import type { Readable, Writable } from 'node:stream';
import { orderly } from './connections.ts';
import type { ByteWire } from './connections.ts';

/** The two directions; a socket is both. */
export interface Pipes {
  readonly readable: Readable;
  readonly writable: Writable;
  /** Ends both so that the other side gets an error; absent: both are closed. */
  readonly reset?: () => void;
}

/** Two directions as one connection. It ends when nothing more comes, or when either direction breaks. */
export function byteWire({ readable, writable, reset }: Pipes): ByteWire {
  let over = false;
  const destroy = (hard: boolean): void => {
    if (hard && reset !== undefined) reset();
    readable.destroy();
    writable.destroy();
  };
  return {
    write: (bytes) => writable.destroyed || writable.writableEnded || writable.write(bytes),
    end: () => void (writable.destroyed || writable.end()),
    pause: () => void readable.pause(),
    resume: () => void readable.resume(),
    destroy,
    hear({ message, ended, drained }) {
      const finish = (fine: boolean) => (): void => {
        if (over) return;
        over = true;
        ended(fine ? orderly : undefined);
        if (fine) writable.end();
        else destroy(false);
      };
      readable.on('data', (chunk: Buffer) => message(chunk));
      readable.on('end', finish(true));
      readable.on('error', finish(false));
      readable.on('close', finish(false));
      // A side that takes no more bytes may still send some.
      writable.on('error', () => {});
      writable.on('drain', drained);
    },
  };
}
