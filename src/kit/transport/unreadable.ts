/** The answer to bytes that are no HTTP, such as TLS on a plain port: a sentence, where no other answer is on its way. */
import type { Duplex } from 'node:stream';

/** Time for the answer to reach the other side (ms). */
const closing = 250;

/** Answers a fault of Node's parser with 400, and ends the connection. Any other fault ends it at once. */
export function answerUnreadable(fault: NodeJS.ErrnoException, socket: Duplex): void {
  const answers: unknown = Reflect.get(socket, '_httpMessage') ?? undefined;
  if (fault.code?.startsWith('HPE_') !== true || answers !== undefined || !socket.writable)
    return void socket.destroy();
  const body = Buffer.from(`the bytes are not HTTP: ${fault.message}\n`);
  const head = [
    'HTTP/1.1 400 Bad Request',
    'connection: close',
    'content-type: text/plain; charset=utf-8',
    `content-length: ${body.length}`,
  ];
  socket.on('error', () => {}); // its close follows
  socket.end([...head, '', body.toString('utf8')].join('\r\n'));
  setTimeout(() => socket.destroy(), closing).unref();
}
