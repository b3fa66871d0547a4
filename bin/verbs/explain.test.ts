/** `wireproof explain`: words, their list, near misses and traps; and `limits`, which explains each timeout. */
import { describe, expect, it } from 'vitest';
import { parseDirective } from '../../src/fold/directive.ts';
import { wireproof } from '../run.test-helper.ts';
import { words } from '../words/words.ts';
import { textOfWord } from './explain.ts';

/** The words that newcomers asked for. */
const asked = [
  ...['drive', 'shim', 'testee', 'operator', 'carrier', 'statement', 'row', 'scenario', 'trace', 'mutant'],
  ...['peer', 'vector', 'directive', 'target', 'requirement', 'suite', 'trap', 'turn', 'excluded', 'shard'],
];

describe('explain', () => {
  it.each(asked)('has the word %s, with an example', (word) => {
    expect(textOfWord(word)).toContain('\n  example  ');
  });

  it('prints the text of a word', async () => {
    const { code, stdout } = await wireproof(['explain', 'drive']);
    expect([code, stdout.trimEnd()]).toEqual([0, textOfWord('drive')?.trimEnd()]);
  });

  it('shows a directive that targets obey', () => {
    const example = /^ {2}example {4}(.*)$/mu.exec(words['directive'] ?? '')?.[1] ?? '';
    expect(parseDirective(example)).toMatchObject({ ok: true, value: [{ say: 'Hello.' }, {}] });
  });

  it.each([
    ['untestable', 'verdicts'],
    ['inconclusive', 'verdicts'],
    ['passive', 'drive'],
    ['turn', 'turns'],
    ['http', 'carriers'],
    ['partial', 'verdicts'],
  ])('has the word %s on the page of %s', (word, page) => {
    expect(textOfWord(word)).toContain(word);
    expect(textOfWord(word)).toBe(textOfWord(page));
  });

  it('lists all words without a word', async () => {
    const { code, stdout } = await wireproof(['explain']);
    expect(code).toBe(0);
    for (const word of asked) expect(stdout).toMatch(new RegExp(`^  ${word} +\\S`, 'm'));
  });

  it.each([
    ['drives', 'drive'],
    ['shimm', 'shim'],
    ['FOLD-A151', 'FOLD-A15'],
  ])('suggests for %s the word %s', async (word, near) => {
    const { code, stderr } = await wireproof(['explain', word]);
    expect(code).toBe(2);
    expect(stderr).toContain(`Did you mean wireproof explain ${near}?`);
  });

  it('shows the trap of a requirement', async () => {
    const { stdout } = await wireproof(['explain', 'FOLD-A15']);
    expect(stdout).toMatch(/^trap +a cancel or an end during a step/m);
  });
});

it('limits explains every timeout of every suite, and what sets it', async () => {
  const { stdout } = await wireproof(['limits', '--json']);
  const limits = JSON.parse(stdout) as { limit: string; name?: string; meaning?: string; set_by: string }[];
  const timeouts = limits.filter(({ name }) => name !== undefined);
  expect(timeouts.length).toBeGreaterThan(50);
  expect(timeouts.filter(({ meaning }) => meaning === undefined)).toEqual([]);
  expect((await wireproof(['limits'])).stdout).toContain(
    '  cancel      an agent owes the end of a cancelled request',
  );
});
