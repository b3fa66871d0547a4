/** Text for people, in which nothing acts on a terminal or in a CI log. It loads nothing, so that an error is printed at once. */

/**
 * A text with control characters and direction marks escaped, and with CI commands broken (`::error`, `##vso[`): it may
 * repeat the output of a target. Line feeds stay.
 */
export const escapedText = (text: string): string =>
  withoutActive(text)
    .replace(/^(\s*):(?=:)/gmu, '$1\\x3a')
    .replace(/#(?=#[\w.-]*\[)/gu, '\\x23');

const withoutActive = (text: string): string =>
  Array.from(text, (c) =>
    isActive(c.codePointAt(0) ?? 0) ? `\\u{${(c.codePointAt(0) ?? 0).toString(16)}}` : c,
  ).join('');

const isActive = (code: number): boolean =>
  (code < 0x20 && code !== 0x0a) ||
  (code >= 0x7f && code <= 0x9f) ||
  [0x200e, 0x200f].includes(code) ||
  (code >= 0x202a && code <= 0x202e) ||
  (code >= 0x2066 && code <= 0x2069);
