/**
 * The simulated gateway under load and after kill -9: slow peers do not grow its memory, and its ledger is not lost.
 */
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dialGrpc } from '../../src/kit/transport/index.ts';
import type { Link } from '../../src/kit/world/index.ts';
import { agentCodec, agentPaths, serverCodec } from '../../src/fold/index.ts';
import type { AgentMessage, ServerMessage } from '../../src/fold/index.ts';
import { pause, until } from '../../src/kit/world/until.test-helper.ts';
import { scratch, simulated } from '../run.test-helper.ts';

const [path = ''] = agentPaths;
const gigabyte = 1 << 30;
const most = 100 << 20;

/** Memory that a process holds (bytes). */
function memoryOf(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** An agent on a real stream. It keeps received messages, and waits for flow control before it sends. */
class Agent {
  readonly heard: ServerMessage[] = [];
  readonly link: Link;
  over = false;
  #drained: (() => void) | undefined;

  constructor(port: number, agent_id: string) {
    const dial = dialGrpc({ address: `127.0.0.1:${port}`, method: path, maxReceive: 16 << 20 });
    this.link = dial(
      { metadata: { ':path': path } },
      {
        headers: () => {},
        message: (bytes) => {
          const decoded = serverCodec.decode(bytes);
          if (decoded.ok) this.heard.push(decoded.value.message);
        },
        halfClose: () => {},
        ended: () => {
          this.over = true;
          this.#drained?.();
        },
        drained: () => this.#drained?.(),
        ping: () => {},
      },
    );
    onTestFinished(() => this.link.close({ code: 1, message: '' }));
    void this.send({ register: { agent_id, protocol_features: ['token_usage'] } });
  }

  async send(message: AgentMessage): Promise<void> {
    if (this.over || this.link.send(agentCodec.encode(message))) return;
    await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  async hear<K extends keyof ServerMessage>(key: K): Promise<NonNullable<ServerMessage[K]>> {
    const place = (): number => this.heard.findIndex((message) => message[key] !== undefined);
    await until(() => place() >= 0 || this.over);
    const found = this.heard[place()]?.[key];
    if (found === undefined) throw new Error(`the stream ended without ${key}`);
    this.heard.splice(0, place() + 1);
    return found;
  }
}

/** An operator's call. */
interface Call {
  /** The part of the answer that has been read. */
  seen(): string;
  /** Reads the answer to its end. */
  read(): Promise<string>;
}

/** The bytes of an operator's call. */
function request(port: number, route: string, body: object): Buffer {
  const text = JSON.stringify(body);
  return Buffer.from(
    `POST ${route} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
}

/** Sends an operator's call over a plain socket. `read` starts reading the answer. */
function post(port: number, bytes: Buffer): Call {
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  // A gateway that is killed resets its connections: `close` follows.
  socket.on('error', () => {});
  socket.pause();
  socket.write(bytes);
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  onTestFinished(() => void socket.destroy());
  return {
    seen: () => answer,
    async read() {
      socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
      socket.resume();
      await closed;
      return answer;
    },
  };
}

const onLinux = existsSync('/proc/self/status');

describe.skipIf(!onLinux)('a simulated gateway with peers that do not read', () => {
  it('slows an agent down when its operator does not read a gigabyte, then ends the operator', async () => {
    const { gateway, port, http } = await simulated(['--quiet', '--no-rules', '--timeout', 'stalled=2s']);
    const { pid } = gateway.child;
    const agent = new Agent(port, 'talker');
    await agent.hear('welcome');
    const talk = { content: 'talk', sender: 'sloth', agent_id: 'talker' };
    const operator = post(http, request(http, '/api/send', talk));
    const { request_id = '' } = await agent.hear('send_message');
    const before = memoryOf(pid);
    let grown = 0;
    const text = 'x'.repeat(256 << 10);
    for (let sent = 0; sent < gigabyte; sent += text.length) {
      await agent.send({ response: { request_id, text } });
      if (sent % (text.length * 64) === 0) grown = Math.max(grown, memoryOf(pid) - before);
    }
    grown = Math.max(grown, memoryOf(pid) - before);
    const answer = await operator.read();
    expect(grown).toBeLessThan(most);
    expect(answer.length).toBeLessThan(most);
    expect(answer).not.toContain('event: done');
    expect(agent.over).toBe(false);
  });

  it('refuses work for an agent that does not read a gigabyte of work', async () => {
    const { gateway, port, http } = await simulated(['--quiet', '--no-rules']);
    const { pid } = gateway.child;
    const agent = new Agent(port, 'sleeper');
    await agent.hear('welcome');
    agent.link.pause();
    const before = memoryOf(pid);
    const work = { content: 'y'.repeat(512 << 10), sender: 'eager', agent_id: 'sleeper' };
    const bytes = request(http, '/api/send', work);
    let refused = '';
    for (let sent = 0; sent < gigabyte; sent += bytes.length) {
      // An accepted call stays open, because the agent does not read it. After the first refusal no call is accepted.
      const call = post(http, bytes);
      const answered = call.read().finally(() => {
        if (call.seen().includes(' 429 ')) refused = call.seen();
      });
      await Promise.race([answered, pause(refused === '' ? 30 : 1000)]);
    }
    expect(memoryOf(pid) - before).toBeLessThan(most);
    expect(refused).toContain('the agent can take no more');
  });
});

const hasSqlite = await import('libsql').then(
  () => true,
  () => false,
);

describe.skipIf(!hasSqlite)('a ledger in a file', () => {
  it('keeps all usage that was shown before the gateway was killed', async () => {
    const ledger = join(scratch, 'kill.db');
    let shown = 0;
    for (let round = 1; round <= 3; round++) {
      const { gateway, port, http } = await simulated(['--quiet', '--no-rules', '--ledger', ledger]);
      const agent = new Agent(port, 'spender');
      await agent.hear('welcome');
      const spend = { content: 'spend', sender: 'me', agent_id: 'spender', thread_id: 't' };
      const operator = post(http, request(http, '/api/send', spend));
      const { request_id = '' } = await agent.hear('send_message');
      const answer = operator.read();
      // The gateway is killed while the agent still works, after this much usage was shown.
      const killed = until(() => operator.seen().length > 1000 * round).then(() => gateway.stop('SIGKILL'));
      while (!agent.over) await agent.send({ response: { request_id, usage: { input_tokens: 1 } } });
      await killed;
      shown += (await answer).split('event: usage').length - 1;
    }
    const { http } = await simulated(['--quiet', '--no-rules', '--ledger', ledger]);
    const stats = await fetch(`http://127.0.0.1:${http}/api/stats/usage`);
    const { total_input } = (await stats.json()) as { total_input: number };
    expect(shown).toBeGreaterThan(0);
    expect(total_input).toBeGreaterThanOrEqual(shown);
  });
});
