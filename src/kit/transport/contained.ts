/** Keeps a fault of the kit in the events of a WebSocket to this one connection. */
import type { WebSocket } from 'ws';
import type { Status } from '../base/index.ts';
import { internalError } from './http-room.ts';
import type { OnKitFault } from './kit-fault.ts';

/** The events of a WebSocket. */
export interface SocketEvents {
  message(bytes: Uint8Array, form?: 'binary'): void;
  drained(): void;
  ended(status: Status | undefined): void;
}

/** The same events. A fault in one closes the connection. */
export function contained(socket: WebSocket, events: SocketEvents, fault: OnKitFault): SocketEvents {
  const guarded = (event: () => void): void => {
    try {
      event();
    } catch (error) {
      fault(error);
      socket.close(internalError);
    }
  };
  return {
    message: (bytes, form) => guarded(() => events.message(bytes, form)),
    drained: () => guarded(() => events.drained()),
    ended: (status) => guarded(() => events.ended(status)),
  };
}
