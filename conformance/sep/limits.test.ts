/** Every limit of a run is an option all the way, and `wireproof limits` lists it. */
import { describe, expect, it } from 'vitest';
import { fakeRun } from '../../src/kit/simulate/run.test-helper.ts';
import { limitNames, runLimits } from './executor/live/limits-flag.ts';
import { play } from './executor/simulator.ts';
import { sepLimits } from './limits.ts';

/** The events of a run of an output on stdin, under these limits. */
async function played(output: string, limit: readonly string[]): Promise<readonly { type?: string }[]> {
  const fake = fakeRun({ limit });
  fake.stdin.end(output);
  await play(fake.run);
  return fake
    .out()
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { data: { type?: string } }).data);
}

const action = '<action type="tool" mode="sync" id="a">{"name":"n","parameters":{"p":"0123456789"}}</action>';

describe('the flag --limit', () => {
  it('reaches the run', async () => {
    const typesOf = async (limit: readonly string[]): Promise<readonly unknown[]> =>
      (await played(`${action}<response final="false">$a</response>`, limit)).map(({ type }) => type);
    expect(await typesOf([])).toContain('completed');
    expect(await typesOf(['value=10'])).toContain('failed');
    expect(await typesOf(['body=10'])).not.toContain('action');
    expect((await typesOf(['iterations=3'])).filter((type) => type === 'iteration')).toHaveLength(3);
    const texts = (await played(`${action}<response>$a</response>`, ['substituted=5'])).filter(
      ({ type }) => type === 'response',
    );
    expect(texts).toMatchObject([{ text: '$a' }]);
  });

  it.each(['values=3', 'value', 'value=-1', 'value=1e3', 'constructor=1', ''])('refuses %j', (text) => {
    expect(() => runLimits([text])).toThrow(/expected name=number, with one of the names body, iterations/);
  });

  it('names each limit that wireproof limits lists', () => {
    const listed = sepLimits()
      .map(({ set_by }) => set_by)
      .join(' ');
    for (const [name, option] of Object.entries(limitNames)) {
      expect(listed).toContain(`--limit ${name}=`);
      expect(listed).toContain(option);
    }
  });
});
