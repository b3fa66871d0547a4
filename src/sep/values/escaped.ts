/** Texts in what a model reads: none of them looks like a tag of the model (SEP-68, SEP-99). */

/**
 * A text in which no character begins or ends a tag.
 *
 * @example
 * escaped('a < b'); // 'a &lt; b'
 */
export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
