/** Reading reports: what the schema takes, and what a file is instead (spec/formats/report.schema.json). */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { renderers } from '../report/index.ts';
import { mixed, passing } from '../report/sample.test-helper.ts';
import { mostReportBytes, readReport } from './report-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (text: string): string => {
  const path = join(folder, 'x.json');
  writeFileSync(path, text);
  return path;
};

describe('a report file', () => {
  it.each([passing, mixed])('is read as it was written', (report) => {
    expect(readReport(file(renderers.json(report, { color: false })))).toEqual(report);
  });

  it.each<[string, string, string]>([
    ['nothing', '', 'expected a report (wireproof check --report json=FILE writes one); came an empty file'],
    ['JUnit', renderers.junit(mixed, { color: false }), 'came XML, such as --report junit writes'],
    [
      'markdown',
      renderers.markdown(mixed, { color: false }),
      'came markdown, such as --report markdown writes',
    ],
    ['CTRF', renderers.ctrf(mixed, { color: false }), 'came CTRF, such as --report ctrf writes'],
    ['a badge', renderers.badge(mixed, { color: false }), 'came a badge'],
    [
      'a trace',
      '{"wireproof":"trace/1","suite":"fold/agent"}\n{"seq":0}\n',
      'came a trace: wireproof judge FILE',
    ],
    ['a statement', 'suite: fold/agent\n', 'came YAML, such as a statement'],
    ['another version', '{"wireproof":"report/2"}', 'came the format "report/2"'],
    ['a number', '7', 'came JSON: 7'],
    ['other JSON', '{"a":1}', 'came JSON without the member "wireproof": an object'],
    ['half of one', '{"wireproof": "report/1",\n  "kit"', 'x.json:2:8: not JSON'],
    ['a wrong token', '{\n "wireproof": report }', 'x.json:2:15: not JSON'],
    ['deep nesting', '['.repeat(100_000), 'expected at most 512 levels of nesting'],
  ])('is refused when it holds %s', (_, text, sentence) => {
    expect(() => readReport(file(text))).toThrow(sentence);
  });

  it('is refused at the member that is wrong', () => {
    const wrong = {
      ...mixed,
      requirements: [mixed.requirements[0], { ...mixed.requirements[1], verdict: 'green' }],
    };
    expect(() => readReport(file(JSON.stringify(wrong)))).toThrow(
      'x.json: not a report: requirements[1].verdict: expected one of pass, fail, not-observed, not-applicable, untestable, error; came "green"',
    );
  });

  it('is refused when it is hostile in size', () => {
    const path = file(' '.repeat(mostReportBytes + 1));
    expect(() => readReport(path)).toThrow(`expected a report of at most ${mostReportBytes}`);
  });

  it('is refused when it is missing or a folder', () => {
    expect(() => readReport(join(folder, 'none.json'))).toThrow('no such file; expected a report');
    expect(() => readReport(folder)).toThrow('came a directory');
  });
});
