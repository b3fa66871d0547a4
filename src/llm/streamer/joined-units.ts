/**
 * Units of one turn of the host that become one write: a system call and a trace event a unit cost more than the unit
 * ("LLM simulator" of `npm run bench`).
 */
import { ResponseWrite } from '../dialects/shared/units.ts';
import type { Framing } from '../messages.ts';

/** Whole units of one framing that are not written yet. */
export class JoinedUnits {
  readonly #framing: Framing;
  readonly #texts: string[] = [];
  readonly #bytes: Uint8Array[] = [];
  #count = 0;
  /** About the bytes of it all: a UTF-16 unit of a text counts as one. */
  length = 0;

  constructor(framing: Framing) {
    this.#framing = framing;
  }

  /** Keeps the text of a unit. */
  text(text: string): void {
    this.#count++;
    this.#texts.push(text);
    this.length += text.length;
  }

  /** Keeps the bytes of a unit, where the framing is not text. */
  bytes(bytes: Uint8Array): void {
    this.#count++;
    this.#bytes.push(bytes);
    this.length += bytes.length;
  }

  /** All units that were kept, as one write. Undefined when there are none. */
  take(): ResponseWrite | undefined {
    if (this.#count === 0) return undefined;
    const bytes =
      this.#bytes.length > 0 ? Buffer.concat(this.#bytes, this.length) : Buffer.from(this.#texts.join(''));
    const write = new ResponseWrite(bytes, undefined, { framing: this.#framing, units: this.#count });
    this.#texts.length = 0;
    this.#bytes.length = 0;
    this.#count = 0;
    this.length = 0;
    return write;
  }
}
