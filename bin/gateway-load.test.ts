/** The simulated gateway under load and under kill -9: slow peers make it slow, not fat; what it showed it kept. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { dialGrpc } from '../src/kit/transport/index.ts';
import type { Link } from '../src/kit/world/index.ts';
import { agentCodec, agentPaths, serverCodec } from '../src/fold/index.ts';
import type { AgentMessage, ServerMessage } from '../src/fold/index.ts';
import { ended, scratch, simulated } from './run.test-helper.ts';

const [path = ''] = agentPaths;
const gigabyte = 1 << 30;
const most = 100 << 20;

/** Memory that a process holds (bytes). */
function memoryOf(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid ?? 0}/status`, 'utf8'))?.[1];
  return Number(kilobytes) * 1024;
}

/** An agent on a real stream: what it hears, and how it waits until more may be sent. */
class Agent {
  readonly heard: ServerMessage[] = [];
  readonly link: Link;
  over = false;
  #drained: (() => void) | undefined;
  #waiting: (() => void) | undefined;

  constructor(port: number, agent_id: string) {
    const dial = dialGrpc({ address: `127.0.0.1:${port}`, method: path, maxReceive: 16 << 20 });
    this.link = dial(
      { metadata: { ':path': path } },
      {
        headers: () => {},
        message: (bytes) => {
          const decoded = serverCodec.decode(bytes);
          if (decoded.ok) this.heard.push(decoded.value.message);
          this.#waiting?.();
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
    void this.send({ register: { agent_id, protocol_features: ['token_usage'] } });
  }

  async send(message: AgentMessage): Promise<void> {
    if (this.over || this.link.send(agentCodec.encode(message))) return;
    await new Promise<void>((resolve) => (this.#drained = resolve));
  }

  async hear<K extends keyof ServerMessage>(key: K): Promise<NonNullable<ServerMessage[K]>> {
    for (;;) {
      const at = this.heard.findIndex((message) => message[key] !== undefined);
      const found = this.heard[at]?.[key];
      if (found !== undefined) {
        this.heard.splice(0, at + 1);
        return found;
      }
      await new Promise<void>((resolve) => (this.#waiting = resolve));
    }
  }
}

/** An operator's call by hand, whose answer is read only when told. */
function post(
  port: number,
  route: string,
  body: object,
): { read: () => Promise<string>; closed: Promise<void> } {
  const text = JSON.stringify(body);
  const socket = connect(port, '127.0.0.1');
  socket.pause();
  socket.write(
    `POST ${route} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
  );
  const closed = new Promise<void>((resolve) => void socket.once('close', () => resolve()));
  const read = async (): Promise<string> => {
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString()));
    socket.resume();
    await closed;
    return answer;
  };
  return { read, closed };
}

const onLinux = existsSync('/proc/self/status');

describe.skipIf(!onLinux)('a simulated gateway with peers that do not read', () => {
  it('holds an agent back whose operator does not read a gigabyte, then ends the operator', async () => {
    const { child, port, http } = await simulated(['--quiet', '--no-rules', '--timeout', 'stalled=2s']);
    const agent = new Agent(port, 'talker');
    await agent.hear('welcome');
    const operator = post(http, '/api/send', { content: 'talk', sender: 'sloth', agent_id: 'talker' });
    const { request_id = '' } = await agent.hear('send_message');
    const before = memoryOf(child.pid);
    let grown = 0;
    const text = 'x'.repeat(256 << 10);
    for (let sent = 0; sent < gigabyte; sent += text.length) {
      await agent.send({ response: { request_id, text } });
      if (sent % (text.length * 64) === 0) grown = Math.max(grown, memoryOf(child.pid) - before);
    }
    grown = Math.max(grown, memoryOf(child.pid) - before);
    const answer = await operator.read();
    expect(grown).toBeLessThan(most);
    expect(answer.length).toBeLessThan(most);
    expect(answer).not.toContain('event: done');
    expect(agent.over).toBe(false);
    child.kill('SIGKILL');
  });

  it('refuses work for an agent that does not read a gigabyte of it', async () => {
    const { child, port, http } = await simulated(['--quiet', '--no-rules']);
    const agent = new Agent(port, 'sleeper');
    await agent.hear('welcome');
    agent.link.pause();
    const before = memoryOf(child.pid);
    const content = 'y'.repeat(512 << 10);
    let refused = '';
    for (let sent = 0; sent < gigabyte; sent += content.length) {
      const call = post(http, '/api/send', { content, sender: 'eager', agent_id: 'sleeper' });
      const answer = await Promise.race([
        call.read(),
        new Promise<string>((r) => void setTimeout(() => r(''), 30)),
      ]);
      if (answer.includes(' 429 ')) refused = answer;
    }
    expect(memoryOf(child.pid) - before).toBeLessThan(most);
    expect(refused).toContain('the agent can take no more');
    child.kill('SIGKILL');
    // 2048 calls, of which a busy machine answers few within their 30 ms.
  }, 180_000);
});

const hasSqlite = await import('libsql').then(
  () => true,
  () => false,
);

describe.skipIf(!hasSqlite)('a ledger in a file', () => {
  it('still has what it showed when the gateway was killed', async () => {
    const ledger = join(scratch, 'kill.db');
    for (const suffix of ['', '-wal', '-shm', '.owner']) rmSync(`${ledger}${suffix}`, { force: true });
    let shown = 0;
    for (let round = 1; round <= 3; round++) {
      const { child, port, http } = await simulated(['--quiet', '--no-rules', '--ledger', ledger]);
      const agent = new Agent(port, 'spender');
      await agent.hear('welcome');
      const operator = post(http, '/api/send', {
        content: 'spend',
        sender: 'me',
        agent_id: 'spender',
        thread_id: 't',
      });
      const { request_id = '' } = await agent.hear('send_message');
      const answer = operator.read();
      setTimeout(() => child.kill('SIGKILL'), 150 * round);
      for (let n = 0; n < 5000 && !agent.over; n++)
        await agent.send({ response: { request_id, usage: { input_tokens: 1 } } });
      await ended(child);
      shown += (await answer).split('event: usage').length - 1;
    }
    const { child, http } = await simulated(['--quiet', '--no-rules', '--ledger', ledger]);
    const stats = await fetch(`http://127.0.0.1:${http}/api/stats/usage`);
    const { total_input } = (await stats.json()) as { total_input: number };
    child.kill('SIGKILL');
    expect(shown).toBeGreaterThan(0);
    expect(total_input).toBeGreaterThanOrEqual(shown);
  });
});
