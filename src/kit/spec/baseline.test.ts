/** Known failures of targets: whose they are. */
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { baselineOf, readBaselines, textOfBaselines } from './baseline.ts';
import type { Baseline } from './baseline.ts';

const file = join(mkdtempSync(join(tmpdir(), 'wireproof-baselines-')), 'wireproof.baseline.yaml');
const baselines: readonly Baseline[] = [
  {
    suite: 'llm/server',
    target: 'node "a" {port}',
    drive: 'anthropic',
    expected_failures: [{ id: 'LLM-S01', reason: "it's known: yes # no", expires: '2030-01-31' }],
  },
  { suite: 'llm/server', target: 'node "a" {port}', drive: 'ollama', expected_failures: [] },
  { suite: 'llm/server', target: 'staging', expected_failures: [] },
];
const of = (name: string, drive?: string, from = baselines): Baseline | undefined =>
  baselineOf(from, { suites: ['llm/server'], names: [name], drive });

it('what is written is read again', () => {
  writeFileSync(file, textOfBaselines(baselines));
  expect(readBaselines(file)).toEqual(baselines);
  writeFileSync(file, textOfBaselines([]));
  expect(readBaselines(file)).toEqual([]);
});

it('a statement has known failures of any target', () => {
  writeFileSync(file, 'suite: llm/server\nexpected_failures: [{ id: LLM-S01, reason: known }]\n');
  expect(readBaselines(file)).toEqual([
    { suite: 'llm/server', expected_failures: [{ id: 'LLM-S01', reason: 'known' }] },
  ]);
});

it('each target and each drive has its own', () => {
  expect(of('node "a" {port}', 'anthropic')).toBe(baselines[0]);
  expect(of('node "a" {port}', 'ollama')).toBe(baselines[1]);
  expect(of('node "a" {port}', 'lmstudio')).toBeUndefined();
  // The drive is not known yet: the one that was added last.
  expect(of('node "a" {port}')).toBe(baselines[1]);
  expect(of('staging', 'ollama')).toBe(baselines[2]);
  expect(of('other', 'ollama')).toBeUndefined();
  expect(
    baselineOf(baselines, { suites: ['fold/agent'], names: ['staging'], drive: undefined }),
  ).toBeUndefined();
});

it('that of any target counts where no other does', () => {
  const any: Baseline = { suite: 'llm/server', expected_failures: [] };
  expect(of('other', 'ollama', [any, ...baselines])).toBe(any);
  expect(of('staging', 'ollama', [any, ...baselines])).toBe(baselines[2]);
});
