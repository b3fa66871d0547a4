/** `wireproof drift`: compares recorded answers with the words that this revision knows. */
import { WireproofError, clip } from '../../src/kit/base/index.ts';
import type { Drift, DriftFinding } from '../../src/kit/suite/index.ts';
import { registry } from '../registry.ts';
import { print } from '../output/terminal.ts';

/** The flags of `drift`. */
export interface DriftFlags {
  readonly known: readonly string[];
  readonly json?: boolean;
}

/** Runs the verb. The exit code is 1 where a word is new. */
export async function drift(files: readonly string[], { known, json }: DriftFlags): Promise<void> {
  const readers = await Promise.all(registry.protocols.flatMap(({ drift: load }) => load?.() ?? []));
  const read = await Promise.all(readers.map((reader) => reader(files, known)));
  const all = {
    answers: Object.fromEntries(read.flatMap(({ answers }) => Object.entries(answers))),
    words: sum(read.map(({ words }) => words)),
    findings: read.flatMap(({ findings }) => findings),
    unread: read.flatMap(({ unread }) => unread),
    lost: sum(read.map(({ lost }) => lost)),
  };
  if (Object.keys(all.answers).length === 0) throw noAnswers(files);
  if (json === true) process.stdout.write(`${JSON.stringify(all, null, 2)}\n`);
  else print(textOf(all, files.length));
  process.exitCode = all.findings.some(({ news }) => news === 'word') ? 1 : 0;
}

const sum = (counts: readonly number[]): number => counts.reduce((all, count) => all + count, 0);

const noAnswers = (files: readonly string[]): WireproofError =>
  new WireproofError(
    'usage',
    `${files.map((file) => clip(file, 200)).join(', ')}: expected answers of model providers; came none. A recording comes from wireproof simulate llm --record-from URL --script-out FILE, a trace from wireproof check --trace all`,
  );

/** The report as text. */
function textOf(all: Drift, files: number): string {
  const answers = Object.entries(all.answers).map(([dialect, count]) => `${dialect} ${count}`);
  const head = `${counted(files, 'file')}; answers: ${answers.join(', ')}; ${counted(all.words, 'different word')}\n`;
  const rest =
    all.lost === 0 ? [] : [`${counted(all.lost, 'further sighting')} of new things: too many to be kept\n`];
  const unread = all.unread.map((sentence) => `not read to its end: ${sentence}\n`);
  return [head, ...tableOf(all.findings), ...rest, ...unread, `\n${verdictOf(all.findings)}\n`].join('');
}

/** How each sort of news is called in the table. */
const titles: { readonly [N in DriftFinding['news']]: string } = {
  word: 'NEW',
  beta: 'beta',
  order: 'order',
  members: 'members',
};

function tableOf(findings: readonly DriftFinding[]): readonly string[] {
  const rows = findings.map((one) => [titles[one.news], one.dialect, one.kind ?? '-', saidOf(one)] as const);
  const widths = [0, 1, 2].map((column) => Math.max(0, ...rows.map((row) => row[column]?.length ?? 0)));
  return findings.flatMap((finding, i) => {
    const said = rows[i]?.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ') ?? '';
    return [`${i === 0 ? '\n' : ''}${said}\n`, `    ${placeOf(finding)}\n`];
  });
}

const saidOf = ({ text, note }: DriftFinding): string =>
  clip(note === undefined ? text : `${text} (${note})`, 300);

const placeOf = ({ count, first: { file, exchange, unit } }: DriftFinding): string =>
  `${count === 1 ? 'once' : `${count} times`}, first in ${file}, ${exchange}${unit === undefined ? '' : `, unit ${unit}`}`;

function verdictOf(findings: readonly DriftFinding[]): string {
  const words = findings.filter(({ news }) => news === 'word').length;
  const isOne = words === 1;
  return words === 0
    ? 'no word is new'
    : `${isOne ? 'one word is' : `${words} words are`} new. A newer wireproof may know ${isOne ? 'it' : 'them'}; a client must pass over ${isOne ? 'it' : 'them'} (wireproof explain LLM-C12)`;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
