/** Violations of the codec: each names a byte offset. */
import type { Violation } from '../../kit/base/index.ts';

/** A violation at a byte offset. `expected` completes the sentence "expected …". */
export const violationAt = (code: string, at: number, expected: string): Violation => ({
  code,
  path: `@${at}`,
  message: `expected ${expected}`,
});
