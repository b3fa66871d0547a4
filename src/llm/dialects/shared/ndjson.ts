/** Newline-delimited JSON: lines from bytes in any pieces. A line ends with LF; a CR before it is not part of it. */
import { LineBuffer } from '../../../kit/base/index.ts';

/**
 * Splits bytes into lines. The result does not depend on how the bytes are cut; cost is linear, memory bounded by the
 * limit; never throws.
 *
 * @example
 * const lines = new NdjsonLines(1000);
 * lines.push(new TextEncoder().encode('{"a":1}\r\n\n{"a":')); // ['{"a":1}']
 */
export class NdjsonLines {
  readonly #limit: number;
  readonly #lines: LineBuffer;
  #overflowed = false;

  /** @param limit - the most UTF-16 units that one line may hold */
  constructor(limit: number) {
    this.#limit = limit;
    this.#lines = new LineBuffer('lf', limit);
  }

  /** Whether a line went beyond the limit; nothing is read from then on. */
  get overflowed(): boolean {
    return this.#overflowed || this.#lines.overflowed;
  }

  /** The lines that these bytes complete, without blank lines. */
  push(bytes: Uint8Array): readonly string[] {
    if (this.#overflowed) return [];
    const lines: string[] = [];
    const text = this.#lines.push(bytes);
    let from = 0;
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
      this.#take(text.slice(from, end), lines);
      if (this.#overflowed) return lines;
      from = end + 1;
    }
    return lines;
  }

  /** The last line, when the body ends without a line end; at most one. */
  end(): readonly string[] {
    const lines: string[] = [];
    if (!this.overflowed) this.#take(this.#lines.flush(), lines);
    return lines;
  }

  #take(text: string, lines: string[]): void {
    const line = text.trim();
    if (text.length > this.#limit) this.#overflowed = true;
    else if (line !== '') lines.push(line);
  }
}
