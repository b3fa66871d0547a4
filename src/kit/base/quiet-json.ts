/** JSON that cannot act where it is shown. A peer chooses its texts, and terminals and CI logs have characters that act. */

/**
 * Characters that act, hide or cannot be encoded: C0, C1 and DEL; bidi marks, overrides, isolates and other format
 * characters; line and paragraph separators; lone surrogates, which UTF-8 and XML cannot encode; characters that fonts
 * show as empty.
 */
export const unseen: RegExp =
  /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}\p{Default_Ignorable_Code_Point}]/gu;
const unseenButLineFeed = new RegExp(`(?!\n)${unseen.source}`, 'gu');

/** `##[error]` (GitHub, Azure), `##vso[` (Azure) and `##teamcity[` act at any place of a line. */
export const bracketCommand: RegExp = /#(?=#[\w.-]*\[)/gu;

/**
 * JSON text of the same value that cannot act on a terminal or a CI log: `\u` escapes replace the characters that act,
 * hide or cannot be encoded.
 */
export const quietJson = (json: string): string =>
  // Most JSON is of ASCII, without DEL and without a command.
  Buffer.byteLength(json) === json.length && !json.includes('##') && !json.includes('\x7f')
    ? json
    : json.replace(unseenButLineFeed, jsonEscape).replace(bracketCommand, '\\u0023');

const jsonEscape = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
  ).join('');
