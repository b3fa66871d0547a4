/** Text for a terminal: of its width, and without characters that act on it. */
import { escapedText } from './escaped-text.ts';

/** The columns of a stream; undefined: it is no terminal, and its lines stay whole, for grep and for files. */
export function columnsOf(stream: { readonly columns?: number } = process.stdout): number | undefined {
  const columns = stream.columns ?? Number(process.env['COLUMNS'] ?? '');
  return columns > 0 ? Math.max(40, columns) : undefined;
}

/**
 * Lines that are wider than the columns, wrapped between words. A continuation stands below the last column of its line:
 * behind the last gap of two or more blanks in its first half, or else below its indent. A command stays whole, so that it
 * can be copied: the text beside it goes below it.
 *
 * @example
 * wrapped('term  a text of words', 14); // 'term  a text\n      of words'
 */
export function wrapped(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .flatMap((line) => (line.length <= columns ? [line] : wrappedLine(line, columns)))
    .join('\n');
}

/** A line with a command: an example, with a text behind a gap or without one. */
const commandLine = /^((\s+(?:example {2,})?)(?:wireproof|npx|source) \S.*?)(?: {2,}(\S.*))?$/u;

function wrappedLine(line: string, columns: number): readonly string[] {
  const [, command, before = '', text] = commandLine.exec(line) ?? [];
  if (command !== undefined && text === undefined) return [command];
  if (command !== undefined) return [command, ...wrappedLine(' '.repeat(before.length + 4) + text, columns)];
  const start = line.length - line.trimStart().length;
  const gaps = [...line.matchAll(/\S( {2,})(?=\S)/gu)].map(({ index, 0: gap }) => index + gap.length);
  const column = gaps.filter((at) => at <= columns / 2).at(-1) ?? start;
  const indent = ' '.repeat(column);
  const lines: string[] = [];
  let open = line.slice(0, column);
  // Columns that do not fit side by side keep two blanks between them.
  for (const [, gap = '', word = ''] of line.slice(column).matchAll(/( *)(\S+)/gu)) {
    const blanks = gap.slice(0, 2);
    if (open.length > column && open.length + blanks.length + word.length > columns) {
      lines.push(open);
      open = indent + word;
    } else open += blanks + word;
  }
  return [...lines, open];
}

/** Writes a text to stdout, at the width of the terminal. */
export const print = (text: string): void => void process.stdout.write(wrapped(text, columnsOf()));

/**
 * Writes a text for people to stderr, at the width of the terminal. Names and reasons in it may come from a file or a
 * target, so all of it is escaped.
 */
export const printError = (text: string): void =>
  void process.stderr.write(wrapped(escapedText(text), columnsOf(process.stderr)));
