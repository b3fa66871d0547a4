import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import type { Accept, Fault, Link } from '../world/index.ts';
import { until } from '../world/until.test-helper.ts';
import { byteWire } from './byte-endpoint.ts';
import { Connections } from './connections.ts';
import type { ByteEndpoint } from './connections.ts';
import { connectTcp, listenTcp } from './tcp.ts';
import { connectWebSocket, listenWebSocket } from './websocket.ts';

const open: ByteEndpoint[] = [];
afterEach(() => {
  for (const carriage of open.splice(0)) carriage.close();
});

/** One end: what it has heard, and its link once there is one. */
class End {
  link: Link | undefined;
  carrier = '';
  readonly heard: string[] = [];
  ended: string | undefined;
  readonly accept: Accept = (link, metadata) => {
    this.link = link;
    this.carrier = metadata[':carrier'] ?? '';
    return {
      headers: () => {},
      message: (bytes) => void this.heard.push(Buffer.from(bytes).toString('latin1')),
      halfClose: () => {},
      ended: (status) => (this.ended = status === undefined ? 'broken' : `status ${status.code}`),
      drained: () => this.heard.push('drained'),
      ping: () => {},
    };
  };
}

const host = '127.0.0.1';
const maxReceive = 1 << 20;

const carriers = {
  tcp: {
    listen: (accept: Accept) => listenTcp({ host, port: 0, accept }),
    connect: (port: number, accept: Accept) => connectTcp({ host, port, accept }),
  },
  ws: {
    listen: (accept: Accept) => listenWebSocket({ host, port: 0, accept, maxReceive }),
    connect: (port: number, accept: Accept) =>
      connectWebSocket({ url: `ws://${host}:${port}`, accept, maxReceive }),
  },
} as const;

async function joined(name: keyof typeof carriers): Promise<{ a: End; b: End; fault: (f: Fault) => void }> {
  const [a, b] = [new End(), new End()];
  const near = await carriers[name].listen(a.accept);
  const far = await carriers[name].connect(near.port, b.accept);
  open.push(near, far);
  await until(() => a.link !== undefined);
  return { a, b, fault: (fault) => near.fault(fault) };
}

describe.each(['tcp', 'ws'] as const)('the carrier %s', (name) => {
  it('carries bytes both ways, and says in the metadata what it is', async () => {
    const { a, b } = await joined(name);
    a.link?.send(Buffer.from('to b'));
    b.link?.send(Buffer.from('to a'));
    await until(() => a.heard.length > 0 && b.heard.length > 0);
    expect([a.heard, b.heard, a.carrier, b.carrier]).toEqual([['to a'], ['to b'], name, name]);
    expect([a.link?.conn, a.link?.stream]).toEqual(['c1', 's1']);
  });

  it('ends with a status when the other side closes, after what was sent before', async () => {
    const { a, b } = await joined(name);
    b.link?.send(Buffer.from('last'));
    b.link?.close({ code: 0, message: '' });
    await until(() => a.ended !== undefined);
    expect([a.heard, a.ended]).toEqual([['last'], 'status 0']);
  });

  it('ends without a status when it is reset', async () => {
    const { b, fault } = await joined(name);
    fault({ kind: 'reset' });
    await until(() => b.ended !== undefined);
    expect(b.ended).toBe('broken');
  });

  it('holds back what is sent while it is stalled, then lets it through in order', async () => {
    const { a, b, fault } = await joined(name);
    const began = Date.now();
    fault({ kind: 'stall', ms: 80 });
    a.link?.send(Buffer.from('1'));
    a.link?.send(Buffer.from('2'));
    a.link?.close({ code: 0, message: '' });
    await until(() => b.ended !== undefined);
    expect(b.heard.join('')).toBe('12');
    expect(Date.now() - began).toBeGreaterThanOrEqual(75);
  });

  it('says when the address cannot be had', async () => {
    const near = await carriers[name].listen(new End().accept);
    open.push(near);
    const again =
      name === 'tcp'
        ? listenTcp({ host, port: near.port, accept: new End().accept })
        : listenWebSocket({ host, port: near.port, accept: new End().accept, maxReceive });
    await expect(again).rejects.toThrow('the port is in use');
  });

  it('says when nobody is there', async () => {
    const near = await carriers[name].listen(new End().accept);
    near.close();
    await expect(carriers[name].connect(near.port, new End().accept)).rejects.toThrow('cannot connect to');
  });
});

describe('a line that is split', () => {
  it('gives TCP the bytes in pieces', async () => {
    const { a, b, fault } = await joined('tcp');
    fault({ kind: 'split', size: 1 });
    a.link?.send(Buffer.from('abcdef'));
    await until(() => b.heard.join('') === 'abcdef');
    expect(b.heard.length).toBeGreaterThan(1);
  });

  it('gives TCP two writes as one', async () => {
    const { a, b, fault } = await joined('tcp');
    fault({ kind: 'gather', size: 2 });
    a.link?.send(Buffer.from('ab'));
    await new Promise((resolve) => void setTimeout(resolve, 20));
    expect(b.heard).toEqual([]);
    a.link?.send(Buffer.from('cd'));
    await until(() => b.heard.length > 0);
    expect(b.heard).toEqual(['abcd']);
  });

  it('gives what was gathered before the end', async () => {
    const { a, b, fault } = await joined('tcp');
    fault({ kind: 'gather', size: 2 });
    a.link?.send(Buffer.from('ab'));
    a.link?.close({ code: 0, message: '' });
    await until(() => b.heard.join('') === 'ab');
  });

  it('gives WebSocket its messages, as they are not gathered', async () => {
    const { a, b, fault } = await joined('ws');
    fault({ kind: 'gather', size: 2 });
    a.link?.send(Buffer.from('ab'));
    await until(() => b.heard.length > 0);
    expect(b.heard).toEqual(['ab']);
  });

  it('gives WebSocket fragments of one message', async () => {
    const { a, b, fault } = await joined('ws');
    fault({ kind: 'split', size: 2 });
    a.link?.send(Buffer.from('abcdef'));
    await until(() => b.heard.length > 0);
    expect(b.heard).toEqual(['abcdef']);
  });
});

it('a WebSocket message over the limit ends the connection with 1009 (RFC 6455, 7.4.1)', async () => {
  const { a, b } = await joined('ws');
  b.link?.send(new Uint8Array(maxReceive + 1));
  await until(() => a.ended !== undefined && b.ended !== undefined);
  expect([a.heard, b.ended]).toEqual([[], 'status 1009']);
});

it.each([
  ['text', 'binary', ['binary']],
  ['text', 'text', [undefined]],
  ['binary', 'text', [undefined]],
] as const)('where messages are %s, a %s message comes as %j', async (messages, sent, forms) => {
  const seen: unknown[] = [];
  const [near, far] = [new End(), new End()];
  const accept: Accept = (link, metadata) => ({
    ...near.accept(link, metadata),
    message: (_, form) => void seen.push(form),
  });
  const server = await listenWebSocket({ host, port: 0, accept, maxReceive, messages });
  const url = `ws://${host}:${server.port}`;
  open.push(server, await connectWebSocket({ url, accept: far.accept, maxReceive, messages: sent }));
  far.link?.send(Buffer.from('{}'));
  await until(() => seen.length > 0);
  expect(seen).toEqual(forms);
});

it('what a WebSocket server says at once is not lost', async () => {
  const [near, far] = [new End(), new End()];
  const greeting: Accept = (link, metadata) => {
    const events = near.accept(link, metadata);
    link.send(Buffer.from('at once'));
    return events;
  };
  const server = await listenWebSocket({ host, port: 0, accept: greeting, maxReceive });
  open.push(server);
  for (let i = 0; i < 20; i++) {
    const url = `ws://${host}:${server.port}`;
    open.push(await connectWebSocket({ url, accept: far.accept, maxReceive }));
  }
  await until(() => far.heard.length === 20);
  expect(new Set(far.heard)).toEqual(new Set(['at once']));
});

it('a process is reached by its pipes', async () => {
  const end = new End();
  const child = spawn(process.execPath, ['-e', 'process.stdin.pipe(process.stdout)'], {
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const wires = new Connections('stdio', end.accept);
  wires.add(byteWire({ readable: child.stdout, writable: child.stdin }));
  end.link?.send(Buffer.from('there and back'));
  await until(() => end.heard.length > 0);
  end.link?.close({ code: 0, message: '' });
  await until(() => end.ended !== undefined);
  expect([end.heard, end.ended, end.carrier]).toEqual([['there and back'], 'status 0', 'stdio']);
  // Its stdin has ended, so it ends.
  if (child.exitCode === null) await once(child, 'exit');
});
