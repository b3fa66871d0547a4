/**
 * Makes the text of third parties harmless where it is shown: a target chooses its messages, and a terminal, a
 * CI log, an XML reader and a markdown page each have characters that act.
 */

/** How much of a text is kept, and whether it may have lines. */
export interface EscapeOptions {
  /** Characters (code points) that are kept; 400 when absent. The cut is said: `… (12 more characters)`. */
  readonly limit?: number | undefined;
  /** Keep line feeds; otherwise they become `\n`. */
  readonly multiline?: boolean | undefined;
}

/** Characters that are kept of a text when nothing else is asked for. */
export const defaultLimit = 400;

/**
 * What acts, hides or cannot be encoded: C0, C1 and DEL; bidi marks, overrides and isolates and all else that
 * is only format; line and paragraph separators; lone surrogates, which UTF-8 and XML do not have; what a font
 * shows as nothing.
 */
const unseen =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/gu;
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
  // No character takes more than two UTF-16 units, so a long text is not spread out as a whole.
  const kept = Array.from(text.slice(0, limit * 2))
    .slice(0, limit)
    .join('');
  const more = countCharacters(text.slice(kept.length));
  return [kept, more === 0 ? '' : `… (${more} more ${more === 1 ? 'character' : 'characters'})`];
};

/**
 * Text for a terminal or a log: what acts or hides is spelled out, and a long text is cut before that, so that
 * an escape is never halved. A backslash stays as it is.
 *
 * @example
 * visible('\x1b[2J\u202egnp.exe'); // '\\x1b[2J\\u202egnp.exe'
 */
export const visible = (text: string, options: EscapeOptions = {}): string => {
  const [kept, tail] = cut(text, options.limit ?? defaultLimit);
  return kept.replace(options.multiline === true ? unseenButLineFeed : unseen, spell) + tail;
};

/** GitHub takes a line for a command when `::` is the first thing on it but for white space; colour is no cover. */
const leadingColons = /^((?:[^\S\n]|\p{Cc}\[[\d;]*m)*):(?=:)/gmu;
/** `##[error]` (GitHub, Azure), `##vso[` (Azure) and `##teamcity[` act wherever they stand on a line. */
const bracketCommand = /#(?=#[\w.-]*\[)/gu;

const breakCommands = (text: string, colon: string, hash: string): string =>
  text.replace(leadingColons, `$1${colon}`).replace(bracketCommand, hash);

/**
 * Lines for a CI log, finished but for this: whatever a CI would take for a command is broken with a visible
 * escape. Goes over whole lines, as wrapping can move a text to the start of one.
 *
 * @example
 * neutraliseCommands('  ::error::pwned'); // '  \\x3a:error::pwned'
 */
export const neutraliseCommands = (lines: string): string => breakCommands(lines, '\\x3a', '\\x23');

const entity = (character: string): string => `&#${character.codePointAt(0) ?? 0};`;

/** Text between XML tags: visible, entities for markup, and no CI command when the file is printed. */
export const xmlText = (text: string, options: EscapeOptions = {}): string =>
  breakCommands(visible(text, options).replace(/[&<>"']/gu, entity), '&#58;', '&#35;');

/** Text between the double quotes of an XML attribute; always one line. */
export const xmlAttribute = (text: string, limit: number = defaultLimit): string => xmlText(text, { limit });

/** Markdown's own characters, those of links, mentions (`@`), emoji and URLs (`:`), math (`$`), and table cells. */
const markdownActive = /[&<>|`\\*_~[\]!#${}^]|:(?=\S)|www(?=\.)/giu;

/**
 * Text for a markdown table cell or the midst of a line: one line, no markup, link or mention. An empty comment
 * follows each `@`, since GitHub looks for mentions after it has resolved entities.
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

/**
 * JSON text of the same value, in which a terminal and a CI log find nothing to act on: `\u` escapes in place of
 * what {@link visible} would spell out.
 */
export const quietJson = (json: string): string =>
  json.replace(unseenButLineFeed, jsonEscape).replace(bracketCommand, '\\u0023');

const jsonEscape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
