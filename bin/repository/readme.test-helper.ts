/** The commands on README.md and on the pages of spec/, and checks by them. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Report } from '../../src/kit/base/index.ts';
import { packageRoot } from '../../src/kit/spec/index.ts';
import { checked } from '../run.test-helper.ts';

const root = packageRoot();
/** The protocols, each with a page. */
export const protocols: readonly string[] = ['fold', 'toon', 'llm', 'sep', 'koda', 'tokens', 'agent'];
const firstCheck = 'Your first green check';
/** The pages for users: README.md, and the pages of spec/ that are not of one protocol. */
export const pages: readonly string[] = [
  'README.md',
  ...readdirSync(join(root, 'spec')).flatMap((name) => (name.endsWith('.md') ? [`spec/${name}`] : [])),
];

/** The text of a page. */
export const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** What stands before the words of a command. */
const start = /^(?:\S+ \| |npm ci && )?(?:npx )?wireproof /;

/** The commands of wireproof in the fenced blocks of a text, as words. */
export function commandsOf(text: string): readonly (readonly string[])[] {
  const blocks = [...text.matchAll(/^ *```(?:sh|bash)?\n([^]*?)^ *```$/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/ {2,}#.*| # .*$/, '').trim())
    .filter((line) => start.test(line))
    .map((line) => line.replace(start, ''))
    .map((line) => (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1')));
}

/** A section of a page. */
const section = (page: string, heading: string): string =>
  (read(page).split(`\n## ${heading}\n`)[1] ?? '').split('\n## ')[0] ?? '';

/** The commands of a protocol's first green check that need no program of the reader. */
export const firstChecks: readonly (readonly string[])[] = protocols.flatMap((protocol) =>
  commandsOf(section(`spec/${protocol}/README.md`, firstCheck)).filter(
    (words) => !words.join(' ').includes('./my-'),
  ),
);

/** The commands of the README that run as they are written: those above its first heading. */
export const firstCommands: readonly (readonly string[])[] = commandsOf(
  read('README.md').split('\n## ')[0] ?? '',
);

/** The doors of the README. */
export const doors: readonly (readonly string[])[] = commandsOf(section('README.md', 'Doors'));

/** The commands on the pages of the protocols. */
export const protocolCommands: readonly (readonly string[])[] = protocols.flatMap((protocol) =>
  commandsOf(section(`spec/${protocol}/README.md`, 'Commands')),
);

/** A command as the title of a test. */
export const lineOf = (words: readonly string[]): string => words.join(' ');

/** Runs a check of a page. @returns its report, which is conformant with every applicable MUST exercised */
export async function greenReport([verb, ...words]: readonly string[]): Promise<Report> {
  expect(verb).toBe('check');
  const end = words.includes('--') ? words.indexOf('--') : words.length;
  const { code, report, failed, stderr } = await checked(words.slice(0, end), words.slice(end + 1), {
    cwd: root,
  });
  expect({ code, verdict: report?.verdict, failed, stderr }).toMatchObject({
    code: 0,
    verdict: 'conformant',
    failed: [],
  });
  if (report === undefined) throw new Error(stderr);
  expect(report.scope.must.exercised).toBe(report.scope.must.applicable);
  return report;
}

/** A command, run as it is written; `change` puts programs of the tests in the place of the reader's. */
export const command = (
  among: readonly (readonly string[])[],
  start: string,
  change = (word: string): readonly string[] => [word],
): readonly string[] => {
  const found = among.filter((words) => lineOf(words).startsWith(start));
  expect(found).toHaveLength(1);
  return (found[0] ?? []).flatMap(change);
};
