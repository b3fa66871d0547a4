/** The limits of the messages of a WebSocket: of one, and of all that have begun and are incomplete. */
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { bodies } from './bodies.ts';

/** "Try again later" (IANA's registry of close codes). */
const tryAgainLater = 1013;

/** Time for the close to reach the other side (ms). */
const closing = 250;

/** "Message Too Big" (RFC 6455, 7.4.1). */
const tooBig = 1009;

/** The package closes a WebSocket with 1009 and no reason when a message is too large. This adds the reason. */
export function explainLimit(ws: WebSocket, maxReceive: number): void {
  const close = ws.close.bind(ws);
  ws.close = (code, reason) =>
    close(code, code === tooBig ? (reason ?? `a message has at most ${maxReceive} bytes`) : reason);
}

/** Closes the WebSocket `ws` on `socket` with 1013 when its message is the largest of too many bodies in flight. */
export function limitMessages(ws: WebSocket, socket: Duplex): void {
  let refused = false;
  const body = {
    size: 0,
    refuse: () => {
      refused = true;
      ws.close(tryAgainLater, 'too many large messages are in flight');
      ws.pause();
      setTimeout(() => ws.terminate(), closing).unref();
    },
  };
  // Before the package takes the chunk, and reports the message that ends in it.
  socket.prependListener('data', (chunk: Buffer) => {
    if (refused) return;
    body.size += chunk.length;
    bodies.grew(body, chunk.length);
  });
  ws.on('message', () => {
    bodies.done(body);
    body.size = 0;
  });
  ws.on('close', () => bodies.done(body));
}
