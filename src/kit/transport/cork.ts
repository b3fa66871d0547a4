/**
 * Joins the messages that are sent in one turn of the event loop into one write to the socket. One system call a message
 * costs more than the coding of the message. `npm run bench`, "Koda events one way over WebSocket".
 */
import type { Socket } from 'node:net';
import type { WebSocket } from 'ws';

const corked = new WeakSet<Socket>();

/** Holds the bytes of this WebSocket back until the present turn of the event loop ends. */
export function corkTurn(ws: WebSocket): void {
  const { _socket: socket } = ws as { _socket?: Socket };
  if (socket === undefined || corked.has(socket)) return;
  corked.add(socket);
  socket.cork();
  process.nextTick(() => {
    corked.delete(socket);
    socket.uncork();
  });
}
