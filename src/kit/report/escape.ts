/**
 * Makes the text of third parties harmless. A target chooses its messages, and a terminal, a CI log, an XML reader and
 * a markdown page each have characters that act.
 */

import { bracketCommand, unseen } from '../base/index.ts';

/** The length of the kept text, and whether it may have several lines. */
export interface EscapeOptions {
  /** Kept characters (code points); default 400. A cut text ends with `… (12 more characters)`. */
  readonly limit?: number | undefined;
  /** Keep line feeds; otherwise they become `\n`. */
  readonly multiline?: boolean | undefined;
}

/** The default number of kept characters. */
export const defaultLimit = 400;

const unseenButLineFeed = new RegExp(`(?!\n)${unseen.source}`, 'gu');

const named: { readonly [character: string]: string | undefined } = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const spell = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  if (code > 0xffff) return `\\u{${hex}}`;
  return named[character] ?? (code > 0xff ? `\\u${hex.padStart(4, '0')}` : `\\x${hex.padStart(2, '0')}`);
};

const countCharacters = (text: string): number =>
  text.length - (text.match(/[\u{10000}-\u{10ffff}]/gu)?.length ?? 0);

const cut = (text: string, limit: number): readonly [kept: string, tail: string] => {
  if (text.length <= limit) return [text, ''];
  // A character takes at most two UTF-16 units, so only the kept part of a long text is split.
  const kept = Array.from(text.slice(0, limit * 2))
    .slice(0, limit)
    .join('');
  const more = countCharacters(text.slice(kept.length));
  return [kept, more === 0 ? '' : `… (${more} more ${more === 1 ? 'character' : 'characters'})`];
};

/**
 * Text for a terminal or a log: characters that act or hide are escaped. A long text is cut before it is escaped, so
 * that no escape is halved. A backslash stays.
 *
 * @example
 * visible('\x1b[2J\u202egnp.exe'); // '\\x1b[2J\\u202egnp.exe'
 */
export const visible = (text: string, options: EscapeOptions = {}): string => {
  const [kept, tail] = cut(text, options.limit ?? defaultLimit);
  return kept.replace(options.multiline === true ? unseenButLineFeed : unseen, spell) + tail;
};

/** GitHub takes a line for a command when it begins with `::`, even after white space and colour codes. */
const leadingColons = /^((?:[^\S\n]|\p{Cc}\[[\d;]*m)*):(?=:)/gmu;
const breakCommands = (text: string, colon: string, hash: string): string =>
  text.replace(leadingColons, `$1${colon}`).replace(bracketCommand, hash);

/**
 * Lines for a CI log, in which CI commands are broken with a visible escape. It takes finished lines, because wrapping
 * can move a text to the start of a line.
 *
 * @example
 * neutraliseCommands('  ::error::pwned'); // '  \\x3a:error::pwned'
 */
export const neutraliseCommands = (lines: string): string => breakCommands(lines, '\\x3a', '\\x23');

const entity = (character: string): string => `&#${character.codePointAt(0) ?? 0};`;

/** Text between XML tags: visible, with entities for markup, and without CI commands when the file is printed. */
export const xmlText = (text: string, options: EscapeOptions = {}): string =>
  breakCommands(visible(text, options).replace(/[&<>"']/gu, entity), '&#58;', '&#35;');

/** Text between the double quotes of an XML attribute; always one line. */
export const xmlAttribute = (text: string, limit: number = defaultLimit): string => xmlText(text, { limit });

/** Markdown's own characters, those of links, mentions (`@`), emoji and URLs (`:`), math (`$`), and table cells. */
const markdownActive = /[&<>|`\\*_~[\]!#${}^]|:(?=\S)|www(?=\.)/giu;

/**
 * Text for a markdown table cell or a part of a line: one line without markup, link or mention. An empty comment
 * follows each `@`, because GitHub looks for mentions after it has resolved entities.
 */
export const markdownText = (text: string, options: EscapeOptions = {}): string =>
  visible(text, { ...options, multiline: false })
    .replace(markdownActive, (found) =>
      found.length === 1 ? entity(found) : `${entity(found)}${found.slice(1)}`,
    )
    .replaceAll('@', '&#64;<!-- -->');

/** Lines as a fenced code block, whose fence is longer than any run of backticks in them. */
export const markdownFence = (lines: readonly string[], limit: number = defaultLimit): string => {
  const body = neutraliseCommands(lines.map((line) => visible(line, { limit })).join('\n'));
  const longest = Math.max(2, ...(body.match(/`+/gu) ?? []).map((run) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}text\n${body}\n${fence}`;
};
