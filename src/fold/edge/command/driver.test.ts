import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { OperatorRequest } from '../../operator.ts';
import { commandDriver, fill } from './driver.ts';
import type { Commands } from './driver.ts';
import { counter, pause, talk, until } from '../fake.test-helper.ts';
import type { Talk } from '../fake.test-helper.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-command-'));
let scripts = 0;

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** argv of a Node script. */
function script(body: string, ...args: string[]): string[] {
  const path = join(folder, `${++scripts}.cjs`);
  writeFileSync(path, body);
  return [process.execPath, path, ...args];
}

const call = (commands: Commands, request: OperatorRequest): Talk =>
  talk(commandDriver({ commands, next: counter() }), request);

const send = (body: string, content = 'hello'): Talk =>
  call({ send: script(body) }, { send: { content, sender: 'me' } });

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
};

describe('the command driver', () => {
  it('fills the places of an argv in one pass, without a shell', () => {
    const values = { content: '{agent_id} $(x) $& "', agent_id: 'a', approved: false, n: 1 };
    expect(
      fill(['{content}', 'id={agent_id}/{agent_id}', '{approved}', '{reason}', '{other}', '{n}'], values),
    ).toEqual(['{agent_id} $(x) $& "', 'id=a/a', 'false', '', '{other}', '{n}']);
  });

  it('send: lines of both forms are events, in order; the argv and stdin say what is asked', async () => {
    const argv = script(
      `let got = '';
       process.stdin.on('data', (d) => (got += d)).on('end', () => {
         console.log(JSON.stringify({ event: 'started', thread_id: process.argv[3] }));
         console.log('');
         console.log(JSON.stringify({ text: { text: process.argv[2] } }));
         process.stdout.write(JSON.stringify({ done: { full_response: JSON.parse(got).send.sender } }));
       });`,
      '{content}',
      '{thread_id}',
    );
    const heard = call({ send: argv }, { send: { content: '`x` ; ü\n"', sender: 'me', thread_id: 't' } });
    expect([heard.link.conn, heard.link.stream]).toEqual(['command', 'op1']);
    expect(await heard.over).toEqual({ code: 0, message: '' });
    expect(heard.replies).toEqual([
      { started: { thread_id: 't' } },
      { text: { text: '`x` ; ü\n"' } },
      { done: { full_response: 'me' } },
    ]);
  });

  // Paths of a statement are relative to its folder.
  it('runs the commands in the folder that it is given, and finds them from there', async () => {
    writeFileSync(
      join(folder, 'say-where.sh'),
      '#!/bin/sh\necho "{\\"text\\":{\\"text\\":\\"$(pwd -P)\\"}}"\n',
      {
        mode: 0o755,
      },
    );
    const dial = commandDriver({ commands: { send: ['./say-where.sh'] }, next: counter(), folder });
    const heard = talk(dial, { send: { content: 'x', sender: 'me' } });
    expect(await heard.over).toEqual({ code: 0, message: '' });
    expect(heard.replies).toEqual([{ text: { text: realpathSync(folder) } }]);
  });

  it('the others: exit code 0 is an answer, or what was printed is', async () => {
    const fine = script('');
    const commands = {
      cancel: fine,
      approve: fine,
      inject: script(
        `console.log(JSON.stringify({ event: 'injected', injection_id: 'i-' + process.argv[2] }))`,
        '{priority}',
      ),
    };
    const heard = [
      call(commands, { cancel: { request_id: 'r' } }),
      call(commands, { approve: { agent_id: 'a', tool_id: 'u', approved: true } }),
      call(commands, { inject: { agent_id: 'a', content: 'c', priority: 'normal' } }),
      call({ inject: fine }, { inject: { agent_id: 'a', content: 'c' } }),
    ];
    for (const { over } of heard) expect(await over).toEqual({ code: 0, message: '' });
    expect(heard.map(({ replies }) => replies)).toEqual([
      [{ ok: {} }],
      [{ ok: {} }],
      [{ injected: { injection_id: 'i-normal' } }],
      [{ injected: { injection_id: '' } }],
    ]);
  });

  it('a failure is code 2 with the last line on stderr', async () => {
    expect(await send(`console.error('one\\nthe agent is gone\\n'); process.exit(3)`).over).toEqual({
      code: 2,
      message: 'the agent is gone',
    });
    expect(await send('process.exit(3)').over).toEqual({ code: 2, message: 'the command ended with 3' });
    expect(await send(`process.kill(process.pid, 'SIGKILL')`).over).toEqual({
      code: 2,
      message: 'the command was killed by SIGKILL',
    });
  });

  it('a command that is not there is unsupported', async () => {
    expect(await call({}, { cancel: { request_id: 'r' } }).over).toEqual({
      code: 12,
      message: 'unsupported: no command for cancel',
    });
    expect(await call({ send: [] }, { send: { content: 'x', sender: '' } }).over).toMatchObject({ code: 12 });
    expect(await call({ send: ['/no/such/thing'] }, { send: { content: 'x', sender: '' } }).over).toEqual({
      code: 12,
      message: 'unsupported: cannot run the command "/no/such/thing": no such file or command',
    });
    for (const request of [{ agents: {} }, { stats: {} }, { events: {} }, { shutdown: {} }] as const)
      expect(await call({ send: ['x'] }, request).over).toMatchObject({ code: 12 });
  });

  it('arguments that cannot be given are refused; stdin has what is too long', async () => {
    const places = { send: script('', '{content}') };
    expect(await call(places, { send: { content: 'a\0b', sender: '' } }).over).toMatchObject({ code: 3 });
    const long = { send: { content: 'x'.repeat(3 << 20), sender: '' } };
    expect(await call(places, long).over).toMatchObject({
      code: 2,
      message: expect.stringContaining('stdin') as unknown,
    });
    const reads = `let n = 0; process.stdin.on('data', (d) => (n += d.length)).on('end', () => console.log(JSON.stringify({ event: 'text', text: String(n > 3 << 20) })))`;
    const heard = send(reads, 'x'.repeat(3 << 20));
    await heard.over;
    expect(heard.replies).toEqual([{ text: { text: 'true' } }]);
  });

  it('a line that is no event stops the command', async () => {
    for (const line of ['hello', '[1]', '{}', '{"a":1,"b":2}', '"x"']) {
      const heard = send(`console.log(${JSON.stringify(line)}); setInterval(() => {}, 1000)`);
      expect(await heard.over).toMatchObject({
        code: 2,
        message: expect.stringContaining('expected {"event": NAME') as unknown,
      });
      expect(heard.replies).toEqual([]);
    }
  });

  it('a line without end is not kept', async () => {
    const heard = send(`const more = () => process.stdout.write('x'.repeat(1 << 20), more); more()`);
    expect(await heard.over).toMatchObject({
      code: 2,
      message: expect.stringContaining('at most') as unknown,
    });
  });

  it('closing ends the command and all it has started', async () => {
    const heard = send(`
      const { spawn } = require('node:child_process');
      const child = spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { stdio: 'inherit' });
      process.on('SIGTERM', () => {});
      setTimeout(() => console.log(JSON.stringify({ event: 'text', text: process.pid + ' ' + child.pid })), 100);
      setInterval(() => {}, 1000)`);
    await until(() => heard.replies.length === 1);
    const [{ text }] = heard.replies as [{ text: { text: string } }];
    const pids = text.text.split(' ').map(Number);
    expect(pids.map(alive)).toEqual([true, true]);
    heard.link.close({ code: 1, message: '' });
    await until(() => !pids.some(alive));
    await pause(20);
    expect(heard.status).toBeUndefined();
  });

  it('what a command leaves behind does not hold its end up', async () => {
    const heard = send(`
      const { spawn } = require('node:child_process');
      spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'inherit' });
      setTimeout(() => process.exit(0), 50)`);
    expect(await heard.over).toEqual({ code: 0, message: '' });
  });
});
