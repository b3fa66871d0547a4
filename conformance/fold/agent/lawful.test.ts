/** The published list of lawful agents is that of the suite: spec/fold/lawful-agents.md (`vitest -u` writes it). */
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/kit/spec/index.ts';
import { lawfulAgents } from './lawful/index.ts';

const head = `# Lawful agents

Agents that do unusual things which Fold allows. The self-test plays each through all scenarios that fit it: no requirement
blames it, no scenario ends early, and no requirement is lost, apart from those that the list names.
`;

const listed = lawfulAgents.map(({ id, title, allowed, drive, unseen = {} }) => {
  const parts = [
    `- \`${id}\`: ${title}${drive === 'passive' ? ' It obeys no directive.' : ''}`,
    `  Allowed by ${allowed}.`,
    ...Object.entries(unseen).map(([row, reason]) => `  ${row} cannot be seen: ${reason}.`),
  ];
  return parts.join('\n');
});

it('the published list is that of the suite', async () => {
  const path = join(packageRoot(), 'spec', 'fold', 'lawful-agents.md');
  await expect(`${head}\n${listed.join('\n')}\n`).toMatchFileSnapshot(path);
});

it('there are at least 100, each with a name of its own', () => {
  expect(lawfulAgents.length).toBeGreaterThanOrEqual(100);
  expect(new Set(lawfulAgents.map(({ id }) => id)).size).toBe(lawfulAgents.length);
});
