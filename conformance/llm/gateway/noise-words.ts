/** What came in an answer that no client reads: comments, pings, and the words of the kit's noise (noise.ts). */
import { exactText } from '../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../src/kit/base/index.ts';

/** A word of the kit's noise. */
export const noiseWord: RegExp = /\[noise [a-z]+\]/g;

/** The words of the kit's noise in a text. */
export const noiseWords = (text: string): readonly string[] => text.match(noiseWord) ?? [];

export class Noise {
  /** The comments and pings that came. */
  #pings = 0;
  /** The words in members and events, in the order of their first coming. */
  readonly words: Set<string> = new Set();

  /** Whether more came than the one ping that follows the start of each stream of Anthropic. */
  get came(): boolean {
    return this.#pings > 1 || this.words.size > 0;
  }

  /** Takes the data of a message. */
  take({ comment, event, data }: JsonObject): void {
    if (comment !== undefined || event === 'ping') this.#pings++;
    if (data === undefined) return;
    for (const word of noiseWords(exactText(data))) this.words.add(word);
  }
}
