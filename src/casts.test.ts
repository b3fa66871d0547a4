/** CONTRIBUTING.md, "How code reads here": few `as`. A cast says what the compiler cannot check, so their number only falls. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import ts from 'typescript';

/** The most casts outside tests: the number on the day of this test, 2.8 in 1,000 lines. Lower it when casts go; the aim is 1. */
const mostCasts = 385;

/** The number of `as` in a file, without `as const`. */
function castsIn(file: string): number {
  const source = ts.createSourceFile(file, readFileSync(file, 'utf8'), ts.ScriptTarget.Latest, false);
  const countIn = (node: ts.Node): number => {
    let count = ts.isAsExpression(node) && node.type.getText(source) !== 'const' ? 1 : 0;
    ts.forEachChild(node, (child) => void (count += countIn(child)));
    return count;
  };
  return countIn(source);
}

it('the code outside tests has no more casts than before', { timeout: 120_000 }, () => {
  const listed = execFileSync('git', ['ls-files', '*.ts', '*.cts'], { encoding: 'utf8' }).trim().split('\n');
  const files = listed.filter(
    (file) => existsSync(file) && !/\.(?:test|test-helper|bench)\.ts$|\/generated\//.test(file),
  );
  expect(files.length).toBeGreaterThan(1000);
  const counts = files.map((file) => ({ file, casts: castsIn(file) }));
  const casts = counts.reduce((sum, one) => sum + one.casts, 0);
  const most = counts.toSorted((a, b) => b.casts - a.casts).slice(0, 20);
  expect(casts, most.map((one) => `${one.file}: ${one.casts}`).join('\n')).toBeLessThanOrEqual(mostCasts);
});
