import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { markdownReport } from './markdown.ts';
import { hostileReport, mixed, passing, rows, sample, violated } from './sample.test-helper.ts';

describe('the markdown report', () => {
  const text = markdownReport(mixed);

  it('begins with the suite and the verdict with its scope', () => {
    expect(markdownReport(passing).split('\n\n').slice(0, 3)).toEqual([
      '## Wireproof: fold/agent',
      '**conformant: 41 of 41 applicable MUSTs exercised; 6 untestable in passive drive**',
      'Target ./my-agent, revision 2025-01, passive drive, features tools, seed 7, 2.3 s, wireproof 0.1.0.',
    ]);
  });

  it('has a row for each violation, and says which are not fatal', () => {
    expect(text).toContain(
      '| FOLD-A15 | MUST | The sentence of FOLD-A15.<br>Fold protocol, revision r3, section 5.2 | ' +
        'expected response.request&#95;id "r1", got "r2" |',
    );
    expect(text).toContain('| FOLD-A30 | SHOULD, not fatal |');
    expect(text).toContain('| FOLD-A32 | MUST, the kit failed |');
    expect(markdownReport({ ...mixed, strict: true })).toContain('| FOLD-A30 | SHOULD |');
  });

  it('folds the wire events and the replay command', () => {
    expect(text).toContain(
      '<details><summary>FOLD-A15 on the wire</summary>\n\n```text\n' +
        '  12 gateway → target send_message\n> 13 target → gateway response\n```\n\nAt main.jsonl event 13.',
    );
    expect(text).toContain('```text\nwireproof replay main.jsonl --only FOLD-A15\n```');
  });

  it('groups what was not exercised by reason, and counts by level', () => {
    expect(text).toContain('| not-observed | no tool call came | FOLD-A40, FOLD-A41 |');
    expect(text).toContain('| MUST | 3 | 3 | 2 | 0 | 0 | 1 |\n| SHOULD | 0 | 1 | 0 | 0 | 0 | 0 |');
  });

  it('shows problems, notes, exclusions, expected failures and the last output', () => {
    expect(text).toContain('- FOLD-A31 failed as expected: known (https&#58;//example.org/issues/9)');
    expect(text).toContain('- Problem: FOLD-A99 is listed');
    expect(text).toContain('- Note: directive drive: the nonce came back');
    expect(text).toContain('- Excluded: FOLD-A70');
    expect(text).toContain('```text\npanic: index out of range\n```');
  });

  it('tells twenty violations in full and counts the others', () => {
    const requirements = rows(22, 1, violated('x')).map((row, i) => ({ ...row, id: `F-${i}` }));
    const long = markdownReport(sample(requirements, { verdict: 'not-conformant' }));
    expect(long.split('<details>')).toHaveLength(21);
    expect(long).toContain('2 more are told in the JSON report.');
  });
});

/** The text without its fenced blocks and the markup that the report itself writes. */
const loose = (text: string): string =>
  text
    .replace(/^(`{3,})text\n[\s\S]*?\n\1$/gmu, '')
    .replace(/<\/?(?:details|summary)>|<br>|<!-- -->|^#{2,3} |\*\*|&#\d+;/gmu, '');

describe('hostile text in markdown', () => {
  it('makes no markup, link, mention, HTML or CI command outside a fence, and no control character', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const text = markdownReport(report);
        expect(loose(text)).not.toMatch(/[<>`*_~[\]!#@$\\]|:\/\/|www\./u);
        expect(text).not.toMatch(/[^\P{C}\n\p{Co}\p{Cn}]/u);
        expect(text).not.toMatch(/^\s*::|##[\w.-]*\[/mu);
      }),
    );
  });

  it('keeps every table at its number of columns', () => {
    fc.assert(
      fc.property(hostileReport, (report) => {
        const tables = loose(markdownReport(report)).match(/^\|.*\n\| ---.*\n(?:\|.*\n)+/gmu) ?? [];
        for (const table of tables) {
          const widths = table
            .trimEnd()
            .split('\n')
            .map((line) => line.split('|').length);
          expect(new Set(widths).size).toBe(1);
        }
      }),
    );
  });
});
