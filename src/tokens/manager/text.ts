/** Cuts texts, never within a surrogate pair (TOK-37), and tool results after a few lines (TOK-36). */
import type { ToolOutcome } from '../../kit/base/index.ts';

/** The number of lines that stay of a tool result that is cut (TOK-36). */
export const RESULT_LINES = 3;

const ellipsis = '…';

/**
 * The beginning of a text, with at most `max` UTF-16 units. A cut text ends with `…`. The cut never splits a surrogate
 * pair (TOK-37).
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
 * The first three lines of the content of a tool result, and a marker with the number of the other lines. A content that
 * is short, or was cut before, does not change (TOK-36).
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

/** Whether a text counts as empty for the strictest provider: it has only white space. */
export const isBlank = (text: string): boolean => text.trim() === '';

/** Replaces lone halves of surrogate pairs by U+FFFD, because UTF-8 cannot carry them. */
export const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');

/** Whether a text has no lone half of a surrogate pair. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);
