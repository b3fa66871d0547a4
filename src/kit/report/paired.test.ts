/** Each format shows the verdict of each pair, and the two messages of a violation side by side (report.schema.json, grid and comparison). */
import { describe, expect, it } from 'vitest';
import type { Report } from '../base/index.ts';
import { comparisonLines } from './comparison.ts';
import { consoleReport } from './console.ts';
import { ctrfReport } from './ctrf.ts';
import { pairLine } from './grid.ts';
import { htmlReport } from './html.ts';
import { junitReport } from './junit.ts';
import { markdownReport } from './markdown.ts';
import { lostEnd, mixed, paired, pairs, sample, violated } from './sample.test-helper.ts';

const plain = { color: false } as const;

/** A single pair says no more than the report. */
const single: Report = { ...paired, grid: { ...pairs, cells: pairs.cells.slice(0, 1) } };

describe('two messages', () => {
  it('stand in the order in which they went through the target, with the part that differs first', () => {
    expect(comparisonLines(lostEnd)).toEqual([
      'provider said | client heard',
      '> end: max_tokens | stop',
      '  text: "Hello" | "Hello"',
      '  usage: 9 and 5 | (none)',
      '  due: length (A document, section 3)',
    ]);
    const asked = { ...lostEnd, from: 'above' } as const;
    expect(comparisonLines(asked)[0]).toBe('client heard | provider said');
  });

  it('name their document where every value of the first side is lawful', () => {
    const { due: _, ...rest } = lostEnd;
    expect(comparisonLines(rest).at(-1)).toBe('  by: A document, section 3');
  });

  it('are two labelled lines on a terminal', () => {
    expect(consoleReport(paired, plain)).toContain(
      [
        '    end: provider said  max_tokens',
        '         client heard   stop',
        '         due            length (A document, section 3)',
      ].join('\n'),
    );
  });

  it('are cut to the width of a terminal', () => {
    const long = { ...lostEnd, below: { label: 'provider said', parts: { end: 'x'.repeat(300) } } };
    const report = sample([violated('A', { comparison: long })], { verdict: 'not-conformant' });
    const lines = consoleReport(report, { ...plain, width: 60 }).split('\n');
    expect(lines).toContainEqual(expect.stringMatching(/^ {4}end: provider said {2}x+…$/));
    expect(lines.filter((line) => line.includes('xxx')).every((line) => line.length <= 60)).toBe(true);
  });

  it('are a table in markdown and in the page', () => {
    expect(markdownReport(paired)).toContain(
      '|  | provider said | client heard |\n| --- | --- | --- |\n| **end** | max&#95;tokens | stop |\n',
    );
    const page = htmlReport(paired, plain);
    expect(page).toMatch(
      /<tr class="differs"><th scope="row">.*end<\/th><td><code>max_tokens<\/code><\/td><td><code>stop<\/code>/,
    );
    expect(page).toMatch(/usage<\/th><td><code>9 and 5<\/code><\/td><td class="quiet">\(none\)/);
  });

  it('are text in JUnit and CTRF', () => {
    expect(junitReport(paired)).toContain('\n&#62; end: max_tokens | stop\n');
    const { results } = JSON.parse(ctrfReport(paired, plain)) as { results: { tests: { trace?: string }[] } };
    expect(results.tests.flatMap(({ trace = [] }) => trace).join('\n')).toContain('> end: max_tokens | stop');
  });
});

describe('the pairs', () => {
  it('are a table on a terminal, with the ids below', () => {
    expect(consoleReport(paired, plain)).toContain(
      [
        'client × provider  red                  blue',
        'red                ✓ pass, 1 not fatal  ✗ 2 failed',
        'blue               –                    ? 1 not observed',
        '                red × red: pass, 1 not fatal: FOLD-A30',
        '                red × blue: 2 failed: FOLD-A15, FOLD-A30',
        '                blue × blue: 1 not observed: FOLD-A02',
      ].join('\n'),
    );
  });

  it('are a list on a narrow one', () => {
    const text = consoleReport(paired, { ...plain, width: 40 });
    expect(text).not.toContain('client × provider');
    expect(text).toMatch(/^✗ 2 failed +red × blue$/m);
  });

  it('are a table in markdown and in the page, where ids are links', () => {
    expect(markdownReport(paired)).toContain(
      '| client × provider | red | blue |\n| --- | --- | --- |\n| red | ✓ pass, 1 not fatal<br>FOLD-A30 | ✗ 2 failed<br>FOLD-A15, FOLD-A30 |\n| blue | – | ? 1 not observed<br>FOLD-A02 |',
    );
    const page = htmlReport(paired, plain);
    expect(page).toContain('<th scope="col">client × provider</th>');
    expect(page).toMatch(/✗<\/span> 2 failed<\/span><span class="ids"><a href="#FOLD-A15">FOLD-A15<\/a>/);
  });

  it('are text in JUnit, and a member in CTRF', () => {
    expect(junitReport(paired)).toContain('\nred × blue: 2 failed: FOLD-A15, FOLD-A30\n');
    expect(JSON.parse(ctrfReport(paired, plain))).toMatchObject({ results: { extra: { grid: pairs } } });
  });

  it.each([
    ['of one pair', single],
    ['without pairs', mixed],
  ])('are not shown in a report %s', (_, report) => {
    const texts = [consoleReport, markdownReport, junitReport].map((render) => render(report, plain));
    for (const text of texts) expect(text).not.toContain('×');
    expect(htmlReport(report, plain)).not.toContain('id="pairs"');
  });

  it('have words for each verdict', () => {
    const [first] = pairs.cells;
    if (first === undefined) throw new Error('the sample has pairs');
    expect(pairLine({ ...first, failed: [] })).toBe('red × red: pass');
    expect(pairLine({ ...first, verdict: 'not-observed', missing: ['FOLD-A02'] })).toBe(
      'red × red: 1 not observed, 1 not fatal: FOLD-A02, FOLD-A30',
    );
    expect(pairLine({ ...first, verdict: 'not-observed', failed: [], exercised: 0 })).toBe(
      'red × red: not observed',
    );
  });
});
