/** A report is read whole, and refused with its position; a trace is told from it by its first line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mixed } from '../report/sample.test-helper.ts';
import { beginsAsTrace, readReport } from './report-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-report-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, 'r.json');
  writeFileSync(path, text);
  return path;
}

describe('a report', () => {
  it('is read as it was written', () => {
    expect(readReport(file(JSON.stringify(mixed)))).toEqual(mixed);
    expect(readReport(file(JSON.stringify(mixed, null, 2)))).toEqual(mixed);
  });

  it.each([
    ['nothing', '', /r\.json:1:1: not a trace or a report of --report json: expected an object/],
    ['words', 'hello', /r\.json:1:1: not a trace or a report .*came/],
    ['another object', '{\n  "name": "x"\n}', /r\.json:\d+:\d+: not a trace or a report/],
    ['JSON that was cut', '{\n  "wireproof": "report/1",\n  "kit": [', /r\.json:3:\d+/],
    ['a verdict that is none', JSON.stringify({ ...mixed, verdict: 'fine' }), /r\.json:1:\d+: .*verdict/],
  ])('is refused when it is %s', (_, text, expected) => {
    expect(() => readReport(file(text))).toThrow(expected);
  });

  it('that is large is refused without a position', () => {
    const text = JSON.stringify({ ...mixed, verdict: 'fine', notes: ['x'.repeat(300_000)] });
    expect(() => readReport(file(text))).toThrow(/r\.json: not a trace or a report .*verdict/);
    expect(() => readReport(file(text.slice(0, -1)))).toThrow(/it is no JSON$/);
  });
});

describe('a trace', () => {
  it.each([
    [true, '{"wireproof":"trace/1","suite":"fold/agent"}\n{"seq":0}'],
    [true, '{ "suite": "x", "wireproof": "trace/1" }'],
    [false, JSON.stringify(mixed)],
    [false, '{\n"wireproof":"trace/1"}'],
    [false, ''],
  ])('is known by its first line: %j of %s', (expected, text) => {
    expect(beginsAsTrace(file(text))).toBe(expected);
  });

  it('is refused when it is no file', () => {
    expect(() => beginsAsTrace(join(folder, 'none'))).toThrow(
      /none: no such file; expected a trace or a report$/,
    );
    expect(() => beginsAsTrace(folder)).toThrow(/came a directory$/);
  });
});
