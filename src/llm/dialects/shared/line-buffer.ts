/**
 * Bytes in any pieces to text in whole lines, for SSE and NDJSON alike. Decoding waits for a line end, so that no
 * UTF-8 sequence is ever cut, and every byte is looked at once.
 */

const LF = 0x0a;
const CR = 0x0d;
const BOM = 0xfeff;

/** Whether CR alone ends a line, as in SSE; in NDJSON it does not. */
export type LineEnds = 'lf-or-cr' | 'lf';

/** Keeps what has no line end yet, and gives the rest as text. */
export class LineBuffer {
  readonly #ends: LineEnds;
  readonly #limit: number;
  readonly #decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  #kept = new Uint8Array(256);
  #length = 0;
  #started = false;
  #overflowed = false;

  /** @param limit - the most UTF-16 units that one line may hold */
  constructor(ends: LineEnds, limit: number) {
    this.#ends = ends;
    this.#limit = limit;
  }

  /** Whether a line without an end is surely beyond the limit; nothing is taken from then on. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /**
   * The text up to the last line end that has come, line ends included; `''` if there is none. A byte order mark at
   * the very start is dropped; bytes that are no UTF-8 become U+FFFD.
   */
  push(bytes: Uint8Array): string {
    if (this.#overflowed) return '';
    const end = this.#lastEnd(bytes) + 1;
    if (end === 0) {
      this.#keep(bytes);
      return '';
    }
    const text =
      this.#length === 0 ? this.#decode(bytes.subarray(0, end)) : this.#join(bytes.subarray(0, end));
    if (end < bytes.length) this.#keep(bytes.subarray(end));
    return text;
  }

  /** What is left without a line end, as text; nothing is left then. */
  flush(): string {
    const text = this.#decode(this.#kept.subarray(0, this.#length));
    this.#length = 0;
    return text;
  }

  #lastEnd(bytes: Uint8Array): number {
    const lf = bytes.lastIndexOf(LF);
    if (this.#ends === 'lf') return lf;
    const cr = bytes.subarray(lf + 1).lastIndexOf(CR);
    return cr < 0 ? lf : lf + 1 + cr;
  }

  #join(bytes: Uint8Array): string {
    this.#append(bytes);
    return this.flush();
  }

  /** A UTF-16 unit, and a byte order mark, take at most three bytes: so many are too many units in any case. */
  #keep(bytes: Uint8Array): void {
    if (this.#length + bytes.length > 3 * (this.#limit + 1)) {
      this.#overflowed = true;
      this.#length = 0;
    } else this.#append(bytes);
  }

  #append(bytes: Uint8Array): void {
    const length = this.#length + bytes.length;
    if (length > this.#kept.length) {
      const larger = new Uint8Array(Math.max(length, 2 * this.#kept.length));
      larger.set(this.#kept.subarray(0, this.#length));
      this.#kept = larger;
    }
    this.#kept.set(bytes, this.#length);
    this.#length = length;
  }

  #decode(bytes: Uint8Array): string {
    const text = this.#decoder.decode(bytes);
    if (this.#started || text === '') return text;
    this.#started = true;
    return text.charCodeAt(0) === BOM ? text.slice(1) : text;
  }
}
