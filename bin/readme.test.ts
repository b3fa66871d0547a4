/** Every command on README.md and in "Your first green check" of each protocol works: it is run, or its flags are known. */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { packageRoot } from '../src/kit/spec/index.ts';
import { agentCommand } from './llm-programs.test-helper.ts';
import { command } from '../conformance/command.test-helper.ts';
import { scratch, wireproof } from './run.test-helper.ts';

const root = packageRoot();
const protocols = ['fold', 'toon', 'llm', 'sep', 'koda', 'tokens', 'agent'] as const;
const firstCheck = '## Your first green check';

const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The commands of wireproof in the fenced blocks of a text, as words. */
function commandsOf(text: string): readonly (readonly string[])[] {
  const blocks = [...text.matchAll(/^ *```(?:sh|bash)?\n([^]*?)^ *```$/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/ {2,}#.*| # .*$/, '').trim())
    .filter((line) => /^(?:\S+ \| )?(?:npx )?wireproof /.test(line))
    .map((line) => line.replace(/^(?:\S+ \| )?(?:npx )?wireproof /, ''))
    .map((line) => (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1')));
}

/** The commands of a protocol's first green check that need no program of the reader. */
const firstChecks = protocols.flatMap((protocol) => {
  const [section = ''] = (read(`spec/${protocol}/README.md`).split(`${firstCheck}\n`)[1] ?? '').split(
    '\n## ',
  );
  return commandsOf(section).filter((words) => !words.join(' ').includes('./my-'));
});

/** The doors of the README: what stands above its first heading. */
const doors = commandsOf(read('README.md').split('\n## ')[0] ?? '');

const hasPython = spawnSync('python3', ['--version']).status === 0;

it('each protocol has a first green check, and the README has doors', () => {
  expect(firstChecks).toHaveLength(protocols.length);
  expect(doors.map(([verb]) => verb)).toEqual([
    'check',
    'check',
    'check',
    'simulate',
    'simulate',
    'fixtures',
  ]);
});

/** The words of a command, with programs of the tests in the place of placeholders. */
const playable = (words: readonly string[]): readonly string[] =>
  words
    .join('\u0000')
    .replace('./my-agent', agentCommand('openai-chat', 'refuses').join('\u0000'))
    .replace('npx\u0000wireproof', `${process.execPath}\u0000${command}`)
    .replace('vectors/', join(scratch, 'readme-vectors'))
    .split('\u0000');

describe('is green:', () => {
  const checks = [...doors.filter(([verb]) => verb !== 'simulate'), ...firstChecks];
  it.each(checks.map((words) => [words.join(' '), words] as const))(
    '%s',
    { timeout: 180_000 },
    async (line, words) => {
      if (line.includes('python3') && !hasPython) return;
      const [verb = '', ...rest] = playable(words);
      const { code, stdout } = await wireproof(
        [verb, ...(verb === 'check' ? ['--trace', 'off'] : []), ...rest],
        { cwd: root },
      );
      // A stranger's program without a statement cannot show all requirements of its suite (4): nothing failed.
      const green = line.includes('./my-agent') ? [0, 4] : [0];
      expect(green, stdout.slice(-2000)).toContain(code);
    },
  );
});

describe('has only flags that its verb knows:', () => {
  const all = [...commandsOf(read('README.md')), ...firstChecks];
  it.each(all.map((words) => [words.join(' '), words] as const))('%s', async (_, words) => {
    const own = words.includes('--') ? words.slice(0, words.indexOf('--')) : words;
    const [verb = '', second = ''] = own;
    const path = ['simulate', 'report', 'fixtures'].includes(verb) ? [verb, second] : [verb];
    const { code, stdout } = await wireproof([...path, '--help']);
    expect(code).toBe(0);
    for (const flag of own.filter((word) => word.startsWith('--')))
      expect(stdout).toMatch(new RegExp(`${flag.replace(/=.*/, '')}\\b`));
  });
});
