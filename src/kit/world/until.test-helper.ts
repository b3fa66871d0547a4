/** Waiting in tests of real sockets, processes and timers. */

/** Longer than a busy machine takes for anything that a test waits for (ms). */
const patience = 30_000;

/** Waits until `is` holds, which is asked every so many ms. @throws Error with `what` when it does not within 30 s */
export async function until(
  is: () => boolean,
  what: () => string = () => is.toString(),
  every: number = 5,
): Promise<void> {
  const end = performance.now() + patience;
  while (!is()) {
    if (performance.now() > end) throw new Error(`not so within ${patience} ms: ${what()}`);
    await pause(every);
  }
}

/** Waits (ms). */
export const pause = (ms: number): Promise<void> => new Promise((resolve) => void setTimeout(resolve, ms));
