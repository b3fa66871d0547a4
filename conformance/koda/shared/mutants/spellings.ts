/** Other spellings of the same message, which a receiver must read alike. */

/** Writes the tag after the other fields, with blanks. */
export const tagLast = (text: string): string =>
  text.replace(/^\{"type":("[a-z_]+")(?:,(.*))?\}$/su, (_, tag: string, rest: string | undefined) =>
    rest === undefined ? `{ "type" : ${tag} }` : `{ ${rest} , "type" : ${tag} }`,
  );

/** Adds fields that nobody knows. */
export const unknownFields = (text: string): string =>
  text.replace(/\}$/, ',"x_version":2,"x_note":{"a":[null,1.5]}}');

/** Writes each character outside of ASCII as an escape. */
export const escaped = (text: string): string =>
  text.replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** The text that a reader of Latin-1 makes of its bytes in UTF-8. */
export const asLatin1 = (text: string): string => Buffer.from(text).toString('latin1');
