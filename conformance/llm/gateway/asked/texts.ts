/** Compares texts of requests: exactly, or as a part of more. */
import { sameText } from '../compare.ts';
import { quoted } from '../facts.ts';

/** Whether a text is these parts, with up to two characters of white space at their borders. */
export function isText(parts: readonly string[], came: string): boolean {
  let at = 0;
  const borders = parts.slice(0, -1).map((part) => (at += part.length));
  return sameText(parts.join(''), borders, came);
}

/** Whether a text has these parts in their order, and maybe more. */
export function hasTexts(parts: readonly string[], came: string): boolean {
  let from = 0;
  return parts.every((part) => {
    const at = came.indexOf(part, from);
    from = at + part.length;
    return at >= 0;
  });
}

/** What was expected and what came, from where they begin to differ. */
export function difference(expected: string, came: string): string {
  let at = 0;
  while (at < expected.length && expected[at] === came[at]) at++;
  const from = Math.max(0, at - 10);
  return `${quoted(expected.slice(from), 60)} at character ${from}; came ${quoted(came.slice(from), 60)}`;
}
