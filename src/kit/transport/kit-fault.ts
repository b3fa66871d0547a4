/**
 * Faults of the kit in the handlers of a server. One ends the exchange in which it happened; the process serves on. It stays
 * visible: a line on stderr, and the command ends with the exit code for it.
 */

/** Takes a fault of the kit. */
export type OnKitFault = (error: unknown) => void;

/** The most faults that are printed. One message that is sent again and again must not fill a disk. */
const mostPrinted = 10;

let count = 0;

/** The number of faults so far in this process. */
export const kitFaults = (): number => count;

/** Prints a fault, and counts it. */
export const reportKitFault: OnKitFault = (error) => {
  if (++count > mostPrinted) return;
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const more = count === mostPrinted ? ' (later ones are not printed)' : '';
  process.stderr.write(
    `wireproof: the kit failed at one exchange, and serves on; please report this${more}.\n${visible(detail)}\n`,
  );
};

/** For a check: its verdict would be about a kit that failed, so the run ends. */
export const rethrowKitFault: OnKitFault = (error) => {
  setImmediate(() => {
    throw error;
  });
};

/** A text that moves no cursor: it may repeat what a peer sent. Lines stay. */
const visible = (text: string): string =>
  // eslint-disable-next-line no-control-regex
  text.replaceAll(/[\0-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '?');
