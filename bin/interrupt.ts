/**
 * Ctrl-C at any moment. The command's entry has one listener for its whole life, because a signal that arrives while
 * listeners change hands is lost; it passes interrupts on to whoever has taken over.
 */
import { exitCodes } from './exit.ts';

declare global {
  namespace NodeJS {
    interface Process {
      /** What the command's entry emits on INT, TERM and HUP. */
      emit(event: 'wireproof:interrupt'): boolean;
      on(event: 'wireproof:interrupt', listener: () => void): this;
      off(event: 'wireproof:interrupt', listener: () => void): this;
    }
  }
}

/**
 * From now on the first interrupt ends the run, which still reports; the second ends everything at once.
 *
 * @returns a function that gives interrupts back
 */
export function onInterrupt(abort: AbortController, killAll: () => void): () => void {
  const act = (): void => {
    if (abort.signal.aborted) {
      killAll();
      process.exit(exitCodes.interrupted);
    }
    process.stderr.write(
      '\ninterrupted; stopping the target and writing what is known (again: stop at once)\n',
    );
    abort.abort();
  };
  process.on('exit', killAll);
  process.on('wireproof:interrupt', act);
  return () => process.off('wireproof:interrupt', act);
}
