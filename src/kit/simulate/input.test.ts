/** The lines that a person, or a program, writes on stdin. */
import { describe, expect, it } from 'vitest';
import { inputLines, longestLine } from './input.ts';
import { fakeRun } from './run.test-helper.ts';
import type { FakeRun } from './run.test-helper.ts';

async function linesOf(fake: FakeRun): Promise<readonly (string | undefined)[]> {
  const lines: (string | undefined)[] = [];
  for await (const line of inputLines(fake.run)) lines.push(line);
  return lines;
}

describe('the lines of stdin', () => {
  it('end at LF or CRLF, wherever chunks are cut; the last one needs no end; a blank one is a line', async () => {
    const fake = fakeRun();
    for (const byte of Buffer.from('é\r\n\nb\nlast')) fake.stdin.write(Buffer.of(byte));
    fake.stdin.end();
    expect(await linesOf(fake)).toEqual(['é', '', 'b', 'last']);
  });

  it('are dropped alone when they are too long', async () => {
    const fake = fakeRun();
    fake.stdin.write('a'.repeat(longestLine));
    fake.stdin.write('a'.repeat(longestLine));
    fake.stdin.write(`\n${'b'.repeat(longestLine)}\n${'c'.repeat(longestLine + 1)}`);
    fake.stdin.end();
    const lines = await linesOf(fake);
    expect(lines.map((line) => line?.length)).toEqual([undefined, longestLine, undefined]);
  });

  it('end with the session, which closes stdin', async () => {
    const fake = fakeRun();
    const lines = linesOf(fake);
    fake.stdin.write('one\nhalf');
    setTimeout(() => fake.stdin.destroy(), 10);
    expect(await lines).toEqual(['one', 'half']);
  });
});
