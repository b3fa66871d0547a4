/**
 * What a peer did wrong, as a value: a codec refuses bytes with one, a machine refuses a message with one.
 */
export interface Violation {
  /** A closed, kebab-case word for the kind of fault, such as `truncated` or `bad-utf8`. */
  readonly code: string;
  /** Where: a field path (`response.tool_use.id`) or a byte offset (`@12`); empty for the whole input. */
  readonly path: string;
  /** What was expected and what came, in one sentence. */
  readonly message: string;
}
