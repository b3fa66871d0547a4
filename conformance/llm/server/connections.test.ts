/** Checks of servers that end bodies and keep connections in their own way, on real sockets. */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { serveScript } from '../../../src/llm/edge/index.ts';
import { checkedServer } from './check.test-helper.ts';
import { serverScenarios } from './scenarios.ts';
import { serverScript } from './target.ts';

/** How a front server treats lengths and connections. */
interface Manner {
  /** The head and the end of an answer. Default: content-length in bytes, and the connection is kept. */
  readonly answer?: (socket: Socket, head: string, body: Buffer) => void;
  /** Whether it answers unknown paths before it has read their bodies. */
  readonly hasty?: boolean;
  /** A part of a request's body that it refuses with 404. */
  readonly refuses?: string | undefined;
}

const closers: (() => unknown)[] = [];

afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

const plainAnswer = (socket: Socket, head: string, body: Buffer): void => {
  socket.write(`${head}content-length: ${body.length}\r\n\r\n`);
  socket.write(body);
};

/** A server that asks the reference, and answers in its own manner. @returns its port */
async function front({ answer: own = plainAnswer, hasty = false, refuses }: Manner): Promise<number> {
  const reference = await serveScript({ script: serverScript });
  const server = createServer((socket) => {
    // The client may break off at any time.
    serve(socket, reference.port, { answer: own, hasty, refuses }).catch(() => socket.destroy());
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => sockets.add(socket));
  closers.push(async () => {
    for (const socket of sockets) socket.destroy();
    await Promise.all([reference.close(), new Promise((closed) => server.close(closed))]);
  });
  return (server.address() as AddressInfo).port;
}

async function serve(
  socket: Socket,
  port: number,
  { answer = plainAnswer, hasty = false, refuses }: Manner,
): Promise<void> {
  let bytes = Buffer.alloc(0);
  socket.on('error', () => socket.destroy());
  for await (const chunk of socket as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    for (;;) {
      const end = bytes.indexOf('\r\n\r\n');
      const [line = '', ...fields] = bytes.subarray(0, Math.max(end, 0)).toString().split('\r\n');
      if (end < 0) break;
      // The rest of an unread body is before the request line.
      if (!/^(?:GET|POST) /.test(line)) {
        plainAnswer(socket, 'HTTP/1.1 400 Bad request syntax\r\n', Buffer.from(line.slice(0, 20)));
        return void socket.end();
      }
      const [method = '', path = ''] = line.split(' ');
      const unread = hasty && path.includes('unknown');
      const length = Number(fields.find((field) => /^content-length/i.test(field))?.split(':')[1] ?? 0);
      if (!unread && bytes.length < end + 4 + length) break;
      const body = bytes.subarray(end + 4, end + 4 + (unread ? 0 : length));
      bytes = bytes.subarray(end + 4 + body.length);
      if (refuses !== undefined && body.includes(refuses)) {
        const error = { error: { message: 'refused', type: 'invalid_request_error' } };
        plainAnswer(
          socket,
          'HTTP/1.1 404 no\r\ncontent-type: application/json\r\n',
          Buffer.from(JSON.stringify(error)),
        );
        continue;
      }
      await pass({ method, path, body }, port, (head, said) => answer(socket, head, said));
    }
  }
}

async function pass(
  { method, path, body }: { readonly method: string; readonly path: string; readonly body: Buffer },
  port: number,
  answer: (head: string, body: Buffer) => void,
): Promise<void> {
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' };
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers,
    ...(method === 'GET' ? {} : { body: new Uint8Array(body) }),
  });
  const said = Buffer.from(await response.arrayBuffer().catch(() => new ArrayBuffer(0)));
  const type = response.headers.get('content-type') ?? 'text/plain';
  answer(`HTTP/1.1 ${response.status} said\r\ncontent-type: ${type}\r\n`, said);
}

/** The scenarios that concern connections and bodies. */
const scenarios = serverScenarios().filter(({ name }) => /-(?:text|whole|unicode|kept)$/.test(name));

const failed = async (manner: Manner, dialect: string): Promise<readonly string[]> => {
  const timeouts = { handshake: 1000, step: 10_000, body_end: 1000, late: 100 };
  const report = await checkedServer(await front(manner), dialect, { timeouts, scenarios });
  return report.requirements.filter(({ verdict }) => verdict === 'fail').map(({ id }) => id);
};

describe('a check of a server on kept connections', () => {
  it.each(['anthropic', 'ollama'])(
    'finds one that sends lengths and keeps connections conformant in %s',
    async (dialect) => expect(await failed({}, dialect)).toEqual([]),
  );

  it('finds one that closes each connection after the answer conformant', async () => {
    const answer = (socket: Socket, head: string, body: Buffer): void => {
      plainAnswer(socket, head, body);
      socket.end();
    };
    expect(await failed({ answer }, 'openai-chat')).toEqual([]);
  });

  // One dialect of each framing.
  it.each(['anthropic', 'ollama'])('finds a body without length, chunks and end in %s', async (dialect) => {
    const answer = (socket: Socket, head: string, body: Buffer): void =>
      void socket.write(Buffer.concat([Buffer.from(`${head}\r\n`), body]));
    expect(await failed({ answer }, dialect)).toEqual(['LLM-S26']);
  });

  it('finds a content-length in characters', async () => {
    const answer = (socket: Socket, head: string, body: Buffer): void => {
      socket.write(`${head}content-length: ${body.toString().length}\r\n\r\n`);
      socket.write(body);
    };
    expect(await failed({ answer }, 'openai-chat')).toEqual(['LLM-S02']);
  });

  // A server without whole answers, or with another model: its refusals have nothing to do with the connection.
  it.each(['"stream":false', '"model"'])(
    'blames no connection where requests with %s are refused',
    async (part) => expect(await failed({ refuses: part }, 'openai-chat')).not.toContain('LLM-S27'),
  );

  it('finds a server that answers an unknown path before it has read the body', async () => {
    expect(await failed({ hasty: true }, 'openai-chat')).toContain('LLM-S27');
  });
});
