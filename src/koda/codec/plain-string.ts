/** Strings of canonical text: which need a closer look, and where they end (bench: .config/bench/koda-codec.mjs). */

/** A character that needs a closer look: a quote, a backslash, a control character or a surrogate. */
export const odd: RegExp = /[^ !#-[\]-\uD7FF\uE000-\uFFFF]/;

/** A surrogate, or the escape of one. Its partner may be missing. */
export const surrogate: RegExp = /[\ud800-\udfff]|\\u[Dd]/;

/** Whether an odd number of backslashes precedes a character. */
export function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === backslash) first--;
  return (at - first) % 2 === 1;
}

/** The value of a JSON text; undefined for another text. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const backslash = 0x5c;
