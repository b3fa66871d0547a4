/**
 * Puts the output of a program into the trace, as marks: `{"printed": "stdout", "text": "…"}`. A program without a protocol
 * on its pipes tells its caller what happened by its output and its exit code.
 */
import type { JsonObject } from '../base/index.ts';
import type { OutputStream } from '../transport/index.ts';

/** The most marks and characters of a program that enter the trace as they come. */
const most = { marks: 500, characters: 1 << 18 } as const;
/** The end of each stream that is kept beyond that (characters). */
const endKept = 1 << 13;

export class Printed {
  readonly #mark: (data: JsonObject) => void;
  readonly #ends = new Map<OutputStream, string>();
  #marks = 0;
  #characters = 0;
  #isOver = false;

  constructor(mark: (data: JsonObject) => void) {
    this.#mark = mark;
  }

  /** Takes a piece of output. */
  onOutput(stream: OutputStream, text: string): void {
    if (text === '' || this.#isOver) return;
    this.#characters += text.length;
    if (++this.#marks <= most.marks && this.#characters <= most.characters)
      return this.#mark({ printed: stream, text });
    this.#ends.set(stream, ((this.#ends.get(stream) ?? '') + text).slice(-endKept));
  }

  /** Marks the end of an output that was too long to enter the trace as a whole. Later output is left out. */
  end(): void {
    this.#isOver = true;
    for (const [stream, text] of this.#ends) this.#mark({ printed: stream, text });
    this.#ends.clear();
  }
}
