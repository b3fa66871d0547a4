/**
 * Turns bytes in any pieces into text of whole lines, for SSE and NDJSON. It decodes only up to a line end, so it never
 * cuts a UTF-8 sequence, and it looks at every byte once.
 */

const LF = 0x0a;
const CR = 0x0d;
const BOM = 0xfeff;

/** Whether CR alone ends a line: it does in SSE, it does not in NDJSON. */
export type LineEnds = 'lf-or-cr' | 'lf';

/** Keeps the bytes after the last line end, and gives the bytes before it as text. */
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

  /** Whether an unfinished line is certainly beyond the limit; the buffer takes nothing from then on. */
  get overflowed(): boolean {
    return this.#overflowed;
  }

  /**
   * The text up to the last line end so far, line ends included; `''` without a line end. Drops a byte order mark at
   * the start; bytes that are not UTF-8 become U+FFFD.
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

  /** The rest without a line end, as text; the buffer is empty afterwards. */
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

  /** A UTF-16 unit takes at most three bytes, and so does a byte order mark: more bytes are too many units. */
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
