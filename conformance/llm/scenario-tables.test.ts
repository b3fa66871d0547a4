/** Tables of scenarios: a wrong test is refused with its place, and tests of one name belong together. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { WireproofError } from '../../src/kit/base/index.ts';
import { readTests } from '../../src/kit/spec/index.ts';
import { serverTest, turnTest } from './generated/scenario-validators.ts';
import { rowsOf, testsByDialect, testsByName } from './scenario-tables.ts';
import type { DialectTest } from './scenario-tables.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-scenario-tables-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(test: string, schema = turnTest): readonly DialectTest[] {
  const file = join(folder, 'table.yaml');
  writeFileSync(file, `groups:\n  - op: llm.turn\n    tests:\n${test}`);
  return readTests<DialectTest>(file, {}, schema).tests;
}

const head = '      - name: a\n        title: a title\n        exercises: [LLM-C01]\n';

it.each([
  [
    'a member that no test has',
    `${head}        steps: [{ text: x }]\n        chunks: char\n`,
    /unknown key|chunks/,
  ],
  [
    'a dialect that is none',
    `${head}        steps: [{ text: x }]\n        dialects: [olama]\n`,
    /dialects\[0\]/,
  ],
  ['two steps in one', `${head}        steps: [{ text: x, ping: true }]\n`, /steps\[0\]/],
  ['a test without an answer', head, /steps/],
])('refuses %s, with file, line and column', (_, test, what) => {
  const refused = (): unknown => read(test);
  expect(refused).toThrow(WireproofError);
  expect(refused).toThrow(/table\.yaml:4:9: not such a test: /);
  expect(refused).toThrow(what);
});

it('refuses a request of llm/server with a member that requests do not have', () => {
  const steps = '        steps: [[{ send: { message: { ask: { request: { maxToken: 5 } } } } }]]\n';
  expect(() => read(`${head}${steps}`, serverTest)).toThrow(/table\.yaml:4:9: .*maxToken/);
});

it('gives the tests of one name to the dialects in which they can occur', () => {
  const own = '        own: { ollama: [LLM-C02] }\n';
  const tests = `        tests: [{ steps: [{ text: x }] }, { steps: [{ text: y }], dialects: [ollama] }]\n`;
  const [group = []] = testsByName(read(`${head}${own}${tests}`));
  const counts = testsByDialect(group).map(([dialect, { length }]) => [dialect, length]);
  expect(counts).toEqual([
    ['anthropic', 1],
    ['openai-chat', 1],
    ['openai-responses', 1],
    ['ollama', 2],
    ['lmstudio', 1],
    ['gemini', 1],
    ['bedrock', 1],
    ['gemini-interactions', 1],
  ]);
  expect(group.map((test) => rowsOf(test, 'ollama'))).toEqual([
    ['LLM-C01', 'LLM-C02'],
    ['LLM-C01', 'LLM-C02'],
  ]);
  expect(group.map((test) => rowsOf(test, 'lmstudio'))).toEqual([['LLM-C01'], ['LLM-C01']]);
});
