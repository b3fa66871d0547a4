/** The table of lawful subagents in spec/toon/lawful.md is the list of lawful peers. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../../src/kit/spec/index.ts';
import { lawfulSubagents } from './index.ts';

it('spec/toon/lawful.md lists every lawful subagent, its oddity and why it is allowed', () => {
  const rows = readFileSync(join(packageRoot(), 'spec', 'toon', 'lawful.md'), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .slice(1, -1)
        .split(' | ')
        .map((cell) => cell.trim()),
    );
  expect(rows).toEqual(lawfulSubagents.map(({ id, title, allowed }) => [`\`${id}\``, title, allowed]));
  expect(lawfulSubagents.length).toBeGreaterThanOrEqual(30);
});
