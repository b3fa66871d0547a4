/** `wireproof drift`: what it prints, and its exit codes. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { wireproof } from '../run.test-helper.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-drift-verb-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A recording of one answer of Ollama, whose last line ends so. */
function recording(name: string, reason: string, path = '/api/chat'): string {
  const file = join(folder, name);
  const line = {
    model: 'm',
    created_at: '2026-11-28T00:00:00Z',
    message: { role: 'assistant', content: 'Hi' },
  };
  const body = `${JSON.stringify({ ...line, done: false })}\n${JSON.stringify({ ...line, done: true, done_reason: reason })}\n`;
  const headers = { 'content-type': 'application/x-ndjson' };
  const exchanges = [{ method: 'POST', path, status: 200, headers, body }];
  writeFileSync(file, JSON.stringify({ wireproof: 'recording/1', exchanges }));
  return file;
}

it('prints a new word with its place, and exits with 1', async () => {
  const file = recording('new.json', 'asleep');
  const { code, stdout } = await wireproof(['drift', file]);
  expect([code, stdout]).toEqual([1, expect.stringContaining('1 file; answers: ollama 1; ')]);
  expect(stdout).toMatch(/^NEW +ollama +stop +asleep\n {4}once, first in .*new\.json, exchange 1, unit 2$/m);
  expect(stdout).toContain('one word is new. A newer wireproof may know it; a client must pass over it');
});

it('exits with 0 where all words are known, or another recording has them', async () => {
  const known = await wireproof(['drift', recording('known.json', 'stop')]);
  expect([known.code, known.stdout]).toEqual([0, expect.stringContaining('no word is new')]);
  const before = recording('before.json', 'asleep');
  expect((await wireproof(['drift', recording('after.json', 'asleep'), '--known', before])).code).toBe(0);
});

it('prints JSON', async () => {
  const { code, stdout } = await wireproof(['drift', recording('json.json', 'asleep'), '--json']);
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({
    answers: { ollama: 1 },
    findings: expect.arrayContaining([
      expect.objectContaining({ news: 'word', kind: 'stop', text: 'asleep' }),
    ]),
  });
});

it('refuses a file without answers of a model, and one that is no recording', async () => {
  const none = await wireproof(['drift', recording('none.json', 'stop', '/api/tags')]);
  expect([none.code, none.stderr]).toEqual([
    2,
    expect.stringContaining('expected answers of model providers; came none'),
  ]);
  const strange = join(folder, 'strange.json');
  writeFileSync(strange, '{}');
  const wrong = await wireproof(['drift', strange]);
  expect([wrong.code, wrong.stderr]).toEqual([2, expect.stringContaining('expected a recording')]);
});
