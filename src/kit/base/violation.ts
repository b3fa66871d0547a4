/**
 * A fault of a peer, as a value: a codec refuses bytes with it, a machine refuses a message with it.
 */
export interface Violation {
  /** A closed, kebab-case word for the kind of fault, such as `truncated` or `bad-utf8`. */
  readonly code: string;
  /** The position: a field path (`response.tool_use.id`) or a byte offset (`@12`); empty for the whole input. */
  readonly path: string;
  /** The expectation and the observation, in one sentence. */
  readonly message: string;
}
