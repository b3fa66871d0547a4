/** Reads what the model sees of feeds: the tags `context_feed` in the text before an iteration. */

/** A feed as the model sees it. */
export interface InjectedFeed {
  readonly id: string;
  /** Its value, without the blanks at its ends. */
  readonly text: string;
  /** Whether it has the mark `stale="true"`. */
  readonly isStale: boolean;
  /** A tag of the protocol that begins in it; undefined: its value is escaped. */
  readonly tag: string | undefined;
}

const tag = /<\/?(?:thought|action|response|context_feed)\b/;
const block = /<context_feed\b([^<>]*)>(.*?)<\/context_feed\s*>/gs;

/**
 * The feeds in a text, in order. A tag that the model itself wrote is among them.
 *
 * @example
 * injectedIn('<context_feed id="load" stale="true">\na &lt; b\n</context_feed>Hm');
 * // [{ id: 'load', text: 'a < b', isStale: true, tag: undefined }]
 */
export const injectedIn = (transcript: string): readonly InjectedFeed[] =>
  [...transcript.matchAll(block)].map(([, attributes = '', text = '']) => ({
    id: unescaped(attributeIn(attributes, 'id')),
    text: unescaped(text).trim(),
    isStale: attributeIn(attributes, 'stale') === 'true',
    tag: tag.exec(text)?.[0],
  }));

/** The value of an attribute; '' when there is none. */
function attributeIn(attributes: string, name: string): string {
  const found = new RegExp(`(?:^|\\s)${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes);
  return found?.[1] ?? found?.[2] ?? '';
}

const named: { readonly [name: string]: string } = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };

/** The last code point. */
const lastPoint = 0x10ffff;

/** A text with the characters that its entities of XML stand for. An executor may write any of them. */
export const unescaped = (text: string): string =>
  text.replaceAll(
    /&(?:(\w+)|#(\d{1,7})|#x([0-9a-f]{1,6}));/gi,
    (all, name?: string, ten?: string, hex?: string) => {
      if (name !== undefined) return named[name] ?? all;
      const point = ten === undefined ? parseInt(hex ?? '', 16) : Number(ten);
      return point <= lastPoint ? String.fromCodePoint(point) : all;
    },
  );
