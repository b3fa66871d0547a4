/** What a check is of: a suite, and the statement for it. A statement of several targets gives several. */
import { relative } from 'node:path';
import { WireproofError } from '../../src/kit/base/index.ts';
import { findStatement, readStatements } from '../../src/kit/spec/index.ts';
import type { NamedStatement, Statement } from '../../src/kit/spec/index.ts';
import type { WantedReport } from '../output/reports.ts';
import { printError } from '../output/terminal.ts';
import type { CheckFlags } from './options.ts';

/** One check. */
export interface CheckSubject {
  /** The suite that the command line names. */
  readonly suite: string | undefined;
  /** The target's name in a statement of several. */
  readonly name: string | undefined;
  readonly statement: Statement | undefined;
  /** The file, line and column of the part at a JSON pointer into the statement; absent: it has no file. */
  readonly at?: NamedStatement['at'];
}

const usage = (message: string): WireproofError => new WireproofError('usage', message);

/** Whether a word names a target of a statement; the name of a suite has a slash. */
const isTargetName = (word: string): boolean => !word.includes('/');

/**
 * The checks that the command line asks for.
 *
 * @param word - a suite, or the name of a target of the statement; undefined: all targets of the statement
 * @throws WireproofError 'usage' when one is named that is not there, or a flag for one target meets several
 */
export function subjectsOf(
  word: string | undefined,
  command: readonly string[],
  flags: CheckFlags,
): readonly CheckSubject[] {
  const { file, statements } = statementsOf(flags);
  const [first] = statements;
  const suite = word !== undefined && !isTargetName(word) ? word : undefined;
  if (first === undefined || first.name === undefined) {
    if (word !== undefined && suite === undefined)
      return [{ suite: word, name: undefined, statement: undefined }];
    const own = flags.statement !== undefined || suite === undefined || first?.statement.suite === suite;
    return [{ suite, name: undefined, ...(own && first !== undefined ? first : { statement: undefined }) }];
  }
  const chosen = chosenTargets(statements, word, file, flags);
  if (chosen.length > 1) refuseForSeveral(chosen, command, flags);
  return chosen.length === 0
    ? [{ suite, name: undefined, statement: undefined }]
    : chosen.map((one) => ({ suite: one.statement.suite, ...one }));
}

/** The targets that a word selects; none when the statement found by itself has nothing for the suite. */
function chosenTargets(
  statements: readonly NamedStatement[],
  word: string | undefined,
  file: string,
  flags: CheckFlags,
): readonly NamedStatement[] {
  if (word === undefined) return statements;
  const names = statements.map(({ name }) => name).join(', ');
  if (isTargetName(word)) {
    const named = statements.filter(({ name }) => name === word);
    if (named.length === 0) throw usage(`${word}: no such target in ${file}; its targets are ${names}`);
    return named;
  }
  const fitting = statements.filter(({ statement }) => statement.suite === word);
  if (fitting.length > 1)
    throw usage(
      `${file} has several targets of ${word}: name one of ${fitting.map(({ name }) => name).join(', ')} instead of the suite`,
    );
  if (fitting.length === 0 && flags.statement !== undefined)
    throw usage(`${file} has no target of ${word}; its targets are ${names}`);
  return fitting;
}

/** The named statement, or the one of this folder or a folder above it. A note says which one, when it is above. */
function statementsOf({ statement }: CheckFlags): {
  readonly file: string;
  readonly statements: readonly NamedStatement[];
} {
  if (statement !== undefined) return { file: statement, statements: readStatements(statement) };
  const found = findStatement(process.cwd());
  if (found === undefined) return { file: '', statements: [] };
  const file = relative(process.cwd(), found);
  if (file.startsWith('..')) printError(`note: the statement is ${file}\n`);
  return { file, statements: readStatements(file) };
}

/** The flags that make sense for one target only. */
const placeFlags = ['listen', 'connect', 'advertise', 'scenario'] as const;

function refuseForSeveral(
  chosen: readonly NamedStatement[],
  command: readonly string[],
  flags: CheckFlags,
): void {
  const names = chosen.map(({ name }) => name).join(', ');
  const flag = placeFlags.find((name) => (flags[name]?.length ?? 0) > 0);
  if (command.length > 0 || flag !== undefined)
    throw usage(
      `${flag === undefined ? 'the command after --' : `--${flag}`} is for one target; name one of ${names}`,
    );
}

/** The name of a subject in file names. */
export const fileNameOf = ({ name, suite, statement }: CheckSubject): string =>
  name ?? (suite ?? statement?.suite ?? '').replaceAll('/', '-');

/**
 * The reports of one subject: `{name}` in a path is replaced.
 *
 * @throws WireproofError 'usage' when several subjects would write one file, or one document to stdout
 */
export function reportsOf(
  wanted: readonly WantedReport[],
  subjects: readonly CheckSubject[],
): (subject: CheckSubject) => readonly WantedReport[] {
  const clash = subjects.length === 1 ? undefined : wanted.find((one) => !isForSeveral(one));
  if (clash !== undefined)
    throw usage(
      `--report ${clash.format}${clash.path === undefined ? '' : `=${clash.path}`}: ${subjects.length} targets need a file each; write {name} in the path, such as ${clash.format}=wireproof-{name}.${extensions[clash.format] ?? clash.format}`,
    );
  return (subject) =>
    wanted.map((one) =>
      one.path === undefined ? one : { ...one, path: one.path.replaceAll('{name}', fileNameOf(subject)) },
    );
}

const extensions: { readonly [format: string]: string } = {
  junit: 'xml',
  markdown: 'md',
  github: 'md',
  console: 'txt',
  ctrf: 'json',
  badge: 'json',
};

/** Texts for people may follow each other; GitHub's summary is appended. */
const isForSeveral = ({ format, path }: WantedReport): boolean =>
  path === undefined
    ? ['console', 'markdown', 'github'].includes(format)
    : path.includes('{name}') || format === 'github';
