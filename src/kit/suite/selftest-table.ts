/** The result of a self-test as tables for a terminal. */
import type { LawfulOutcome } from './lawful.ts';
import type { MutantOutcome, SelftestResult } from './selftest.ts';

/** The result as lines: a line for each mutant and each lawful peer, then the failures, then the counts. */
export function selftestTable({ suite, reference, mutants, lawful, failures }: SelftestResult): string {
  const killed = mutants.filter((mutant) => mutant.killed).length;
  const cleared = lawful.filter((peer) => peer.cleared).length;
  const exercised = Object.keys(reference.exercised).length;
  return [
    ...table(['breaks', 'mutant', 'killed by', 'also fails'], mutants.map(mutantCells)),
    ...table(['verdict', 'lawful peer', 'its oddity', 'allowed by'], lawful.map(lawfulCells)),
    ...failures.map((failure) => `FAILURE  ${failure}`),
    ...(failures.length === 0 ? [] : ['']),
    `${suite}: the reference exercises ${exercised} requirements in ${reference.scenarios} scenarios`,
    `${killed} of ${mutants.length} mutants killed; ${lawful.length === 0 ? '' : `${cleared} of ${lawful.length} lawful peers cleared; `}${failures.length} failures`,
  ].join('\n');
}

function mutantCells({ breaks, id, by, entailed, unexpected }: MutantOutcome): readonly string[] {
  const [first = 'nothing: SURVIVED', ...more] = by;
  const also = [...entailed, ...unexpected.map((other) => `${other} UNEXPECTED`)];
  return [breaks, id, more.length === 0 ? first : `${first} and ${more.length} more`, also.join(', ')];
}

const lawfulCells = ({ id, title, allowed, cleared }: LawfulOutcome): readonly string[] => [
  cleared ? 'cleared' : 'BLAMED',
  id,
  title,
  allowed,
];

/** The headings, the rows and an empty line; nothing without rows. */
function table(headings: readonly string[], rows: readonly (readonly string[])[]): readonly string[] {
  if (rows.length === 0) return [];
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => row[i]?.length ?? 0)),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd();
  return [line(headings), ...rows.map(line), ''];
}
