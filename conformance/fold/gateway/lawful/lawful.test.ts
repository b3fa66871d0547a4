/** The table of lawful gateways in spec/fold, and the proof that they are what it says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { packageRoot } from '../../../../src/kit/spec/index.ts';
import { lawfulGateways } from './index.ts';

/** The cells of a row of a Markdown table. */
const cellsOf = (line: string): readonly string[] =>
  line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());

it('stands in spec/fold/lawful-gateways.md, row by row', () => {
  const text = readFileSync(join(packageRoot(), 'spec/fold/lawful-gateways.md'), 'utf8');
  const rows = text.split('\n').filter((line) => line.startsWith('| `'));
  expect(rows.map(cellsOf)).toEqual(
    lawfulGateways.map(({ id, title, allowed }) => [`\`${id}\``, title, allowed]),
  );
});

it('has at least fifty oddities, each with a document that allows it', () => {
  expect(lawfulGateways.length).toBeGreaterThanOrEqual(50);
  expect(lawfulGateways.filter(({ allowed }) => !/: |; |, /.test(allowed))).toEqual([]);
});
