import { createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { Dial } from '../../../kit/world/index.ts';
import type { OperatorReply, OperatorRequest } from '../../operator.ts';
import {
  FakeGateway,
  counter,
  everyEvent,
  finish,
  otherEvents,
  pause,
  reply,
  talk,
  until,
} from '../fake.test-helper.ts';
import { httpDriver } from './driver.ts';
import { serveHttpFace } from './face.ts';

const closing: (() => void | Promise<void>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function behindFace(gateway: FakeGateway, token?: string): Promise<Dial> {
  const secret = token === undefined ? {} : { token };
  const face = await serveHttpFace({ host: '127.0.0.1', port: 0, accept: gateway.accept, ...secret });
  closing.push(() => face.close());
  return httpDriver({ url: `http://127.0.0.1:${face.port}/`, next: counter(), ...secret });
}

/** A server that takes one request a connection and answers with these bytes, in these pieces. */
async function stranger(answer: (request: string, socket: Socket) => void): Promise<string> {
  const open = new Set<Socket>();
  const server: Server = createServer((socket) => {
    open.add(socket);
    let got = '';
    let answered = false;
    socket.setNoDelay(true);
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      got += chunk.toString('utf8');
      const [head = '', body = ''] = got.split('\r\n\r\n', 2);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
      if (answered || !got.includes('\r\n\r\n') || Buffer.byteLength(body) < length) return;
      answered = true;
      answer(got, socket);
    });
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  closing.push(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const response = (status: string, type: string, body: string): string =>
  `HTTP/1.1 ${status}\r\nContent-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

const answers = async (text: string): Promise<Dial> => {
  const url = await stranger((_, socket) => void socket.end(text));
  return httpDriver({ url, next: counter() });
};

const send: OperatorRequest = { send: { content: 'hello', sender: 'me', agent_id: 'a-1' } };

describe('the HTTP driver in front of the HTTP face', () => {
  const calls: readonly (readonly [OperatorRequest, readonly OperatorReply[]])[] = [
    [send, [...everyEvent, ...otherEvents, { done: { full_response: 'x' } }]],
    [
      {
        send: {
          content: '{"wireproof":{"do":[]}}\n\u{1F600}',
          sender: 'wireproof',
          thread_id: 't-1',
          attachments: [{ filename: 'f', mime_type: 'text/plain', data: 'aGk=' }],
        },
      },
      [{ started: { thread_id: 't-1' } }, { error: { error: 'no' } }],
    ],
    [send, [{ started: { thread_id: 't-1' } }, { canceled: { reason: 'enough' } }]],
    [{ cancel: { request_id: 'r', reason: 'enough' } }, [{ ok: {} }]],
    [{ cancel: { thread_id: 't' } }, [{ ok: {} }]],
    [
      { inject: { agent_id: 'a', content: 'c', priority: 'immediate', source: 'me' } },
      [{ injected: { injection_id: 'i' } }],
    ],
    [{ approve: { agent_id: 'a', tool_id: 'u', approved: true, approve_all: true } }, [{ ok: {} }]],
    [
      { agents: {} },
      [
        {
          agents: [
            {
              id: 'a',
              instance_id: 'i',
              name: 'n',
              capabilities: ['c'],
              workspaces: [],
              working_dir: '/',
              backend: '',
            },
          ],
        },
      ],
    ],
    [{ thread_usage: { thread_id: 'a/b?ü %2F' } }, [{ thread_usage: { thread_id: 'a/b?ü %2F', usage: [] } }]],
    [
      { stats: {} },
      [
        {
          stats: {
            total_input: 1,
            total_output: 2,
            total_cache_read: 3,
            total_cache_write: 4,
            total_thinking: 5,
            total_tokens: 15,
            request_count: 1,
          },
        },
      ],
    ],
  ];

  for (const [request, replies] of calls) {
    it(`${Object.keys(request)[0]}: the gateway gets the same request, the operator the same replies`, async () => {
      const gateway = new FakeGateway();
      gateway.answer = (_, link) => {
        reply(link, ...replies);
        finish(link);
      };
      const heard = talk(await behindFace(gateway), request);
      expect(await heard.over).toEqual({ code: 0, message: '' });
      expect(gateway.requests).toEqual([request]);
      expect(heard.replies).toEqual(replies);
    });
  }

  it('events: every event with its name, data, and whose it is', async () => {
    const gateway = new FakeGateway();
    gateway.answer = () => {};
    const heard = talk(await behindFace(gateway), { events: {} });
    await until(() => heard.headers === 1);
    const whose = { request_id: 'r-1', thread_id: 't-1', agent_id: 'a-1' };
    const replies = [...everyEvent, ...otherEvents, { done: { full_response: '' } }].map((one) => {
      const [name = '', data] = Object.entries(one)[0] ?? [];
      return { event: { ...whose, name, data } };
    });
    reply(gateway.call(0).link, ...replies);
    await until(() => heard.replies.length === replies.length);
    expect(heard.replies).toEqual(replies);
    heard.link.close({ code: 1, message: '' });
    await until(() => gateway.calls[0]?.ended === true);
    expect(heard.status).toBeUndefined();
  });

  it('refusals come back with their code and words', async () => {
    const gateway = new FakeGateway();
    const dial = await behindFace(gateway);
    for (const code of [3, 5, 7, 8, 9, 14, 16]) {
      gateway.answer = (_, link) => finish(link, code, `because of ${code}`);
      for (const request of [send, { agents: {} }] as const)
        expect(await talk(dial, request).over).toEqual({ code, message: `because of ${code}` });
    }
    expect(await talk(dial, { send: { content: '', sender: '' } }).over).toMatchObject({ code: 3 });
  });

  it('names its streams, and says what it cannot do', async () => {
    const dial = await behindFace(new FakeGateway());
    const first = talk(dial, { shutdown: {} });
    expect([first.link.conn, first.link.stream]).toEqual(['http', 'op1']);
    expect(await first.over).toEqual({ code: 12, message: 'unsupported: the HTTP face has no shutdown' });
    expect(talk(dial, { agents: {} }).link.stream).toBe('op2');
  });

  it('shows its token', async () => {
    const gateway = new FakeGateway();
    gateway.answer = (_, link) => {
      reply(link, { agents: [] });
      finish(link);
    };
    expect(await talk(await behindFace(gateway, 's3cret'), { agents: {} }).over).toEqual({
      code: 0,
      message: '',
    });
  });

  it('a sender that is held back goes on when the operator reads again', async () => {
    const gateway = new FakeGateway();
    gateway.answer = () => {};
    const heard = talk(await behindFace(gateway), send);
    await until(() => gateway.calls.length === 1);
    const call = gateway.call(0);
    reply(call.link, { started: { thread_id: 't' } });
    await until(() => heard.replies.length === 1);
    heard.link.pause();
    const text = { text: { text: 'x'.repeat(50_000) } };
    let sent = 1;
    while (reply(call.link, text) && sent < 1000) sent++;
    await pause(50);
    expect(sent).toBeLessThan(200);
    heard.link.resume();
    await until(() => call.drained > 0 && heard.replies.length === sent + 1);
  });
});

describe("the HTTP driver in front of a stranger's gateway", () => {
  const stream = (body: string): string =>
    `HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n${body}`;

  it('reads events cut at every byte, and passes unknown ones on', async () => {
    const body =
      'event: started\r\ndata: {"thread_id":"t"}\r\n\r\n: quiet\n\nevent: text\rdata: {"text":\rdata: "ü"}\r\r' +
      'event: novelty\ndata: plain words\n\ndata: [1]\n\nevent: done\ndata: {"full_response":"ü"}\n\n';
    const url = await stranger((_, socket) => {
      const bytes = Buffer.from(stream(body));
      const next = (at: number): void => {
        if (at === bytes.length) socket.end();
        else socket.write(bytes.subarray(at, at + 1), () => setImmediate(() => next(at + 1)));
      };
      next(0);
    });
    const heard = talk(httpDriver({ url, next: counter() }), send);
    expect(await heard.over).toEqual({ code: 0, message: '' });
    expect(heard.replies).toEqual([
      { started: { thread_id: 't' } },
      { text: { text: 'ü' } },
      { novelty: 'plain words' },
      { message: [1] },
      { done: { full_response: 'ü' } },
    ]);
  });

  const ends: readonly (readonly [string, string, number, RegExp])[] = [
    [
      'no such route',
      response('404 Not Found', 'text/plain', '404 page not found\n'),
      12,
      /^unsupported: the gateway has no \/api\/send$/,
    ],
    ['no such route, in HTML', response('405 Method Not Allowed', 'text/html', '<p>'), 12, /^unsupported/],
    ['not implemented', response('501 Not Implemented', 'text/plain', ''), 12, /^unsupported/],
    [
      'an unknown agent',
      response('404 Not Found', 'application/json', '{"error":"agent not found"}'),
      5,
      /^agent not found$/,
    ],
    [
      'nobody there',
      response('503 Service Unavailable', 'text/plain', 'no agents\n'),
      14,
      /^HTTP 503 no agents$/,
    ],
    [
      'a redirect',
      'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n',
      2,
      /^HTTP 302$/,
    ],
    [
      'no stream',
      response('200 OK', 'application/json', '{}'),
      2,
      /expected text\/event-stream; came application\/json/,
    ],
    ['too much', response('413 Payload Too Large', 'application/json', '{"error":"big"}'), 8, /^big$/],
    ['no HTTP', 'SSH-2.0-x\r\n', 14, /no answer from the gateway's HTTP face/],
    ['nothing', '', 14, /no answer/],
  ];
  for (const [name, text, code, message] of ends) {
    it(`${name}: code ${code}`, async () => {
      const heard = talk(await answers(text), send);
      expect(await heard.over).toEqual({ code, message: expect.stringMatching(message) as unknown });
      expect(heard.replies).toEqual([]);
    });
  }

  it('a stream that breaks off has no status', async () => {
    const url = await stranger((_, socket) => {
      socket.write(
        'HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n' +
          '1c\r\nevent: text\ndata: {"a":1}\n\n\r\n',
        () => setTimeout(() => socket.destroy(), 20),
      );
    });
    const heard = talk(httpDriver({ url, next: counter() }), send);
    expect(await heard.over).toBeNull();
  });

  it('other answers than those expected are said', async () => {
    const plain = await answers(response('200 OK', 'text/plain', 'fine'));
    expect(await talk(plain, { agents: {} }).over).toMatchObject({
      code: 2,
      message: expect.stringContaining('fine') as unknown,
    });
    const heard = talk(plain, { cancel: { request_id: 'r' } });
    expect([await heard.over, heard.replies]).toEqual([{ code: 0, message: '' }, [{ ok: {} }]]);
    const wrapped = talk(await answers(response('200 OK', 'application/json', '{"agents":[]}')), {
      agents: {},
    });
    expect([await wrapped.over, wrapped.replies]).toEqual([{ code: 0, message: '' }, [{ agents: [] }]]);
  });

  it('an event without end is not kept', async () => {
    const url = await stranger((_, socket) => {
      socket.write(stream('data: '));
      const more = (): void => void socket.write('x'.repeat(1 << 20), (error) => error ?? more());
      more();
    });
    const heard = talk(httpDriver({ url, next: counter() }), send);
    expect(await heard.over).toMatchObject({ code: 8 });
  });

  it('asks where it is told to, on a connection of its own, and leaves when the operator does', async () => {
    const asked: string[] = [];
    let closed = 0;
    const url = await stranger((request, socket) => {
      asked.push(request);
      socket.on('close', () => closed++);
    });
    const dial = httpDriver({
      url: `${url}/base/`,
      next: counter(),
      paths: { cancel: '/stop', thread_usage: '/t/{thread_id}' },
    });
    const heard = [
      talk(dial, { cancel: { request_id: 'r' } }),
      talk(dial, { thread_usage: { thread_id: '../$&' } }),
    ];
    await until(() => asked.length === 2);
    expect(asked.map((one) => one.split(' HTTP', 1)[0]).sort()).toEqual([
      'GET /base/t/..%2F%24%26',
      'POST /base/stop',
    ]);
    for (const { link } of heard) link.close({ code: 1, message: '' });
    await until(() => closed === 2);
    expect(heard.map(({ status }) => status)).toEqual([undefined, undefined]);
  });

  it('nobody listens: code 14; a url that is none is refused at once', async () => {
    const dial = httpDriver({ url: 'http://127.0.0.1:1', next: counter() });
    expect(await talk(dial, send).over).toMatchObject({ code: 14 });
    for (const url of ['127.0.0.1:80', 'ws://x'])
      expect(() => httpDriver({ url, next: counter() })).toThrow(/expected http:/);
  });
});
