/** What careless programs do to texts that are not ASCII. Each is a fault in the kit's mutants. */

/** Reads UTF-8 as latin1: `ü` becomes `Ã¼`. */
export const asLatin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

/** Cuts a text between the halves of its surrogate pairs, and encodes each piece: each half becomes U+FFFD. */
export const cutInPairs = (text: string): string =>
  text.replaceAll(/[\u{10000}-\u{10ffff}]/gu, '\ufffd\ufffd');

/** Escapes a text for JSON, and sends it as a text: a line feed becomes `\n`. */
export const escapedTwice = (text: string): string => JSON.stringify(text).slice(1, -1);

/** Removes control characters other than tabs and line feeds. */
export const withoutControls = (text: string): string => text.replaceAll(/(?![\t\n])\p{Cc}/gu, '');

/** Takes U+2028 for the end of a line. */
export const withOtherLines = (text: string): string => text.replaceAll('\u2028', '\n');
