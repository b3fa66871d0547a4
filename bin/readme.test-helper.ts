/** The commands on README.md and in "Your first green check" of each protocol's page, and checks by them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Report } from '../src/kit/base/index.ts';
import { packageRoot } from '../src/kit/spec/index.ts';
import { checked } from './run.test-helper.ts';

const root = packageRoot();
/** The protocols, each with a page. */
export const protocols: readonly string[] = ['fold', 'toon', 'llm', 'sep', 'koda', 'tokens', 'agent'];
const firstCheck = '## Your first green check';

/** The text of a page. */
export const read = (page: string): string => readFileSync(join(root, page), 'utf8');

/** The commands of wireproof in the fenced blocks of a text, as words. */
export function commandsOf(text: string): readonly (readonly string[])[] {
  const blocks = [...text.matchAll(/^ *```(?:sh|bash)?\n([^]*?)^ *```$/gm)].map(([, block = '']) => block);
  return blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/ {2,}#.*| # .*$/, '').trim())
    .filter((line) => /^(?:\S+ \| )?(?:npx )?wireproof /.test(line))
    .map((line) => line.replace(/^(?:\S+ \| )?(?:npx )?wireproof /, ''))
    .map((line) => (line.match(/'[^']*'|\S+/g) ?? []).map((word) => word.replace(/^'(.*)'$/, '$1')));
}

/** The commands of a protocol's first green check that need no program of the reader. */
export const firstChecks: readonly (readonly string[])[] = protocols.flatMap((protocol) => {
  const [section = ''] = (read(`spec/${protocol}/README.md`).split(`${firstCheck}\n`)[1] ?? '').split(
    '\n## ',
  );
  return commandsOf(section).filter((words) => !words.join(' ').includes('./my-'));
});

/** The doors of the README: what stands above its first heading. */
export const doors: readonly (readonly string[])[] = commandsOf(read('README.md').split('\n## ')[0] ?? '');

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
