/**
 * Ctrl-C at any moment. One listener for the whole life of the command, because a signal that arrives while
 * listeners change hands is lost; what it does is what changes.
 */
import { exitCodes } from './exit.ts';

let act = (): void => process.exit(exitCodes.interrupted);

/** Listens for INT, TERM and HUP: until a verb has taken over, there is nothing to save, and the command ends. */
export function listenForInterrupts(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => act());
}

/**
 * From now on the first interrupt ends the run, which still reports; the second ends everything at once.
 *
 * @returns a function that gives interrupts back
 */
export function onInterrupt(abort: AbortController, killAll: () => void): () => void {
  const before = act;
  process.on('exit', killAll);
  act = () => {
    if (abort.signal.aborted) {
      killAll();
      process.exit(exitCodes.interrupted);
    }
    process.stderr.write(
      '\ninterrupted; stopping the target and writing what is known (again: stop at once)\n',
    );
    abort.abort();
  };
  return () => (act = before);
}
