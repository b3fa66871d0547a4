/** Ctrl-C: the first ends the run and still reports, the second ends everything at once. */
import { exitCodes } from './exit.ts';

/** Listens for INT, TERM and HUP. @returns a function that stops listening */
export function onInterrupt(abort: AbortController, killAll: () => void): () => void {
  const stop = (): void => {
    if (abort.signal.aborted) {
      killAll();
      process.exit(exitCodes.interrupted);
    }
    process.stderr.write(
      '\ninterrupted; stopping the target and writing what is known (again: stop at once)\n',
    );
    abort.abort();
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
  for (const signal of signals) process.on(signal, stop);
  process.on('exit', killAll);
  return () => {
    for (const signal of signals) process.off(signal, stop);
  };
}
