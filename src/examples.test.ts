/** Examples in doc comments compile, run, and give the values they promise. */
import { describe, expect, it } from 'vitest';
import { Examples, findExamples, place } from './examples.test-helper.ts';

const found = findExamples();
const examples = new Examples(found);
const runnable = found.filter(({ noRun }) => noRun === undefined);

describe('the examples of doc comments', () => {
  it('are there, and nearly all can be run', () => {
    expect(runnable.length).toBeGreaterThanOrEqual(20);
    expect(found.length - runnable.length).toBeLessThanOrEqual(2);
  });

  it('compile', () => {
    expect(examples.complaints()).toEqual([]);
  });

  it.each(runnable.map((example) => [place(example), example] as const))('run: %s', async (_, example) => {
    for (const { came, expected } of await examples.run(example)) expect(came).toEqual(expected);
  });
});
