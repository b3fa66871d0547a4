/** The random padding of OpenAI's deltas, `obfuscation`, which hides the lengths of their texts. */
import type { RenderContext } from '../../messages.ts';

/** A text and its padding together have a multiple of this many UTF-16 units. */
const step = 16;

/** The padding behind a text: 1 to 16 letters and digits, which need no escapes in JSON. */
export type Padding = (text: string) => string;

/**
 * The padding of one response; undefined where the variant or the request turns it off. It is sliced from letters that
 * are drawn once, since drawing them for each delta would cost as much as the delta ("LLM streamer, events" of
 * `npm run bench`).
 */
export function paddingOf({ variants, request, id }: RenderContext): Padding | undefined {
  if (variants.obfuscation === false || request.obfuscation === false) return undefined;
  const drawn = id('') + id('');
  let at = 0;
  return (text) => {
    at = (at + 7) % (drawn.length - step);
    return drawn.slice(at, at + step - (text.length % step));
  };
}
