import { afterEach, describe, expect, it } from 'vitest';
import { dialGrpc, serveGrpc } from '../../../kit/transport/index.ts';
import type { Status } from '../../../kit/base/index.ts';
import { ignoredEvents } from '../../../kit/world/index.ts';
import type { Accept, Dial, Link } from '../../../kit/world/index.ts';
import type { ClientStreamEvent } from '../../messages.ts';
import type { OperatorReply, OperatorRequest } from '../../operator.ts';
import { clientServiceDriver } from './driver.ts';
import { clientServiceAccept } from './service.ts';
import { call } from './unary.ts';
import { approveTool, clientServicePaths, getMe, listAgents, sendMessage, streamEvents } from './methods.ts';
import type { Method } from './methods.ts';
import {
  FakeGateway,
  counter,
  dialTo,
  everyEvent,
  finish,
  otherEvents,
  pause,
  reply,
  talk,
  until,
} from '../fake.test-helper.ts';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

const ask = <In, Out>(dial: Dial, method: Method<In, Out>, request: In): Promise<Out | Status> =>
  new Promise((resolve) => {
    call(dial, {}, method, request, (answer) =>
      resolve('message' in answer && !('code' in answer) ? answer.message : answer),
    );
  });

/** Listens to a conversation; resolves when the gateway says that it is heard. */
function listen(
  dial: Dial,
  request: { conversation_key?: string; since_event_id?: string },
): Promise<{ events: ClientStreamEvent[]; link: Link; status: () => Status | undefined }> {
  return new Promise((resolve) => {
    const events: ClientStreamEvent[] = [];
    let status: Status | undefined;
    const link = dial(
      { metadata: { ':path': streamEvents.path } },
      {
        ...ignoredEvents,
        headers: () => resolve({ events, link, status: () => status }),
        message(bytes) {
          const decoded = streamEvents.answer.decode(bytes);
          if (decoded.ok) events.push(decoded.value.message);
        },
        ended(end) {
          status = end;
          resolve({ events, link, status: () => status });
        },
      },
    );
    link.send(streamEvents.request.encode(request));
    link.halfClose();
  });
}

const answering = (...replies: OperatorReply[]): FakeGateway => {
  const gateway = new FakeGateway();
  gateway.answer = (_, link) => {
    reply(link, ...replies);
    finish(link);
  };
  return gateway;
};

const inMemory = (gateway: FakeGateway): Dial =>
  dialTo(clientServiceAccept(gateway.accept, { now: () => 0 }));

async function overGrpc(accept: Accept): Promise<Dial> {
  const server = await serveGrpc({
    host: '127.0.0.1',
    port: 0,
    methods: clientServicePaths,
    accept,
    maxReceive: 4 << 20,
  });
  closing.push(() => server.close());
  return dialGrpc({ address: `127.0.0.1:${server.port}`, method: '', maxReceive: 16 << 20 });
}

const started = { started: { thread_id: 't-1', request_id: 'r-1', agent_id: 'a-1' } };

describe('ClientService in front of a gateway', () => {
  it('passes on what is not its own', async () => {
    const gateway = answering({ agents: [] });
    const heard = talk(inMemory(gateway), { agents: {} });
    expect([await heard.over, heard.replies]).toEqual([{ code: 0, message: '' }, [{ agents: [] }]]);
    expect(gateway.calls[0]?.metadata).toEqual({ ':path': '/wireproof.Operator/Call' });
  });

  it('SendMessage is a send; its events reach those who listen to the conversation, as times that grow', async () => {
    const gateway = answering(started, ...everyEvent.slice(1), ...otherEvents, {
      done: { full_response: 'x' },
    });
    const dial = inMemory(gateway);
    const [a, b] = [
      await listen(dial, { conversation_key: 'a-1' }),
      await listen(dial, { conversation_key: 'b' }),
    ];
    const answer = await ask(dial, sendMessage, {
      conversation_key: 'a-1',
      content: 'hello',
      attachments: [{ filename: 'f', data: 'aGk=' }],
    });
    expect(answer).toEqual({ status: 'accepted', message_id: 'r-1' });
    await until(() => a.events.at(-1)?.done !== undefined);
    expect(a.events).toHaveLength(everyEvent.length);
    expect(a.events.every(({ conversation_key }) => conversation_key === 'a-1')).toBe(true);
    const ids = a.events.map(({ timestamp = '' }) => timestamp);
    expect([...new Set(ids)].sort()).toEqual(ids);
    expect(b.events).toEqual([]);
    expect(gateway.requests).toEqual([
      {
        send: {
          content: 'hello',
          sender: 'client-service',
          agent_id: 'a-1',
          attachments: [{ filename: 'f', data: 'aGk=' }],
        },
      },
    ]);
    const again = await listen(dial, { conversation_key: 'a-1', since_event_id: ids[3] ?? '' });
    await until(() => again.events.length === ids.length - 4);
  });

  it('an agent stays in its thread, and a thread that was begun here is a conversation of its own', async () => {
    const gateway = answering(started, { done: { full_response: '' } });
    const dial = inMemory(gateway);
    for (const key of ['a-1', 'a-1', 't-1', 't-2'])
      await ask(dial, sendMessage, { conversation_key: key, content: 'x' });
    const sender = 'client-service';
    expect(gateway.requests).toEqual([
      { send: { content: 'x', sender, agent_id: 'a-1' } },
      { send: { content: 'x', sender, agent_id: 'a-1', thread_id: 't-1' } },
      { send: { content: 'x', sender, thread_id: 't-1' } },
      { send: { content: 'x', sender, agent_id: 't-2' } },
    ]);
  });

  it('refusals are statuses', async () => {
    const gateway = new FakeGateway();
    gateway.answer = (_, link) => finish(link, 14, 'agent a-1 is offline');
    const dial = inMemory(gateway);
    const send = (key: string): Promise<unknown> =>
      ask(dial, sendMessage, { conversation_key: key, content: 'x' });
    expect(await send('a-1')).toEqual({ code: 14, message: 'agent a-1 is offline' });
    expect(await send('')).toMatchObject({ code: 3 });
    gateway.answer = (_, link) => finish(link);
    expect(await send('a-1')).toMatchObject({ code: 14 });
    expect((await listen(dial, {})).status()).toMatchObject({ code: 3 });
    expect((await listen(dial, { conversation_key: 'a', since_event_id: '7' })).status()).toMatchObject({
      code: 3,
    });
    const odd = { ...sendMessage, path: '/coven.ClientService/AnswerQuestion' };
    expect(await ask(dial, odd, {})).toMatchObject({ code: 12 });
  });

  it('a request that ends without a terminal is an error for those who listen', async () => {
    const gateway = new FakeGateway();
    gateway.answer = (_, link) => {
      reply(link, started);
      finish(link, 8, 'stalled');
    };
    const dial = inMemory(gateway);
    const { events } = await listen(dial, { conversation_key: 'a-1' });
    await ask(dial, sendMessage, { conversation_key: 'a-1', content: 'x' });
    await until(() => events.length === 1);
    expect(events[0]).toMatchObject({ error: { message: 'stalled' } });
  });

  it('the same idempotency key again is a duplicate, unless the first was refused', async () => {
    const gateway = new FakeGateway();
    gateway.answer = () => {};
    const dial = inMemory(gateway);
    const send = (key: string): Promise<unknown> =>
      ask(dial, sendMessage, { conversation_key: 'a-1', content: 'x', idempotency_key: key });
    const [first, same, refused, retried] = [send('k'), send('k'), send('l'), send('l')];
    await until(() => gateway.calls.length === 2);
    reply(gateway.call(0).link, started);
    gateway.answer = (_, link) => void reply(link, { started: { thread_id: 't', request_id: 'r-2' } });
    finish(gateway.call(1).link, 14, 'nobody');
    expect(await first).toEqual({ status: 'accepted', message_id: 'r-1' });
    expect(await same).toEqual({ status: 'duplicate', message_id: 'r-1' });
    expect(await refused).toEqual({ code: 14, message: 'nobody' });
    expect(await retried).toEqual({ status: 'accepted', message_id: 'r-2' });
    expect(await send('k')).toEqual({ status: 'duplicate', message_id: 'r-1' });
    expect(gateway.calls).toHaveLength(3);
  });

  it('lists agents, says who asks, and carries decisions', async () => {
    const gateway = new FakeGateway();
    const agent = {
      id: 'a',
      instance_id: 'i',
      name: 'n',
      capabilities: [],
      workspaces: [],
      working_dir: '/',
      backend: 'b',
    };
    gateway.answer = (request, link) => {
      if (request.agents) reply(link, { agents: [agent] });
      if (request.approve?.tool_id === 'u') reply(link, { ok: {} });
      if (request.approve !== undefined && request.approve.tool_id !== 'u') finish(link, 5, 'not asked');
      finish(link);
    };
    const dial = inMemory(gateway);
    expect(await ask(dial, listAgents, {})).toEqual({
      agents: [{ id: 'a', name: 'n', backend: 'b', working_dir: '/', connected: true }],
    });
    expect(await ask(dial, getMe, {})).toEqual({ principal_id: 'anonymous' });
    const decision = { agent_id: 'a', tool_id: 'u', approved: true };
    expect(await ask(dial, approveTool, decision)).toEqual({ success: true });
    expect(await ask(dial, approveTool, { ...decision, tool_id: 'v' })).toEqual({ error: 'not asked' });
    expect(gateway.requests[1]).toEqual({ approve: { ...decision, approve_all: false } });
  });

  it('bytes that are no request, and no request, are refused', async () => {
    const dial = inMemory(new FakeGateway());
    for (const bytes of [Uint8Array.of(0xff, 0xff), undefined]) {
      const status = await new Promise<Status | undefined>((resolve) => {
        const link = dial({ metadata: { ':path': sendMessage.path } }, { ...ignoredEvents, ended: resolve });
        if (bytes !== undefined) link.send(bytes);
        link.halfClose();
      });
      expect(status).toMatchObject({ code: 3 });
    }
  });
});

describe('the ClientService driver', () => {
  const send = (agent_id: string): OperatorRequest => ({
    send: { content: 'hello', sender: 'me', agent_id },
  });

  for (const [name, reach] of [
    ['in memory', (gateway: FakeGateway) => Promise.resolve(inMemory(gateway))],
    ['over gRPC', (gateway: FakeGateway) => overGrpc(clientServiceAccept(gateway.accept))],
  ] as const) {
    it(`${name}: a send's events come back, up to the terminal`, async () => {
      for (const end of [
        { done: { full_response: 'x' } },
        { error: { error: 'no' } },
        { canceled: { reason: 'r' } },
      ]) {
        const gateway = answering(...everyEvent, end, { text: { text: 'late' } });
        const heard = talk(clientServiceDriver({ dial: await reach(gateway), next: counter() }), send('a-1'));
        expect(await heard.over).toEqual({ code: 0, message: '' });
        expect(heard.replies).toEqual([{ started: { thread_id: '' } }, ...everyEvent.slice(1), end]);
        expect(gateway.requests).toEqual([
          { send: { content: 'hello', sender: 'client-service', agent_id: 'a-1' } },
        ]);
        expect([heard.link.conn, heard.link.stream]).toEqual(['client-service', 'op1']);
      }
    });

    it(`${name}: agents, decisions and refusals`, async () => {
      const gateway = new FakeGateway();
      gateway.answer = (request, link) => {
        if (request.agents) {
          const one = {
            id: 'a',
            instance_id: 'i',
            name: 'n',
            capabilities: ['c'],
            workspaces: [],
            working_dir: '',
            backend: '',
          };
          reply(link, { agents: [one] });
          finish(link);
        } else if (request.approve?.approved === true) {
          reply(link, { ok: {} });
          finish(link);
        } else finish(link, 5, 'no such thing');
      };
      const dial = clientServiceDriver({ dial: await reach(gateway), next: counter() });
      const agents = talk(dial, { agents: {} });
      expect(await agents.over).toEqual({ code: 0, message: '' });
      expect(agents.replies).toEqual([
        {
          agents: [
            {
              id: 'a',
              name: 'n',
              backend: '',
              working_dir: '',
              instance_id: '',
              capabilities: [],
              workspaces: [],
            },
          ],
        },
      ]);
      const approve = { agent_id: 'a', tool_id: 'u', approved: true, approve_all: true };
      const decided = talk(dial, { approve });
      expect([await decided.over, decided.replies]).toEqual([{ code: 0, message: '' }, [{ ok: {} }]]);
      expect(gateway.requests.at(-1)).toEqual({ approve });
      const refusal = { code: 5, message: 'no such thing' };
      expect(await talk(dial, { approve: { ...approve, approved: false } }).over).toEqual(refusal);
      expect(await talk(dial, send('a-1')).over).toEqual(refusal);
      expect(await talk(dial, send('a-1')).over).toEqual(refusal); // the conversation is free again
    });
  }

  it('what ClientService cannot do is unsupported', async () => {
    const gateway = new FakeGateway();
    gateway.answer = (_, link) => void reply(link, started);
    const dial = clientServiceDriver({ dial: inMemory(gateway), next: counter() });
    const cancel = talk(dial, { cancel: { request_id: 'r' } });
    expect(await cancel.over).toEqual({ code: 12, message: 'unsupported: ClientService has no cancel' });
    const whom: readonly OperatorRequest[] = [
      { send: { content: 'x', sender: '' } },
      { send: { content: 'x', sender: '', agent_id: 'a', thread_id: 't' } },
    ];
    for (const request of whom) expect(await talk(dial, request).over).toMatchObject({ code: 12 });
    const running = talk(dial, send('a-1'));
    expect(await talk(dial, send('a-1')).over).toMatchObject({ code: 12 });
    await until(() => running.replies.length === 1);
    running.link.close({ code: 1, message: '' });
    const next = talk(dial, send('a-1'));
    await until(() => next.replies.length === 1);
    expect(running.status).toBeUndefined();
  });

  it('a gateway without the service, and none at all', async () => {
    const server = await serveGrpc({
      host: '127.0.0.1',
      port: 0,
      methods: ['/x.X/Y'],
      accept: () => ignoredEvents,
      maxReceive: 100,
    });
    const dial = dialGrpc({ address: `127.0.0.1:${server.port}`, method: '', maxReceive: 100 });
    const driver = clientServiceDriver({ dial, next: counter() });
    for (const request of [send('a'), { agents: {} }] as const)
      expect(await talk(driver, request).over).toMatchObject({
        code: 12,
        message: expect.stringMatching(/^unsupported/) as unknown,
      });
    server.close();
    expect(await talk(driver, send('a')).over).toMatchObject({ code: 14 });
  });

  it('a gateway that says nothing before its first event gets the message all the same', async () => {
    const gateway = answering(started, { text: { text: 'hi' } }, { done: { full_response: 'hi' } });
    const accept = clientServiceAccept(gateway.accept);
    const mute: Accept = (link, metadata) => accept({ ...link, headers: () => {} }, metadata);
    const heard = talk(clientServiceDriver({ dial: dialTo(mute), next: counter() }), send('a-1'));
    expect(await heard.over).toEqual({ code: 0, message: '' });
    expect(heard.replies).toHaveLength(3);
  });

  it('over gRPC a burst arrives whole though the operator pauses, and holds the gateway back', async () => {
    const gateway = new FakeGateway();
    gateway.answer = () => {};
    const dial = await overGrpc(clientServiceAccept(gateway.accept));
    const heard = talk(clientServiceDriver({ dial, next: counter() }), send('a-1'));
    await until(() => gateway.calls.length === 1);
    const call = gateway.call(0);
    reply(call.link, started);
    await until(() => heard.replies.length === 1);
    heard.link.pause();
    let sent = 0;
    while (reply(call.link, { text: { text: 'x'.repeat(100_000) } }) && sent < 1000) sent++;
    expect(sent).toBeLessThan(1000);
    for (let i = 0; i < 20; i++, sent++) reply(call.link, { text: { text: 'x'.repeat(100_000) } });
    await pause(20);
    heard.link.resume();
    await until(() => call.drained > 0 && heard.replies.length === sent + 2);
    reply(call.link, { done: { full_response: '' } });
    expect(await heard.over).toEqual({ code: 0, message: '' });
  });
});
