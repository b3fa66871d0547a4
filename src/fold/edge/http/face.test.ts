import { request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FakeGateway, everyEvent, finish, pause, reply, until } from '../fake.test-helper.ts';
import type { Heard } from '../fake.test-helper.ts';
import { serveHttpFace } from './face.ts';
import type { HttpFace, HttpFaceOptions } from './face.ts';

const faces: HttpFace[] = [];
const sockets: Socket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  for (const face of faces.splice(0)) await face.close();
});

async function serve(
  gateway: FakeGateway,
  options: Partial<HttpFaceOptions> = {},
): Promise<{ face: HttpFace; url: string }> {
  const face = await serveHttpFace({ host: '127.0.0.1', port: 0, accept: gateway.accept, ...options });
  faces.push(face);
  return { face, url: `http://127.0.0.1:${face.port}` };
}

/** Writes bytes as they are, and notes what comes. */
function raw(
  face: HttpFace,
  text: string | Uint8Array,
): { socket: Socket; got: () => string; closed: () => boolean } {
  const socket = connect(face.port, '127.0.0.1');
  sockets.push(socket);
  let got = '';
  let closed = false;
  socket.on('data', (chunk) => void (got += chunk.toString('latin1')));
  socket.on('close', () => void (closed = true));
  socket.on('error', () => {});
  socket.write(text);
  return { socket, got: () => got, closed: () => closed };
}

const post = (
  url: string,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Response> =>
  fetch(url + path, {
    method: 'POST',
    body: typeof body === 'string' ? body : JSON.stringify(body),
    headers,
  });

async function errorOf(response: Response): Promise<string> {
  const { error } = (await response.json()) as { error: string };
  return error;
}

const rawPost = (path: string, body: string, headers = ''): string =>
  `POST ${path} HTTP/1.1\r\nHost: localhost\r\n${headers}Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe('the calls of the HTTP face', () => {
  it('are operator calls: one request, half-closed, on a stream of its own', async () => {
    const gateway = new FakeGateway();
    gateway.answer = (_, link) => {
      reply(link, { ok: {} });
      finish(link);
    };
    const { url } = await serve(gateway);
    const cancel = await post(url, '/api/cancel', { request_id: 'r-1', reason: 'enough', more: 1 });
    expect([cancel.status, await cancel.json()]).toEqual([200, { ok: true }]);
    await post(url, '/api/tools/approve', {
      agent_id: 'a',
      tool_id: 'u',
      approved: false,
      approve_all: null,
    });
    expect(gateway.requests).toEqual([
      { cancel: { request_id: 'r-1', reason: 'enough' } },
      { approve: { agent_id: 'a', tool_id: 'u', approved: false } },
    ]);
    const [first, second] = gateway.calls;
    expect(first?.metadata).toEqual({ ':path': '/wireproof.Operator/Call' });
    expect([first?.halfClosed, first?.ended]).toEqual([true, false]);
    expect([first?.link.conn, first?.link.stream, second?.link.stream]).toEqual(['http', 'h1', 'h2']);
  });

  it('answer with the published JSON', async () => {
    const gateway = new FakeGateway();
    gateway.answer = (request, link) => {
      if (request.agents) reply(link, { agents: [] });
      if (request.inject) reply(link, { injected: { injection_id: 'i-1' } });
      if (request.thread_usage)
        reply(link, { thread_usage: { thread_id: request.thread_usage.thread_id, usage: [] } });
      finish(link);
    };
    const { url } = await serve(gateway);
    expect(await (await fetch(`${url}/api/agents?x=1`)).json()).toEqual([]);
    expect(await (await post(url, '/api/inject', { agent_id: 'a', content: 'c' })).json()).toEqual({
      injection_id: 'i-1',
    });
    expect(await (await fetch(`${url}/api/threads/a%2Fb%20%C3%BC/usage`)).json()).toEqual({
      thread_id: 'a/b ü',
      usage: [],
    });
    expect((await fetch(`${url}/api/stats/usage`)).status).toBe(500); // ended without an answer
  });

  it('send is a stream of events under their published names', async () => {
    const gateway = new FakeGateway();
    gateway.answer = (_, link) => {
      reply(link, ...everyEvent, { done: { full_response: 'x' } });
      finish(link);
    };
    const { url } = await serve(gateway);
    const response = await post(url, '/api/send', { content: 'hello', sender: 'me', agent_id: 'a-1' });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const text = await response.text();
    expect(text).toContain('event: started\ndata: {"thread_id":"t-1"');
    expect(text).toContain('event: tool_state\ndata: {"id":"u-1","state":"canceled","detail":"enough"}\n\n');
    expect(text.endsWith('event: done\ndata: {"full_response":"x"}\n\n')).toBe(true);
    expect(gateway.requests).toEqual([{ send: { content: 'hello', sender: 'me', agent_id: 'a-1' } }]);
  });

  it('an end that is a failure is an HTTP status before the first event, an error event after it', async () => {
    const gateway = new FakeGateway();
    const { url } = await serve(gateway);
    const statuses = { 3: 400, 5: 404, 7: 403, 8: 429, 9: 409, 12: 501, 14: 503, 16: 401, 2: 500, 13: 500 };
    for (const [code, status] of Object.entries(statuses)) {
      gateway.answer = (_, link) => finish(link, Number(code), 'because');
      const response = await post(url, '/api/send', { content: 'x' });
      expect([response.status, await response.json()]).toEqual([status, { error: 'because' }]);
    }
    gateway.answer = (_, link) => {
      reply(link, { started: { thread_id: 't' } });
      finish(link, 14, 'agent lost');
    };
    const late = await post(url, '/api/send', { content: 'x' });
    expect([late.status, await late.text()]).toEqual([
      200,
      'event: started\ndata: {"thread_id":"t"}\n\nevent: error\ndata: {"error":"agent lost"}\n\n',
    ]);
    gateway.answer = (_, link) => {
      reply(link, { started: { thread_id: 't' } }, { error: { error: 'its own' } });
      finish(link, 14, 'agent lost');
    };
    expect(await (await post(url, '/api/send', { content: 'x' })).text()).not.toContain('agent lost');
  });

  it('events begin at once, and say whose they are', async () => {
    const gateway = new FakeGateway();
    gateway.answer = () => {};
    const { url } = await serve(gateway);
    const response = await fetch(`${url}/api/events`);
    const reader = response.body?.getReader();
    expect(new TextDecoder().decode((await reader?.read())?.value)).toMatch(/^: /);
    const [call] = gateway.calls;
    const event = { request_id: 'r', thread_id: 't', agent_id: 'a', name: 'text', data: { text: 'hi' } };
    if (call) reply(call.link, { event });
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe(
      'event: text\ndata: {"request_id":"r","thread_id":"t","agent_id":"a","text":"hi"}\n\n',
    );
    await reader?.cancel();
    await until(() => call?.ended === true);
  });

  it('wrong fields are refused in words, and nothing reaches the gateway', async () => {
    const gateway = new FakeGateway();
    const { url } = await serve(gateway);
    const refused: readonly (readonly [string, unknown, RegExp])[] = [
      ['/api/send', {}, /^content: expected a string that is not empty; came nothing/],
      ['/api/send', { content: 7 }, /^content: .*came 7/],
      ['/api/send', { content: 'x', agent_id: ['a'] }, /^agent_id: expected a string; came \["a"\]/],
      ['/api/send', { content: 'x', attachments: [{ data: '!' }] }, /^attachments: expected a list/],
      ['/api/send', [], /^the body: expected a JSON object; came \[\]/],
      ['/api/send', '{', /^the body: expected a JSON object in UTF-8/],
      ['/api/send', '', /an empty body/],
      ['/api/send', '['.repeat(4200) + ']'.repeat(4200), /at most 512 levels of nesting/],
      ['/api/send', `{"content":"x","attachments":${'['.repeat(1e6)}`, /at most 512 levels of nesting/],
      ['/api/cancel', { reason: 'r' }, /^request_id or thread_id: expected at least one/],
      [
        '/api/inject',
        { agent_id: 'a', content: 'c', priority: 'now' },
        /^priority: expected one of "immediate"/,
      ],
      [
        '/api/tools/approve',
        { agent_id: 'a', tool_id: 'u' },
        /^approved: expected true or false; came nothing/,
      ],
      ['/api/tools/approve', { agent_id: 'a', tool_id: 'u', approved: 'yes' }, /^approved: .*came "yes"/],
    ];
    for (const [path, body, error] of refused) {
      const response = await post(url, path, body);
      expect(response.status).toBe(400);
      expect(await errorOf(response)).toMatch(error);
    }
    const notUtf8 = await fetch(`${url}/api/send`, { method: 'POST', body: Uint8Array.of(0x22, 0xff, 0x22) });
    expect(notUtf8.status).toBe(400);
    expect(gateway.calls).toEqual([]);
  });

  it('routes that are not there are named, and so are methods', async () => {
    const { url } = await serve(new FakeGateway());
    for (const path of [
      '/api/nothing',
      '/api/threads//usage',
      '/api/threads/a/b/usage',
      '/api/threads/usage',
    ]) {
      const response = await fetch(url + path);
      expect(response.status).toBe(404);
      expect(await response.json()).toMatchObject({
        routes: expect.arrayContaining(['POST /api/send']) as unknown,
      });
    }
    const wrong = await fetch(`${url}/api/send`);
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
    expect((await fetch(`${url}/api/agents`, { method: 'DELETE' })).headers.get('allow')).toBe('GET');
    expect((await fetch(`${url}/api/threads/%ff/usage`)).status).toBe(400);
  });

  it('says what there is', async () => {
    const { url } = await serve(new FakeGateway());
    const page = await fetch(`${url}/`);
    expect(page.headers.get('content-type')).toMatch(/^text\/plain/);
    const text = await page.text();
    expect(text).toContain(`curl ${url}/api/agents`);
    expect(text).toContain('POST /api/inject');
    expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: 'ok' });
  });
});

describe('who may call the HTTP face', () => {
  const get = (host: string, more = ''): string =>
    `GET /api/agents HTTP/1.1\r\nHost: ${host}\r\n${more}Connection: close\r\n\r\n`;
  const agents = (): FakeGateway => {
    const gateway = new FakeGateway();
    gateway.answer = (_, link) => {
      reply(link, { agents: [] });
      finish(link);
    };
    return gateway;
  };
  const statusOf = async (face: HttpFace, text: string): Promise<string> => {
    const { got, closed } = raw(face, text);
    await until(closed);
    return got().slice(9, 12);
  };

  it('a foreign Host is refused: a page cannot rebind its name to this machine', async () => {
    const { face } = await serve(agents(), { allowHosts: ['gateway.example'] });
    for (const host of [
      'localhost',
      'LOCALHOST:1',
      '127.0.0.1',
      '127.9.9.9:80',
      '[::1]:80',
      'gateway.example:9',
    ])
      expect([host, await statusOf(face, get(host))]).toEqual([host, '200']);
    for (const host of [
      'evil.example',
      'localhost.evil.example',
      'localhost@evil.example',
      '127.0.0.1.evil.example',
    ])
      expect([host, await statusOf(face, get(host))]).toEqual([host, '403']);
    expect(await statusOf(face, 'GET / HTTP/1.0\r\n\r\n')).toBe('200');
  });

  it('a foreign Origin is refused, its own is not', async () => {
    const gateway = agents();
    const { face } = await serve(gateway);
    const host = `127.0.0.1:${face.port}`;
    expect(await statusOf(face, get(host, `Origin: http://${host}\r\n`))).toBe('200');
    for (const origin of [
      'http://evil.test',
      'null',
      'http://127.0.0.1:1',
      'http://localhost',
      `file://${host}`,
    ])
      expect([origin, await statusOf(face, get(host, `Origin: ${origin}\r\n`))]).toEqual([origin, '403']);
    expect(gateway.calls).toHaveLength(1);
  });

  it('a token is asked for where there is one, and has to be given where others can reach the face', async () => {
    const gateway = agents();
    await expect(serve(gateway, { host: '0.0.0.0' })).rejects.toThrow(/token/);
    await expect(serve(gateway, { host: '0.0.0.0', token: '' })).rejects.toThrow(/token/);
    const { url } = await serve(gateway, { host: '0.0.0.0', token: 'secret' });
    const none = await fetch(`${url}/api/agents`);
    expect([none.status, none.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    for (const token of ['secre', 'secret2', 'Secret', ''])
      expect(
        (await fetch(`${url}/api/agents`, { headers: { authorization: `Bearer ${token}` } })).status,
      ).toBe(401);
    expect((await fetch(`${url}/`)).status).toBe(401);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(gateway.calls).toEqual([]);
    const given = await fetch(`${url}/api/agents`, { headers: { authorization: 'bearer secret' } });
    expect(given.status).toBe(200);
  });
});

describe('what comes broken to the HTTP face', () => {
  it('an oversized body is refused, said, chunked or asked for first', async () => {
    const gateway = new FakeGateway();
    const { face, url } = await serve(gateway, { maxBody: 1000 });
    const said = await post(url, '/api/send', { content: 'x'.repeat(1000) });
    expect([said.status, await errorOf(said)]).toEqual([413, expect.stringContaining('at most 1000 bytes')]);
    const chunk = `400\r\n${'x'.repeat(0x400)}\r\n`;
    const head = 'POST /api/send HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
    const chunked = raw(face, head + chunk.repeat(3));
    await until(() => chunked.got().includes('413'));
    const asked = raw(
      face,
      'POST /api/send HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2000\r\n\r\n',
    );
    await until(() => asked.got() !== '');
    expect(asked.got()).toMatch(/^HTTP\/1\.1 413/);
    expect(gateway.calls).toEqual([]);
    const fits = raw(
      face,
      'POST /api/send HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 15\r\n\r\n',
    );
    await until(() => fits.got().startsWith('HTTP/1.1 100'));
    fits.socket.write('{"content":"x"}');
    await until(() => gateway.calls.length === 1);
  });

  it('a body of just the limit is taken', async () => {
    const gateway = new FakeGateway();
    const { url } = await serve(gateway);
    const content = 'x'.repeat((4 << 20) - '{"content":""}'.length);
    expect((await post(url, '/api/send', { content })).status).toBe(200);
    expect((await post(url, '/api/send', { content: `${content}x` })).status).toBe(413);
    expect(gateway.calls).toHaveLength(1);
  });

  it('half a body, then nobody: no call', async () => {
    const gateway = new FakeGateway();
    const { face } = await serve(gateway);
    const half = raw(
      face,
      'POST /api/send HTTP/1.1\r\nHost: localhost\r\nContent-Length: 50\r\n\r\n{"content"',
    );
    await pause(30);
    half.socket.destroy();
    await pause(30);
    expect(gateway.calls).toEqual([]);
  });

  it('compressed bodies and bytes that are no HTTP are refused', async () => {
    const { face } = await serve(new FakeGateway());
    const zipped = raw(face, rawPost('/api/send', '{}', 'Content-Encoding: gzip\r\n'));
    await until(() => zipped.got().startsWith('HTTP/1.1 415'));
    const none = raw(face, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n');
    await until(none.closed);
    expect(none.got()).toMatch(/^(HTTP\/1\.1 400|$)/);
  });

  it('pipelined requests are answered in order, and all of them hear that the caller left', async () => {
    const gateway = new FakeGateway();
    gateway.answer = (request, link) => {
      if (request.agents) {
        reply(link, { agents: [] });
        finish(link);
      } else reply(link, { started: { thread_id: request.send?.content ?? '' } });
    };
    const { face } = await serve(gateway);
    const agents = 'GET /api/agents HTTP/1.1\r\nHost: localhost\r\n\r\n';
    const both = raw(
      face,
      agents + rawPost('/api/send', '{"content":"one"}') + rawPost('/api/send', '{"content":"two"}') + agents,
    );
    await until(() => gateway.calls.length === 4 && both.got().includes('"one"'));
    expect(both.got()).not.toContain('"two"');
    const sent = (content: string): Heard | undefined =>
      gateway.calls.find(({ request }) => request?.send?.content === content);
    finish(gateway.call(gateway.requests.findIndex((one) => one?.send?.content === 'one')).link);
    await until(() => both.got().includes('"two"'));
    both.socket.destroy();
    await until(() => sent('two')?.ended === true);
    expect(gateway.calls.filter(({ ended }) => ended)).toHaveLength(1);
  });

  it('a connection with too many open requests is cut', async () => {
    const gateway = new FakeGateway();
    gateway.answer = () => {};
    const { face } = await serve(gateway);
    const many = raw(face, 'GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(100));
    await until(many.closed);
    await until(() => gateway.calls.every(({ ended }) => ended));
    expect(gateway.calls).toHaveLength(16);
  });
});

describe('a caller that reads slowly', () => {
  it('holds the gateway back, and is told to go on when it reads again', async () => {
    const gateway = new FakeGateway();
    gateway.answer = () => {};
    const { face } = await serve(gateway);
    const slow = raw(face, rawPost('/api/send', '{"content":"x"}'));
    slow.socket.pause();
    await until(() => gateway.calls.length === 1);
    const call = gateway.call(0);
    const text = { text: { text: 'x'.repeat(100_000) } };
    let sent = 0;
    while (reply(call.link, text) && sent < 1000) sent++;
    expect(sent).toBeLessThan(100);
    await pause(20);
    let total = sent + 1;
    slow.socket.resume();
    await until(() => call.drained === 1);
    while (total < 200) {
      const drained = call.drained;
      total++;
      if (!reply(call.link, text)) await until(() => call.drained > drained);
    }
    finish(gateway.call(0).link);
    await until(() => slow.got().split('event: text').length === 201);
  });

  it('one that never reads is cut when the call has ended, or when the sender goes on all the same', async () => {
    const gateway = new FakeGateway();
    gateway.answer = () => {};
    const { face } = await serve(gateway);
    const slow = raw(face, rawPost('/api/send', '{"content":"x"}'));
    slow.socket.pause();
    await until(() => gateway.calls.length === 1);
    const call = gateway.call(0);
    const text = { text: { text: 'x'.repeat(1 << 20) } };
    for (let i = 0; i < 100; i++) reply(call.link, text);
    await until(() => call.ended);
  });

  it('one that leaves is told of, once', async () => {
    const gateway = new FakeGateway();
    gateway.answer = (_, link) => void reply(link, { started: { thread_id: 't' } });
    const { face } = await serve(gateway);
    const request = httpRequest({ port: face.port, method: 'POST', path: '/api/send' });
    request.on('error', () => {});
    request.end('{"content":"x"}');
    await new Promise<void>((resolve) => request.once('response', () => resolve()));
    request.destroy();
    await until(() => gateway.calls[0]?.ended === true);
    finish(gateway.call(0).link); // late: nothing happens
  });

  it('closing the face ends what is open', async () => {
    const gateway = new FakeGateway();
    gateway.answer = () => {};
    const { face } = await serve(gateway);
    raw(face, 'GET /api/events HTTP/1.1\r\nHost: localhost\r\n\r\n');
    await until(() => gateway.calls.length === 1);
    await face.close();
    faces.length = 0;
    await until(() => gateway.calls[0]?.ended === true);
  });
});
