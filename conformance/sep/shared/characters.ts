/** What faulty programs do to the characters of texts. */
import { isArray, isObject } from '../../../src/kit/base/index.ts';
import type { Json } from '../../../src/kit/base/index.ts';

/** A change of a text. */
export type TextEdit = (text: string) => string;

/** A value with its texts changed; keys stay. */
export function withTexts(value: Json, edit: TextEdit): Json {
  if (typeof value === 'string') return edit(value);
  if (isArray(value)) return value.map((one) => withTexts(one, edit));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, withTexts(one, edit)]));
}

/** The bytes of UTF-8, read as Latin-1. */
export const asLatin1: TextEdit = (text) => Buffer.from(text, 'utf8').toString('latin1');

/** A text cut between the halves of surrogate pairs, of which each becomes a character of its own. */
export const withSplitPairs: TextEdit = (text) => text.replaceAll(/[\uD800-\uDFFF]/g, '\uFFFD');

/** A text without its control characters. */
export const withoutControls: TextEdit = (text) => text.replaceAll(/(?![\t\n\r])\p{Cc}/gu, '');

/** A text whose separators of lines are line feeds. */
export const withLineFeeds: TextEdit = (text) => text.replaceAll(/[\u2028\u2029\u0085]/g, '\n');

/** A text in which a backslash begins an escape, as in JSON, although it was read already. */
export const escapesReadAgain: TextEdit = (text) => text.replaceAll(String.raw`\n`, '\n');

/** A text in which a backslash is written twice, as if it was put into JSON once more. */
export const escapedAgain: TextEdit = (text) => text.replaceAll('\\', '\\\\');
