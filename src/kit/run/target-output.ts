/** What a target on a plain carrier has put out. */
import type { TraceEvent } from '../base/index.ts';

/** Whether a testee's line is an answer: a result, an error, or `unsupported`. */
export const isAnswer = ({ from, kind, data }: TraceEvent): boolean =>
  from === 'target' &&
  kind === 'message' &&
  ['ok', 'error', 'unsupported'].some((member) => data[member] !== undefined);

/** Whether an event is a message of the target. */
export const isMessage = ({ from, kind }: TraceEvent): boolean => from === 'target' && kind === 'message';

/** Whether output is text for people: printable characters and white space. */
export const isText = (output: string): boolean => /^[\s\P{C}]*$/u.test(output) && !output.includes('\ufffd');

/** The most lines of a target's output that a message shows. */
const linesShown = 12;

/** The last output of a target, as the end of an error message. */
export function printedSentence(output: readonly string[]): string {
  if (output.length === 0) return '; it printed nothing';
  // The first line gives the number of dropped lines.
  const [first = '', ...rest] = output;
  const kept = output.length <= linesShown ? output : rest.slice(1 - linesShown);
  const lines = kept !== output && first.startsWith('…') ? [first, ...kept] : kept;
  const shown = lines.map((line) => `    ${line.length > 200 ? `${line.slice(0, 200)}…` : line}`);
  return `; it printed:\n${shown.join('\n')}`;
}
