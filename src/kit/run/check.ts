/** Checks a target: one that dials the kit, one that listens for it, or one that meets it either way. */
import { CheckRun } from './check-run.ts';
import { DiallingCheck } from './check-dialing.ts';
import { ListeningCheck } from './check-listening.ts';
import { MeetingCheck } from './check-carrier.ts';
import type { CheckOptions, Checked } from './check-options.ts';
import type { Suite } from '../suite/index.ts';

/** Runs a check. @throws WireproofError 'environment' when the target cannot be started, or a port not be had */
export async function check(options: CheckOptions): Promise<Checked> {
  const book = new CheckRun(options);
  const { target } = options.suite;
  await runOf(book, target).run();
  return book.checked();
}

function runOf(book: CheckRun, target: Suite['target']): { run(): Promise<void> } {
  switch (target.kind) {
    case 'dials':
      return new DiallingCheck(book, target);
    case 'listens':
      return new ListeningCheck(book, target);
    case 'meets':
      return new MeetingCheck(book, target);
    default:
      return target satisfies never;
  }
}
