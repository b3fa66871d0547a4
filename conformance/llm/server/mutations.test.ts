/** spec/llm/SERVER-MUTATIONS.md lists mutations of streams, and the row that sees each. The self-test plays the same mutants. */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot, readRequirements } from '../../../src/kit/spec/index.ts';
import { dialects } from '../../../src/llm/index.ts';
import { simulate } from '../../../src/kit/suite/index.ts';
import type { Mutant } from '../../../src/kit/suite/index.ts';
import { mutations } from './mutations.test-helper.ts';
import { serverScenarios } from './scenarios.ts';
import { llmServerSuite } from './suite.ts';

const { requirements } = readRequirements('llm');
const scenarios = serverScenarios();
const cases = ['text', 'tool', 'parallel', 'limit', 'limit-tool'];

const dialectOf = (id: string): string => dialects.find((name) => id.startsWith(`${name}-`)) ?? '';

const mutantOf = (id: string): Mutant => {
  const mutant = llmServerSuite.mutants.find((one) => one.id === id);
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

/** A table of Markdown with columns of equal width. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map((row) => (row[i] ?? '').length)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, i) => cell.padEnd(widths[i] ?? 0)).join(' | ')} |`;
  const [head = [], ...rest] = rows;
  return [line(head), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest.map(line)].join(
    '\n',
  );
}

it('lists at least 30 mutations in five dialects, each seen by its row', { timeout: 120_000 }, async () => {
  const ids = Object.keys(mutations);
  expect(ids.length).toBeGreaterThanOrEqual(30);
  expect(new Set(ids.map(dialectOf))).toEqual(new Set(dialects));
  const rows = ids.map((id) => {
    const { title, breaks } = mutantOf(id);
    const level = requirements.find((row) => row.id === breaks)?.level ?? '';
    expect([id, rowsThatSee(id)]).toEqual([id, [breaks]]);
    const [sdk, reaction] = mutations[id] ?? ['', ''];
    return [`\`${dialectOf(id)}\``, title, breaks, level, sdk === '-' ? '-' : `\`${sdk}\`: ${reaction}`];
  });
  const text = `# Mutations of streams, and the requirement that sees each

Each line is a mutant of the reference server: its streams with one fault. A test plays it and compares this file. The last
column is the reaction of the dialect's SDK to such a stream; \`-\`: not tried. A fault that breaks an SDK, or a call that cannot
be answered, is a MUST.

${table([['dialect', 'mutation', 'row', 'level', 'SDK'], ...rows])}
`;
  await expect(text).toMatchFileSnapshot(join(packageRoot(), 'spec/llm/SERVER-MUTATIONS.md'));
});
