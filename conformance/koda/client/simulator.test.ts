/** `simulate koda/client` with a person at its terminal, and with flags that answer instead. */
import { expect, it } from 'vitest';
import { fakeRun } from '../../../src/kit/simulate/run.test-helper.ts';
import type { FakeRun } from '../../../src/kit/simulate/run.test-helper.ts';
import { play } from './simulator.ts';

/** An engine that asks a question in each turn, and repeats the answer in its last text. */
const asking = `
require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
  const say = (...events) => events.forEach((event) => console.log(JSON.stringify(event)));
  const { type, answer } = JSON.parse(line);
  if (type === 'user_prompt') say(
    { type: 'turn_start', turn_id: 't' },
    { type: 'tool_call_start', id: 'c', name: 'AskUser', args: {}, is_sub_agent: false },
    { type: 'ask_user_request', id: 'q', question: 'Which?', options: ['a', 'b'] });
  if (type === 'ask_user_response') say(
    { type: 'tool_call_result', id: 'c', name: 'AskUser', output: answer },
    { type: 'turn_end', turn_id: 't', reason: { kind: 'complete' } });
  if (type === 'quit') process.exit(0);
});`;

/** A run of the simulated client against that engine; a person sits at its terminal. */
function atTerminal(flags: { readonly [name: string]: unknown }): FakeRun {
  const fake = fakeRun({ rules: false, ...flags }, [process.execPath, '-e', asking]);
  const { stdin, stdout } = fake.run.process as { stdin: object; stdout: object };
  Object.assign(stdin, { isTTY: true });
  Object.assign(stdout, { isTTY: true });
  return fake;
}

it('takes its answers from the terminal when there is one, and shows the question in words', async () => {
  const fake = atTerminal({ prompt: ['Go'] });
  const ended = play(fake.run);
  await expect.poll(fake.out, { timeout: 20_000 }).toContain('? Which? (1: a, 2: b)');
  fake.stdin.write('2\n');
  expect(await ended).toBe('conformant');
  expect(fake.out()).toContain('answer "b"');
  expect(fake.err()).toContain('A line is a prompt, or the answer to an open request');
});

it('asks nobody when a flag answers', async () => {
  const fake = atTerminal({ prompt: ['Go'], answer: 'mine' });
  expect(await play(fake.run)).toBe('conformant');
  expect(fake.out()).toContain('answer "mine"');
  expect(fake.out()).not.toContain('? Which?');
});

it('refuses prompts on a stdin that has the messages of the engine', async () => {
  const fake = fakeRun({ prompt: ['-'], carrier: 'stdio' });
  await expect(play(fake.run)).rejects.toThrow('so it has no prompts');
});
