/** `wireproof explain`: explains a requirement and how it is checked, or a word of the kit. */
import { nearest, WireproofError } from '../../src/kit/base/index.ts';
import type { Requirement } from '../../src/kit/spec/index.ts';
import { scenariosOf, suiteRows } from '../../src/kit/suite/index.ts';
import type { Suite } from '../../src/kit/suite/index.ts';
import { registry } from '../registry.ts';
import { columnsOf, print } from '../output/terminal.ts';
import { knownWord, suggestible, wordList, words } from '../words/words.ts';

/** The text of a word: the kit's paragraph, then the protocols' paragraphs. Undefined for a word that nobody explains. */
export function textOfWord(said: string): string | undefined {
  const word = knownWord(said);
  if (word === undefined) return undefined;
  const own = registry.protocols.flatMap(({ topics = {} }) => topics[word] ?? []);
  const text = [words[word] ?? '', ...own].join('\n');
  return columnsOf() === undefined ? text : text.replace(/^(\S.{69,})\n(?=\S)/gmu, '$1 ');
}

/** Runs the verb. */
export async function explain(id: string | undefined, flags: { readonly json?: boolean }): Promise<void> {
  if (id === undefined)
    return print(`Words that wireproof explain WORD explains, with an example:\n${wordList()}`);
  const text = textOfWord(id.toLowerCase());
  if (text !== undefined) return print(text);
  const suites = await registry.loadAll();
  const rows = suites.flatMap((suite) => {
    const row = suiteRows(suite).requirements.find((r) => r.id === id.toUpperCase());
    return row === undefined ? [] : [{ row, suite }];
  });
  const [first] = rows;
  if (first !== undefined) {
    const all = rows.map(({ suite }) => suite);
    if (flags.json !== true) return print(page(first.row, all));
    return void process.stdout.write(`${JSON.stringify(first.row, null, 2)}\n`);
  }
  const ids = suites.flatMap((suite) => suiteRows(suite).requirements.map((row) => row.id));
  const near = nearest(id, [...suggestible, ...ids]);
  const hint = near === undefined ? '' : `. Did you mean wireproof explain ${near}?`;
  throw new WireproofError(
    'usage',
    `nothing to explain for "${id}"; give a requirement id (wireproof list requirements), or a word (wireproof explain lists them)${hint}`,
  );
}

function page(row: Requirement, owing: readonly Suite[]): string {
  const { document, revision, section } = row.source;
  const lines = [
    `${row.id} (${row.level}, ${owing.map(({ id }) => id).join(', ')})`,
    '',
    row.text.trim(),
    '',
    `source      ${document}${revision === undefined ? '' : `, revision ${revision}`}: ${section}`,
    ...(row.feature === undefined ? [] : [`applies to  targets that claim ${row.feature}`]),
    ...(row.allows === undefined ? [] : [`lets pass   ${row.allows.trim()}`]),
    ...(row.trap === undefined ? [] : [`trap        ${row.trap.trim()}`]),
    ...(row.excluded === undefined ? [] : [`excluded    ${row.excluded}`]),
    ...(row.directive === 'needed' ? ['drive       cannot be judged in a passive drive'] : []),
    ...(row.entails ?? []).map(({ id, why }) => `entails     ${id}: ${why}`),
    ...owing.flatMap((suite) => checkLines(row, suite, owing.length > 1 ? ` (${suite.id})` : '')),
  ];
  return `${lines.join('\n')}\n`;
}

/** The scenarios that exercise a requirement in a suite, and the mutants that break it. */
function checkLines(row: Requirement, suite: Suite, where: string): string[] {
  const scenarios = scenariosOf(suite).filter((s) => s.exercises.includes(row.id));
  const mutants = suite.mutants().filter((m) => m.breaks === row.id);
  const listed = (title: string, lines: readonly string[]): readonly string[] =>
    lines.length === 0 ? [] : ['', title, ...lines.map((line) => `  ${line}`)];
  return [
    ...listed(
      `Scenarios that exercise it${where}:`,
      scenarios.map((s) => `${s.name}: ${s.title}`),
    ),
    ...listed(
      `Mutants that break it${where} (wireproof selftest proves that they are caught):`,
      mutants.map((m) => `${m.id}: ${m.title}`),
    ),
  ];
}
