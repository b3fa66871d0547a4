import type { Result } from './result.ts';
import type { Violation } from './violation.ts';

/** A decoded message with what its bytes held beyond it. */
export interface Decoded<M> {
  readonly message: M;
  /** What decoding alone would hide: unknown fields, a field set twice. Absent when there is nothing. */
  readonly note?: string;
}

/**
 * Bytes to message and back. `decode` is total: it never throws, whatever the bytes. Messages are in the
 * protocol's JSON form, so that what a trace shows is what the program had.
 */
export interface Codec<M> {
  readonly name: string;
  /** The bytes of a message, as they go on the wire. */
  encode(message: M): Uint8Array;
  /** The message of these bytes, or what is wrong with them. */
  decode(bytes: Uint8Array): Result<Decoded<M>, Violation>;
}
