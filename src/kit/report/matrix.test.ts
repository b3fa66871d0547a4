import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { htmlMatrix, matrixStyle } from './matrix-html.ts';
import { markdownMatrix } from './matrix-markdown.ts';
import { matrixOf } from './matrix.ts';
import { hostileReport, mixed, passing, row, sample, violated } from './sample.test-helper.ts';

const agents = matrixOf([
  { name: 'a.json', report: sample([row('X-1'), row('X-2')], { target: './a' }) },
  {
    name: 'b.json',
    report: sample(
      [violated('X-2'), row('X-3', { verdict: 'untestable', exercised: 0, reason: 'no handle' })],
      {
        target: './b',
        verdict: 'not-conformant',
      },
    ),
  },
]);

describe('the matrix', () => {
  it('has a row for each requirement of any report, and a column for each report', () => {
    const [section] = agents;
    expect(section?.columns.map(({ name }) => name)).toEqual(['a.json', 'b.json']);
    expect(section?.rows.map(({ id, cells }) => [id, ...cells.map((one) => one?.verdict)])).toEqual([
      ['X-1', 'pass', undefined],
      ['X-2', 'pass', 'fail'],
      ['X-3', undefined, 'untestable'],
    ]);
  });

  it('has a section for each suite and revision', () => {
    const of = (suite: string, revision: string): { name: string; report: typeof passing } => ({
      name: 'x.json',
      report: { ...passing, suite, revision },
    });
    const sections = matrixOf([of('a/b', '1'), of('c/d', '1'), of('a/b', '1'), of('a/b', '2')]);
    expect(sections.map(({ suite, revision, columns }) => [suite, revision, columns.length])).toEqual([
      ['a/b', '1', 2],
      ['c/d', '1', 1],
      ['a/b', '2', 1],
    ]);
  });
});

describe('the matrix as markdown', () => {
  it('shows signs, words and totals', () => {
    expect(markdownMatrix(agents)).toContain(`| Requirement | Level | ./a | ./b |
| --- | --- | --- | --- |
| X-1 | MUST | ✓ pass | not in the report |
| X-2 | MUST | ✓ pass | ✗ fail |
| X-3 | MUST | not in the report | ∅ untestable |
| **Totals** |  | 2 pass | 1 fail, 1 untestable |`);
  });
});

/** The parts of a page: names of its elements and attributes, and its text with entities resolved. */
interface ParsedPage {
  readonly elements: ReadonlySet<string>;
  readonly attributes: ReadonlySet<string>;
  readonly text: string;
}

/** A tag with double-quoted attributes, or a text without markup. The page uses no other HTML. */
const token = /<(\/?[\w!]+)((?: [\w-]+(?:="[^"<>]*")?)*)>|([^<>]+)/uy;

/** Reads a page. @throws Error where it has other HTML than the kit writes */
function parsed(html: string): ParsedPage {
  const [elements, attributes] = [new Set<string>(), new Set<string>()];
  let text = '';
  token.lastIndex = 0;
  while (token.lastIndex < html.length) {
    const at = token.lastIndex;
    const [found, name = '', list = '', said = ''] = token.exec(html) ?? [];
    if (found === undefined) throw new Error(`not the kit's HTML at ${at}: ${html.slice(at, at + 60)}`);
    if (name !== '') elements.add(name);
    for (const [, key = ''] of list.matchAll(/ ([\w-]+)(?:="[^"]*")?/gu)) attributes.add(key);
    text += said.replaceAll(/&#(\d+);/gu, (_, code: string) => String.fromCodePoint(Number(code)));
  }
  return { elements, attributes, text };
}

describe('the matrix as a page', () => {
  it('has the verdicts as signs and words, and the verdict lines', () => {
    const { text } = parsed(htmlMatrix(agents));
    for (const part of [
      '✓ pass',
      '✗ fail',
      '∅ untestable',
      'not in the report',
      'not conformant: 1 of 1 applicable',
    ])
      expect(text).toContain(part);
  });

  it('allows its own style and nothing else', () => {
    const hash = createHash('sha256').update(matrixStyle).digest('base64');
    expect(htmlMatrix(agents)).toContain(
      `content="default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'"`,
    );
  });

  it('has no markup of a peer, whatever it says', () => {
    const own = parsed(htmlMatrix(matrixOf([{ name: 'x', report: mixed }])));
    fc.assert(
      fc.property(fc.array(hostileReport, { minLength: 1, maxLength: 3 }), (reports) => {
        const page = parsed(htmlMatrix(matrixOf(reports.map((report, i) => ({ name: `${i}`, report })))));
        expect([...page.elements].filter((name) => !own.elements.has(name))).toEqual([]);
        expect([...page.attributes].filter((name) => !own.attributes.has(name))).toEqual([]);
      }),
      { numRuns: 200 },
    );
  });

  it('has no row or column of a peer in markdown, whatever it says', () => {
    fc.assert(
      fc.property(fc.array(hostileReport, { minLength: 1, maxLength: 3 }), (reports) => {
        const sections = matrixOf(reports.map((report, i) => ({ name: `${i}`, report })));
        const lines = markdownMatrix(sections)
          .split('\n')
          .filter((line) => line.startsWith('|'));
        expect(lines).toHaveLength(sections.reduce((n, { rows }) => n + rows.length + 3, 0));
        expect(markdownMatrix(sections)).not.toMatch(/<(?!!-- -->)|\]\(/u);
      }),
      { numRuns: 200 },
    );
  });
});
