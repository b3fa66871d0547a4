/** Random conversations in process: which are written, and which are left out. fixtures.thorough.test.ts runs the command. */
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { conversationFaults, generateConversations } from './conversations.ts';

const root = mkdtempSync(join(tmpdir(), 'wireproof-conversations-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Seeds of sep/executor: the run of 4 exercises requirements; those of 5 and 6 have no action, and exercise none. */
const generate = (conversations: string, seed: string, folder: string): Promise<string> =>
  generateConversations('sep/executor', { conversations, seed, out: join(root, folder), force: false });

it('leaves out a conversation that exercises nothing, and verify makes the same files again', async () => {
  const told = await generate('3', '4', 'some');
  expect(told).toMatch(/^sep-executor-4\.jsonl +\d+ events$/m);
  expect(told).toMatch(/^wrote 1 conversations to .*; seed 4; left out 2 that exercise no requirement\n$/m);
  expect(readdirSync(join(root, 'some')).toSorted()).toEqual([
    'README.md',
    'manifest.json',
    'sep-executor-4.jsonl',
  ]);
  expect(await conversationFaults(join(root, 'some'))).toEqual({ files: 1, faults: [] });
});

it('names the suites in the README', async () => {
  await generate('1', '4', 'one');
  const readme = readFileSync(join(root, 'one/README.md'), 'utf8');
  expect(readme).toMatch(/^# Conversations of sep\/executor\n/);
  expect(readme).toContain('`wireproof fixtures generate sep/executor --conversations 1 --seed 4`');
});

it('refuses seeds of which no conversation exercises anything', async () => {
  await expect(generate('2', '5', 'none')).rejects.toThrow(
    'no conversation of sep/executor exercises a requirement from seed 5 on: give more --conversations, or another --seed',
  );
  expect(readdirSync(root)).not.toContain('none');
});
