/** A JSON text as a list of tokens. It keeps repeated members and the spelling of numbers, which JSON.parse loses. */
/** The kind of a token. An `escaped` string holds escapes; a `float` has a fraction or an exponent. */
export type TokenKind =
  'object' | 'array' | 'string' | 'escaped' | 'integer' | 'float' | 'true' | 'false' | 'null';

/** The tokens of a text, in its order. In an object, names and values take turns. A token is named by its index. */
export interface Tokens {
  readonly text: string;
  readonly kinds: readonly TokenKind[];
  /** The offset of the first character of each token. */
  readonly starts: readonly number[];
  /** The offset after the last character of each token. */
  readonly ends: readonly number[];
  /** The token after each value: for an object or array, the one after its members. */
  readonly nexts: readonly number[];
}

export const textOf = (tokens: Tokens, token: number): string =>
  tokens.text.slice(tokens.starts[token], tokens.ends[token]);

export const isString = (tokens: Tokens, token: number): boolean =>
  tokens.kinds[token] === 'string' || tokens.kinds[token] === 'escaped';

/** The characters of a string token, without quotes and escapes. */
export const charactersOf = (tokens: Tokens, token: number): string =>
  tokens.kinds[token] === 'escaped'
    ? (JSON.parse(textOf(tokens, token)) as string)
    : tokens.text.slice((tokens.starts[token] ?? 0) + 1, (tokens.ends[token] ?? 0) - 1);
