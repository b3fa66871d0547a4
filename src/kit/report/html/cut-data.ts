/** Shortens what one event carries, so that a page of thousands of events stays small. It keeps the lengths, so that the page can say what is missing. */
import type { Json, JsonObject } from '../../base/index.ts';
import { exactText, isArray, isObject } from '../../base/index.ts';

/** Data that fits, or what is left of it. */
export interface CutData {
  /** The data, or the beginning of its JSON text. */
  readonly data: Json;
  /** Set when something was cut: the length of the whole JSON text. */
  readonly whole?: number;
}

/** Texts inside the data are cut first, so that its structure stays; each may take this part of the limit. */
const textShare = 4;

/**
 * Cuts data to about `limit` characters of JSON: its long texts first, then its JSON text.
 *
 * @example
 * cutData({ id: 1, text: 'x'.repeat(50) }, 40); // { data: { id: 1, text: 'xxxxxxxxxxxxxxxx… (34 more characters)' }, whole: 68 }
 */
export function cutData(data: JsonObject, limit: number): CutData {
  const text = exactText(data);
  if (text.length <= limit) return { data };
  const whole = text.length;
  const shortened = withShortTexts(data, Math.max(16, Math.floor(limit / textShare)), { left: limit });
  if (exactText(shortened).length <= limit + tailLength) return { data: shortened, whole };
  return { data: `${text.slice(0, limit)}…`, whole };
}

/** The room for the words that say how much of a text is missing. */
const tailLength = 100;

/** The same structure with short texts. It gives up when it has visited as many values as the limit has characters. */
function withShortTexts(value: Json, longest: number, budget: { left: number }): Json {
  if (budget.left-- <= 0) return '…';
  if (typeof value === 'string') {
    return value.length <= longest
      ? value
      : `${value.slice(0, longest)}… (${value.length - longest} more characters)`;
  }
  if (isArray(value)) return value.map((item) => withShortTexts(item, longest, budget));
  if (!isObject(value)) return value;
  const short = (item: Json) => withShortTexts(item, longest, budget);
  return Object.fromEntries(Object.entries(value).map(([key, item]): [string, Json] => [key, short(item)]));
}

/** Bytes in base64 that fit, or their beginning. */
export interface CutBytes {
  readonly bytes: string;
  /** Set when something was cut: the number of all bytes. */
  readonly whole?: number;
}

/** Cuts bytes in base64 to at most half of `limit` characters. */
export function cutBytes(base64: string, limit: number): CutBytes {
  const most = Math.floor(limit / 8) * 4;
  if (base64.length <= most) return { bytes: base64 };
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return { bytes: base64.slice(0, most), whole: (base64.length * 3) / 4 - padding };
}
