/** Why the kit itself could not go on; each kind has one exit code. */
export type WireproofErrorCode =
  /** A flag, statement, scenario or other file of the user's is wrong (exit 2). */
  | 'usage'
  /** The target or a port could not be had (exit 3). */
  | 'environment'
  /** A fault of the kit (exit 5). */
  | 'internal';

/**
 * The one class this kit throws. The message says what was expected, what came and what to do.
 *
 * @example
 * throw new WireproofError('usage', 'unknown suite "fold/agnet"; did you mean fold/agent?');
 */
export class WireproofError extends Error {
  override readonly name = 'WireproofError';
  readonly code: WireproofErrorCode;

  constructor(code: WireproofErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.code = code;
  }
}
