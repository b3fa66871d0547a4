/** The kinds of errors; each has one exit code. */
export type WireproofErrorCode =
  /** A flag, statement, scenario or other file of the user is wrong (exit 2). */
  | 'usage'
  /** The target could not be started or reached, or a port is in use (exit 3). */
  | 'environment'
  /** A fault of the kit (exit 5). */
  | 'internal';

/**
 * The only error class of this kit. The message gives the expectation, the observation and the next step.
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
