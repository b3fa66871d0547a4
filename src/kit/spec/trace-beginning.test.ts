/** A trace is told from a report by its first line. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { mixed } from '../report/sample.test-helper.ts';
import { beginsAsTrace } from './trace-beginning.ts';

const folder = mkdtempSync(join(tmpdir(), 'wireproof-trace-'));
afterAll(() => rmSync(folder, { recursive: true }));

function file(text: string): string {
  const path = join(folder, 'r.json');
  writeFileSync(path, text);
  return path;
}

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
