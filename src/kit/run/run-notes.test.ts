/** The notes of a testee's self-description. */
import { describe, expect, it } from 'vitest';
import type { Hello } from '../suite/index.ts';
import { helloNotes } from './run-notes.ts';

const feature = (name: string, advertised = true) => ({ name, advertised, text: '' });
const suite = { id: 'sep/executor', features: [feature('retries'), feature('timeouts')] };
const hello = (
  features: readonly string[],
  answer: Hello['answer'] = { features: [...features] },
): Hello => ({
  ops: [],
  features,
  virtual_time: false,
  answer,
});
/** The features of the other suites of the protocol. */
const others = async (): Promise<readonly string[]> => ['feeds'];

describe('the notes of a self-description', () => {
  it.each([
    ['features of its suite', hello(['retries'])],
    ['a feature of another suite of the protocol, which the same program may serve', hello(['feeds'])],
    ['an empty list', hello([])],
  ])('are none for %s', async (_, said) => {
    expect(await helloNotes(suite, said, others)).toEqual([]);
  });

  it('name a feature that no suite has, with the one that it may mean', async () => {
    expect(await helloNotes(suite, hello(['retires', 'retries', 'bogus_feature']), others)).toEqual([
      'hello names features that sep/executor does not have: "retires" (did you mean retries?), "bogus_feature"; wireproof list features sep/executor lists them',
    ]);
  });

  it('are bounded', async () => {
    const [note = ''] = await helloNotes(
      suite,
      hello(Array.from({ length: 9999 }, (_, i) => `f${i}`)),
      others,
    );
    expect(note).toContain('"f4" and 9994 more; ');
  });

  it('say that there is no list, where the suite has features that a target shows', async () => {
    const [note] = await helloNotes(suite, hello([], {}), others);
    expect(note).toMatch(/^hello has no list of features, so none is judged; write "features": \[\]/u);
    const without = { id: 'a/b', features: [feature('tools', false)] };
    expect(await helloNotes(without, hello([], {}), others)).toEqual([]);
  });
});
