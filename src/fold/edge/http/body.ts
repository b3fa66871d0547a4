/** Reads the body of an HTTP message. */
import type { IncomingMessage } from 'node:http';

/**
 * Reads the whole body and gives it to `done`, once: the bytes; `too large` as soon as they exceed `limit`; undefined
 * when the connection is lost first. The rest of a body that is too large is read and dropped, so that a client can
 * finish sending and read the answer.
 */
export function readBody(
  message: IncomingMessage,
  limit: number,
  done: (body: Buffer | 'too large' | undefined) => void,
): void {
  let over = false;
  let size = 0;
  const chunks: Buffer[] = [];
  const end = (body: Buffer | 'too large' | undefined): void => {
    if (over) return;
    over = true;
    chunks.length = 0;
    done(body);
  };
  message.on('data', (chunk: Buffer) => {
    size += chunk.length;
    if (size > limit) end('too large');
    else chunks.push(chunk);
  });
  message.once('end', () => end(Buffer.concat(chunks)));
  message.once('error', () => end(undefined));
  message.once('close', () => end(undefined));
}
