/** The tables of spec/toon/lawful.md are the lists of lawful peers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../src/kit/spec/index.ts';
import { lawfulOrchestrators } from '../orchestrator/lawful/index.ts';
import { lawfulSubagents } from '../subagent/lawful/index.ts';

it.each([
  ['Subagents', lawfulSubagents, 30],
  ['Orchestrators', lawfulOrchestrators, 10],
] as const)(
  'spec/toon/lawful.md lists them, with their oddities and why these are allowed: %s',
  (title, peers, least) => {
    const text = readFileSync(join(packageRoot(), 'spec', 'toon', 'lawful.md'), 'utf8');
    const [, section = ''] = text.split(`\n## ${title}\n`);
    const rows = (section.split('\n## ')[0] ?? '')
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .map((line) =>
        line
          .slice(1, -1)
          .split(' | ')
          .map((cell) => cell.trim()),
      );
    expect(rows).toEqual(peers.map(({ id, title: oddity, allowed }) => [`\`${id}\``, oddity, allowed]));
    expect(peers.length).toBeGreaterThanOrEqual(least);
  },
);
