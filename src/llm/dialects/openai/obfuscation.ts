/** OpenAI's padding of deltas: letters and digits of changing length, which hide the length of a token. */

import type { RenderContext } from '../../messages.ts';

/** Whether deltas are padded (115 of 119 recorded streams), unless the variant or the request turns it off. */
export const isPadded = ({ variants, request }: RenderContext): boolean =>
  variants.obfuscation !== false && request.obfuscation !== false;

/** The paddings of one response. All are parts of one seeded id: a random text a delta costs more than the delta. */
export class Obfuscation {
  readonly #id: (prefix: string) => string;
  #pad = '';
  #count = 0;

  /** @param id - makes a seeded id; the first padding takes one */
  constructor(id: (prefix: string) => string) {
    this.#id = id;
  }

  /** The next padding, of 6 to 16 characters. */
  next(): string {
    if (this.#pad === '') this.#pad = this.#id('').repeat(2);
    const at = (this.#count * 7) % 31;
    const length = 6 + ((this.#count++ * 5) % 11);
    return this.#pad.slice(at, at + length);
  }
}
