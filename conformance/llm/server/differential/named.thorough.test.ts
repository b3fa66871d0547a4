/** spec/llm/SERVER-MUTATIONS.md lists mutations of streams, and the row that sees each. The self-test plays the same mutants. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot, readRequirements } from '../../../../src/kit/spec/index.ts';
import { simulate } from '../../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { sdkDialects, sdks } from './clients.test-helper.ts';
import type { SdkDialect } from './clients.test-helper.ts';
import { everyMember, markdownTable } from './page.test-helper.ts';
import { answersOfPeer } from './play.test-helper.ts';
import { reactionTo } from './reactions.test-helper.ts';
import { serverScenarios } from '../scenarios.ts';
import { llmServerSuite } from '../suite.ts';
import { referenceServer } from '../target.ts';

const { requirements } = readRequirements('llm');
const scenarios = serverScenarios();
/** The ids of the mutants. */
const mutations: readonly string[] = [
  'anthropic-call-without-id',
  'anthropic-one-id',
  'anthropic-empty-name',
  'anthropic-end-beside-calls',
  'anthropic-strange-word',
  'anthropic-zero-output',
  'anthropic-tool-without-call',
  'anthropic-limit-as-end',
  'openai-chat-no-id',
  'openai-chat-one-id',
  'openai-chat-no-name',
  'openai-chat-end-beside-calls',
  'openai-chat-strange-word',
  'openai-chat-chunk-without-id',
  'openai-chat-chunk-without-object',
  'openai-chat-chunk-without-model',
  'openai-chat-no-done',
  'openai-chat-zero-output',
  'openai-responses-call-without-id',
  'openai-responses-one-id',
  'openai-responses-empty-name',
  'openai-responses-no-created',
  'openai-responses-empty-output',
  'openai-responses-still-in-progress',
  'openai-responses-other-item-id',
  'openai-responses-zero-output',
  'ollama-empty-name',
  'ollama-one-id',
  'ollama-strange-word',
  'ollama-zero-output',
  'lmstudio-one-id',
  'lmstudio-empty-name',
  'lmstudio-end-beside-calls',
  'lmstudio-strange-stop-reason',
  'lmstudio-zero-output',
  'anthropic-start-without-content',
  'anthropic-text-block-without-text',
  'anthropic-text-in-parts',
  'anthropic-arguments-in-list',
  'anthropic-empty-stop-at-start',
  'openai-chat-text-in-parts',
  'openai-chat-choice-without-index',
  'openai-chat-choices-count-up',
  'openai-chat-no-role',
  'openai-chat-no-type',
  'openai-chat-identity-in-every-delta',
  'openai-chat-name-in-pieces',
  'openai-chat-empty-finish',
  'openai-chat-arguments-in-list',
  'openai-chat-ids-differ',
  'openai-chat-chunks-as-completions',
  'openai-chat-created-with-fraction',
  'openai-chat-total-differs',
  'openai-responses-no-output-index',
  'openai-responses-created-without-output',
  'openai-responses-output-index-from-1',
  'openai-responses-content-index-from-1',
  'openai-responses-other-output',
  'openai-responses-done',
  'ollama-no-message',
  'ollama-text-in-parts',
  'ollama-empty-reason',
  'lmstudio-arguments-encoded',
  'lmstudio-fragment-without-count',
];
const cases = ['text', 'tool', 'parallel', 'limit', 'limit-tool'];

const dialectOf = (id: string): SdkDialect => {
  const dialect = sdkDialects.find((name) => id.startsWith(`${name}-`));
  if (dialect === undefined) throw new Error(`${id} names no dialect`);
  return dialect;
};

const mutantOf = (id: string): Mutant => {
  const mutant = llmServerSuite.mutants().find((one) => one.id === id);
  if (mutant === undefined) throw new Error(`no mutant ${id}`);
  return mutant;
};

/** The rows that a mutated stream violates. */
function rowsThatSee(id: string): readonly string[] {
  const rows = new Set<string>();
  for (const scenario of scenarios) {
    if (!cases.some((name) => scenario.name === `${dialectOf(id)}-${name}`)) continue;
    const { found } = simulate({ suite: llmServerSuite, scenario, target: mutantOf(id).make(), seed: '1' });
    for (const [row, { violations }] of found) if (violations.length > 0) rows.add(row);
  }
  return [...rows].toSorted();
}

const honest: { [D in SdkDialect]?: ReturnType<typeof answersOfPeer> } = {};

/** The reaction of each client to a mutant. */
async function reactions(id: string): Promise<string> {
  const dialect = dialectOf(id);
  const reference = await (honest[dialect] ??= answersOfPeer(referenceServer(), sdks[dialect]));
  const mutant = await answersOfPeer(mutantOf(id).make(), sdks[dialect]);
  return [...mutant]
    .map(([name, given]) => `\`${name}\`: ${reactionTo(given, reference.get(name) ?? [])}`)
    .join('<br>');
}

it('lists at least 30 mutations in the dialects, each seen by its row', { timeout: 600_000 }, async () => {
  expect(mutations.length).toBeGreaterThanOrEqual(30);
  expect(new Set(mutations.map(dialectOf))).toEqual(new Set(sdkDialects));
  const rows: string[][] = [];
  for (const id of mutations) {
    const { title, breaks } = mutantOf(id);
    const level = requirements.find((row) => row.id === breaks)?.level ?? '';
    expect([id, rowsThatSee(id)]).toEqual([id, [breaks]]);
    rows.push([`\`${dialectOf(id)}\``, title, breaks, level, await reactions(id)]);
  }
  const text = `# Mutations of streams, and the requirement that sees each

Each line is a mutant of the reference server: its streams with one fault. A test plays it, sends it to the SDK of the dialect and
to AI SDK (\`ai\`), where that has the dialect, and compares this file. The last column is the difference that the program gets to
see. A fault that breaks an SDK is a MUST, and so is one that makes a program lose a call.

${markdownTable([['dialect', 'mutation', 'row', 'level', 'SDKs'], ...rows])}
`;
  const page = join(packageRoot(), 'spec/llm/SERVER-MUTATIONS.md');
  const [, ...rest] = readFileSync(page, 'utf8').split(everyMember);
  await expect([text, ...rest].join(`\n${everyMember}`)).toMatchFileSnapshot(page);
});
