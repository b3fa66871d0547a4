/** Checks a target: one that dials the kit, or one that listens for it. */
import { CheckBook } from './check-book.ts';
import { DiallingCheck } from './check-dialling.ts';
import { ListeningCheck } from './check-listening.ts';
import type { CheckOptions, Checked } from './check-options.ts';

/** Runs a check. @throws WireproofError 'environment' when the target cannot be started, or a port not be had */
export async function check(options: CheckOptions): Promise<Checked> {
  const book = new CheckBook(options);
  const { target } = options.suite;
  await (target.kind === 'dials' ? new DiallingCheck(book, target) : new ListeningCheck(book, target)).run();
  return book.checked();
}
