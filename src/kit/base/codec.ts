import type { Result } from './result.ts';
import type { Violation } from './violation.ts';

/** A decoded message, with a note about bytes that it does not show. */
export interface Decoded<M> {
  readonly message: M;
  /** Details that decoding hides: unknown fields, a field that is set twice. */
  readonly note?: string;
}

/**
 * Bytes to message and back. `decode` is total: it throws for no bytes. Messages have the protocol's JSON form, so that
 * a trace shows the same message as the program.
 */
export interface Codec<M> {
  readonly name: string;
  /** The bytes of a message on the wire. */
  encode(message: M): Uint8Array;
  /** The message of these bytes, or their fault. */
  decode(bytes: Uint8Array): Result<Decoded<M>, Violation>;
}
