/** Orders of an operator, from a script and from stdin. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { OrderLoop } from './orders.ts';
import { eventOf, fakeRun } from './run.test-helper.ts';
import type { FakeRun } from './run.test-helper.ts';
import { LiveSession } from './session.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** A session that takes `send TEXT`: the text is sent, and comes back as an event of that name. */
function stage(script?: string): { fake: FakeRun; live: LiveSession; sent: string[]; taken: Promise<void> } {
  const file = join(folder, 'orders.txt');
  if (script !== undefined) writeFileSync(file, script);
  const fake = fakeRun({ quiet: true, ...(script === undefined ? {} : { script: file }) });
  const suite = { id: 'fold/agent', protocol: 'fold', role: 'agent' };
  const live = new LiveSession(fake.run, { suite, textOf: () => undefined, target: '' });
  const trace = live.open();
  const sent: string[] = [];
  const send = {
    usage: 'send TEXT',
    text: 'send a text',
    obey(rest: string) {
      if (rest === '') return 'expected a text';
      sent.push(rest);
      trace.event(eventOf({ [rest]: {} }));
      return undefined;
    },
  };
  const loop = new OrderLoop(live, fake.run, [send], ({ data }) => Object.keys(data));
  return { fake, live, sent, taken: loop.take() };
}

it('are obeyed one after another; comments and empty lines are none', async () => {
  const { sent, taken, live } = stage('send a\n\n# not this\n  send  b c \nquit\nsend late\n');
  await taken;
  await live.ended;
  expect(sent).toEqual(['a', 'b c']);
});

// JSON leaves U+2028 and U+2029 raw, and node:readline ends a line there.
it.each(['\u2028', '\u2029', '\u0085'])('are one a line, with a separator %j in it', async (separator) => {
  const { fake, sent, taken } = stage(`send a${separator}b\r\n`);
  fake.stdin.end(`send c${separator}d`);
  await taken;
  expect(sent).toEqual([`a${separator}b`, `c${separator}d`]);
});

it('go on from stdin after the script, and the session goes on after both', async () => {
  const { fake, sent, taken } = stage('send a\n');
  fake.stdin.end('send b\n');
  await taken;
  expect(sent).toEqual(['a', 'b']);
});

it('are refused with a reason, and the next is taken', async () => {
  const { fake, taken } = stage('nonsense\nsend\nquit\n');
  await taken;
  expect(fake.out()).toBe('? no command "nonsense"; there are send, wait, quit, help\n? expected a text\n');
});

it('wait for an event since the last order, however early it came', async () => {
  const { sent, taken, live } = stage('send a\nwait a\nsend b\nwait b 1s\nquit\n');
  await taken;
  expect([sent, live.inconclusive]).toEqual([['a', 'b'], false]);
});

it('end with the session when an event does not come: not that of an order before', async () => {
  const { fake, sent, taken, live } = stage('send a\nsend b\nwait a 30ms\nsend c\n');
  await taken;
  await live.ended;
  expect(sent).toEqual(['a', 'b']);
  expect(fake.out()).toBe('? no a was seen in 30 ms\n');
  expect(live.sumUp()).toBe('inconclusive');
});

it('wait for a time', async () => {
  const { sent, taken } = stage('wait 5ms\nsend a\nquit\n');
  await taken;
  expect(sent).toEqual(['a']);
});

it('are listed by help', async () => {
  const { fake, taken } = stage('help\nquit\n');
  await taken;
  expect(fake.out()).toMatch(/^ {2}send TEXT {14}send a text\n {2}wait TIME\|NAME/);
});

it('are refused when there is no such script', () => {
  const fake = fakeRun({ script: join(folder, 'none.txt') });
  const suite = { id: 'fold/agent', protocol: 'fold', role: 'agent' };
  const live = new LiveSession(fake.run, { suite, textOf: () => undefined, target: '' });
  expect(() => new OrderLoop(live, fake.run, [], () => [])).toThrow(/none\.txt: there is no such file/);
});
