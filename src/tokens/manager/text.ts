/** Cutting texts: never within a surrogate pair (TOK-37), and tool results to a few lines and a marker (TOK-36). */
import type { ToolOutcome } from '../../kit/base/index.ts';

/** Lines of a tool result that are left when it is cut (TOK-36). */
export const RESULT_LINES = 3;

const ellipsis = '…';

/**
 * The beginning of a text, of `max` UTF-16 units at most, the last of which is `…` when something was cut. What comes
 * out has no half of a surrogate pair that was whole in the text (TOK-37).
 *
 * @example
 * truncateText('one two', 4); // 'one…'
 * truncateText('a😀b', 3); // 'a…'
 * truncateText('short', 100); // 'short'
 */
export function truncateText(text: string, max: number): string {
  if (text.length <= max) return text;
  const end = Math.max(0, Math.floor(max) - ellipsis.length);
  return max < 1 ? '' : text.slice(0, splitsPair(text, end) ? end - 1 : end) + ellipsis;
}

function splitsPair(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  return before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
}

const marker = /^\[\d+ more lines\]$/;

/**
 * The first three lines of a tool result's content and a marker that says how many more there were; what has no more
 * comes back as it is, and so does what was cut before (TOK-36).
 *
 * @example
 * shortenText('a\nb\nc\nd\ne'); // 'a\nb\nc\n[2 more lines]'
 */
export function shortenText(content: string): string {
  const lines = content.split('\n');
  if (lines.length <= RESULT_LINES) return content;
  if (lines.length === RESULT_LINES + 1 && marker.test(lines[RESULT_LINES] ?? '')) return content;
  return [...lines.slice(0, RESULT_LINES), `[${lines.length - RESULT_LINES} more lines]`].join('\n');
}

/** A tool result with its content cut to three lines and a marker (TOK-36). */
export const shortenResult = (result: ToolOutcome): ToolOutcome => {
  const content = shortenText(result.content);
  return content === result.content ? result : { ...result, content };
};

/** Whether a text is empty to the strictest provider: it has nothing but white space. */
export const isBlank = (text: string): boolean => text.trim() === '';

/** A text without halves of surrogate pairs, which no UTF-8 can carry; each becomes U+FFFD. */
export const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');

/** Whether a text has a half of a surrogate pair. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
