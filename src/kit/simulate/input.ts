/** The text on the stdin of a simulated peer. */
import type { SimulatorRun } from '../suite/index.ts';
import { standardStreams } from './standard-streams.ts';

/** Whether a person sits at the terminal that the session writes to. */
export const isTerminal = (run: SimulatorRun): boolean => standardStreams(run).stdout.isTTY;

/** Whether a person can type: the session reads from a terminal, and writes to one. */
export const hasPerson = (run: SimulatorRun): boolean => standardStreams(run).stdin.isTTY && isTerminal(run);

/** The most characters of a line of stdin. */
export const longestLine: number = 1 << 20;

/** The text of stdin as it comes. Bytes that are no UTF-8 become U+FFFD. It ends with stdin, or at an interrupt. */
export async function* inputText(run: SimulatorRun): AsyncGenerator<string, void, undefined> {
  const { stdin } = standardStreams(run);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  run.interrupt.addEventListener('abort', () => stdin.destroy());
  try {
    for await (const chunk of stdin as AsyncIterable<Uint8Array>)
      yield decoder.decode(chunk, { stream: true });
  } catch (error) {
    // An interrupt closes stdin before its end, and so does the end of the session.
    if (!run.interrupt.aborted && !isClosed(error)) throw error;
  }
  yield decoder.decode();
}

const isClosed = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';

/** The lines of stdin; see {@link linesOf}. */
export const inputLines = (run: SimulatorRun): AsyncGenerator<string | undefined, void, undefined> =>
  linesOf(inputText(run));

/**
 * The lines of a text as they end, without their ends (LF or CRLF), and the last one without an end. A line of more than
 * {@link longestLine} characters is dropped: `undefined` stands for it. node:readline would end a line at U+2028, too.
 */
export async function* linesOf(
  texts: AsyncIterable<string>,
): AsyncGenerator<string | undefined, void, undefined> {
  let [open, dropped] = ['', false];
  const whole = (rest: string): string | undefined => {
    const line = dropped || open.length + rest.length > longestLine ? undefined : open + rest;
    [open, dropped] = ['', false];
    return line?.replace(/\r$/u, '');
  };
  for await (const text of texts) {
    const parts = text.split('\n');
    const last = parts.pop() ?? '';
    for (const part of parts) yield whole(part);
    dropped ||= open.length + last.length > longestLine;
    open = dropped ? '' : open + last;
  }
  if (open !== '' || dropped) yield whole('');
}
