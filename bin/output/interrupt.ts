/**
 * Handles Ctrl-C at any moment. The entry of the command has one listener for the whole process, because a signal that
 * arrives between two listeners is lost. It passes interrupts on to the running verb.
 */
import { exitCodes } from './exit.ts';
import { printError } from './terminal.ts';

declare global {
  namespace NodeJS {
    interface Process {
      /** The event that the entry of the command emits on INT, TERM and HUP. */
      emit(event: 'wireproof:interrupt'): boolean;
      on(event: 'wireproof:interrupt', listener: () => void): this;
      off(event: 'wireproof:interrupt', listener: () => void): this;
    }
  }
}

/**
 * After this call, the first interrupt ends the run, which still writes its report. The second interrupt ends the
 * process at once.
 *
 * @param doing - what the first interrupt does, in words
 * @returns a function that removes the listener
 */
export function onInterrupt(abort: AbortController, doing: string): () => void {
  const act = (): void => {
    // Targets end with the process.
    if (abort.signal.aborted) process.exit(exitCodes.interrupted);
    printError(`\ninterrupted; ${doing} (interrupt again to stop at once)\n`);
    abort.abort();
  };
  process.on('wireproof:interrupt', act);
  return () => process.off('wireproof:interrupt', act);
}
