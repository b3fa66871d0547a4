/** Case tables: names, builders, rows, and refusals with their place. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { WireproofError } from '../base/index.ts';
import { textArgument, textBuilders } from './case-builders.ts';
import type { CaseBuilders } from './case-builders.ts';
import { readCaseTables } from './case-tables.ts';
import type { Case, CaseTables } from './case-tables.ts';

const root = mkdtempSync(join(tmpdir(), 'wireproof-cases-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const builders: CaseBuilders = {
  ...textBuilders,
  upper: (text) => textArgument(text).toUpperCase(),
  empty: () => '',
};

let folders = 0;
function read(files: { readonly [name: string]: string }): CaseTables {
  const folder = mkdtempSync(join(root, String(folders++)));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return readCaseTables(folder, () => builders);
}

const casesOf = (tests: string, values = ''): readonly Case[] =>
  read({ 'a.yaml': `${values}groups:\n  - op: x.y\n    tests:\n${tests}` }).files[0]?.groups[0]?.cases ?? [];

function refusal(tests: string, values = ''): string {
  try {
    casesOf(tests, values);
    return '';
  } catch (error) {
    expect(error).toBeInstanceOf(WireproofError);
    return (error as WireproofError).message.replace(/^.*a\.yaml:/, '');
  }
}

describe('a case table', () => {
  it('has tests as they stand', () => {
    expect(casesOf('      - { id: a, wire: [1, { b: null }] }\n')).toEqual([
      { id: 'a', wire: [1, { b: null }] },
    ]);
  });

  it('has a test for each row, in which a column stands for its cell, and inside a text for its text', () => {
    const tests = `      - columns: [name, n, data]
        rows: [[one, 1, [x]], [two, 2, { y: true }]]
        id: t-\${name}
        comment: \${n} of \${data}
        wire: [$n, $data]
`;
    expect(casesOf(tests)).toEqual([
      { id: 't-one', comment: '1 of ["x"]', wire: [1, ['x']] },
      { id: 't-two', comment: '2 of {"y":true}', wire: [2, { y: true }] },
    ]);
  });

  it('has rows of one column as cells, as a range, or as a value', () => {
    const ids = (rows: string): readonly unknown[] =>
      casesOf(`      - { columns: [n], rows: ${rows}, id: 'n\${n}' }\n`, 'values: { some: [x, y] }\n').map(
        ({ id }) => id,
      );
    expect(ids('[3, 5]')).toEqual(['n3', 'n5']);
    expect(ids('{ from: 0, to: 2 }')).toEqual(['n0', 'n1', 'n2']);
    expect(ids('$some')).toEqual(['nx', 'ny']);
  });

  it('has tests in tests: the inner ones have what is said of the outer', () => {
    const tests = `      - columns: [a]
        rows: [1, 2]
        result: invalid
        wire: $a
        tests:
          - { id: 'p\${a}' }
          - { columns: [b], rows: [x, y], id: 'q\${a}\${b}', result: valid }
`;
    expect(casesOf(tests)).toEqual([
      { id: 'p1', result: 'invalid', wire: 1 },
      { id: 'q1x', result: 'valid', wire: 1 },
      { id: 'q1y', result: 'valid', wire: 1 },
      { id: 'p2', result: 'invalid', wire: 2 },
      { id: 'q2x', result: 'valid', wire: 2 },
      { id: 'q2y', result: 'valid', wire: 2 },
    ]);
  });

  it('has values, each made of those above it, and builders with any number of arguments', () => {
    const values = 'values:\n  ab: { $join: [a, b] }\n  many: { $repeat: [$ab, 2] }\n';
    const tests = '      - { id: a, wire: [$many, { $upper: $ab }, $empty, { plain: 1, $upper: x }] }\n';
    expect(casesOf(tests, values)).toEqual([
      { id: 'a', wire: ['abab', 'AB', '', { plain: 1, $upper: 'x' }] },
    ]);
  });

  it('keeps the order of files, of groups and of keys that are special in JavaScript', () => {
    const { files, notes } = read({
      'b.yaml': 'groups:\n  - { op: x.y, tests: [{ id: b }] }\n',
      'a.yaml': 'groups:\n  - { op: x.z, tests: [{ id: a, __proto__: { c: 1 } }] }\n',
      'notes.yaml': 'notes: { odd: what is odd }\n',
    });
    expect(files.map(({ theme }) => theme)).toEqual(['a', 'b']);
    expect(JSON.stringify(files[0]?.groups[0]?.cases)).toBe('[{"id":"a","__proto__":{"c":1}}]');
    expect(notes).toEqual({ odd: 'what is odd' });
  });
});

describe('what is wrong with one is said with line and column', () => {
  it.each([
    [
      'a name that nobody knows',
      '      - { id: $nobody }\n',
      /^4:9: unknown name \$nobody; there are .*join/,
    ],
    [
      'a builder that nobody knows',
      '      - { id: a, wire: { $nobody: [1] } }\n',
      /^4:9: unknown name \$nobody/,
    ],
    [
      'an argument of another type',
      '      - { id: a, wire: { $upper: 3 } }\n',
      /^4:9: expected a text; came 3$/,
    ],
    [
      'an argument that is missing',
      '      - { id: a, wire: { $upper: [] } }\n',
      /^4:9: expected a text; came nothing$/,
    ],
    [
      'a row of other cells than columns',
      '      - { columns: [a, b], rows: [[1]], id: x }\n',
      /^4:9: expected rows of 2 cells; came \[1\]$/,
    ],
    ['rows that are none', '      - { columns: [a], rows: $n, id: x }\n', /^4:9: unknown name \$n/],
    ['columns without rows', '      - { columns: [a], id: x }\n', /^4:9: not a case table: .*rows/],
  ])('%s', (_, tests, expected) => {
    expect(refusal(tests)).toMatch(expected);
  });

  it('a value that uses one below it', () => {
    expect(refusal('      - { id: a }\n', 'values:\n  b: $c\n  c: 1\n')).toMatch(/^2:6: unknown name \$c/);
  });
});
