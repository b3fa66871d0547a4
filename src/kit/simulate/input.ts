/** The text on the stdin of a simulated peer. */
import type { SimulatorRun } from '../suite/index.ts';
import { standardStreams } from './standard-streams.ts';

/** Whether a person sits at the terminal that the session writes to. */
export const isTerminal = (run: SimulatorRun): boolean => standardStreams(run).stdout.isTTY;

/** The text of stdin as it comes. Bytes that are no UTF-8 become U+FFFD. It ends with stdin, or at an interrupt. */
export async function* inputText(run: SimulatorRun): AsyncGenerator<string, void, undefined> {
  const { stdin } = standardStreams(run);
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  run.interrupt.addEventListener('abort', () => stdin.destroy());
  try {
    for await (const chunk of stdin as AsyncIterable<Uint8Array>)
      yield decoder.decode(chunk, { stream: true });
  } catch (error) {
    // An interrupt closes stdin before its end.
    if (!run.interrupt.aborted) throw error;
  }
  yield decoder.decode();
}
