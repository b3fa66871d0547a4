/** The limits of feeds. A manifest, a model and a source come from outside: none of what they give is unbounded. */
import type { Json } from '../../kit/base/index.ts';
import { textOf } from '../values/variables.ts';

/** Limits of feeds, each with a default. */
export interface FeedLimits {
  /** The most feeds, those of internal actions included. Default: {@link mostFeeds}. */
  readonly mostFeeds?: number;
  /** The most characters of the value of a feed as compact JSON. A larger one is a failed fetch. Default: {@link mostFeedValue}. */
  readonly mostFeedValue?: number;
  /** The most characters of all values in an injection, escaped. Default: {@link mostInjected}. */
  readonly mostInjected?: number;
  /** The least seconds between two fetches of a periodic feed, whatever its interval is. Default: {@link leastInterval}. */
  readonly leastInterval?: number;
}

/** The most feeds, by default. */
export const mostFeeds = 256;

/** The most characters of the value of a feed, by default. */
export const mostFeedValue: number = 1024 * 1024;

/** The most characters of all values in an injection, by default. */
export const mostInjected: number = 1024 * 1024;

/** The least seconds between two fetches of a periodic feed, by default. */
export const leastInterval = 0.01;

/** The most characters of a manifest, as a file has, and of the variables that are put into it; of a feed that a model writes, too. */
export const mostManifest: number = 256 * 1024;

/** The limits with their defaults. */
export const feedLimitsOf = (limits: FeedLimits): Required<FeedLimits> => ({
  mostFeeds: limits.mostFeeds ?? mostFeeds,
  mostFeedValue: limits.mostFeedValue ?? mostFeedValue,
  mostInjected: limits.mostInjected ?? mostInjected,
  leastInterval: limits.leastInterval ?? leastInterval,
});

/** Counts the tokens of a text. A prefix of a text has at most as many as the text. */
export type TokenCounter = (text: string) => number;

/**
 * An estimate of the tokens of a text: one for four UTF-16 units, rounded up.
 *
 * @example
 * estimatedTokens('12345'); // 2
 */
export const estimatedTokens: TokenCounter = (text) => Math.ceil(text.length / 4);

/** The text of a value: a string as it is, any other value as compact JSON. With the longest prefix that `most` allows. */
export function textWithin(
  value: Json,
  most: number | undefined,
  count: TokenCounter,
): { readonly text: string; readonly isCut: boolean } {
  const text = textOf(value);
  if (most === undefined || count(text) <= most) return { text, isCut: false };
  let [fits, tooLong] = [0, text.length];
  while (tooLong - fits > 1) {
    const middle = (fits + tooLong) >> 1;
    if (count(text.slice(0, wholeCharacters(text, middle))) <= most) fits = middle;
    else tooLong = middle;
  }
  return { text: text.slice(0, wholeCharacters(text, fits)), isCut: true };
}

/** A length at which a text can be cut: not inside of a surrogate pair. */
function wholeCharacters(text: string, length: number): number {
  const point = length > 0 ? text.codePointAt(length - 1) : undefined;
  return point !== undefined && point > 0xffff ? length - 1 : length;
}
