/**
 * The pieces in which an answer came: the pause before each, and its length. A recording keeps them as a text, such as
 * `152/122 150/122`: milliseconds and bytes.
 */

/** One piece of an answer. */
export interface Piece {
  /** The time since the piece before, or since the request (ms). */
  readonly pause: number;
  /** Bytes. */
  readonly length: number;
}

/** The most pieces that a recording keeps of one answer; the rest of the answer is one more piece. */
const mostPieces = 20_000;

/** Notes the pieces of an answer as they come. */
export class PieceLog {
  readonly #written: string[] = [];
  #last: number;

  /** @param from - the time of the request (ms) */
  constructor(from: number) {
    this.#last = from;
  }

  /** Notes a piece. @param now - the time when it came (ms) */
  add(length: number, now: number): void {
    if (this.#written.length >= mostPieces) return;
    this.#written.push(`${Math.max(0, Math.round(now - this.#last))}/${length}`);
    this.#last = now;
  }

  /** The pieces as a recording keeps them. */
  text(): string {
    return this.#written.join(' ');
  }
}

export const isPieces = (text: string): boolean => /^(?:\d{1,9}\/\d{1,9}(?: \d{1,9}\/\d{1,9})*)?$/.test(text);

/** Reads the pieces of a recording, one by one. */
export function* piecesIn(text: string): Generator<Piece, undefined> {
  for (const [, pause, length] of text.matchAll(/(\d+)\/(\d+)/g))
    yield { pause: Number(pause), length: Number(length) };
  return undefined;
}

/** How the pieces of an answer are played. */
export interface ReplayPacing {
  /** Bytes of each piece. Default: the recorded pieces. */
  readonly chunk?: number | undefined;
  /** The pause before each piece (ms). Default: the recorded pauses. */
  readonly delay?: number | undefined;
  /** The answer breaks off with a reset after this many bytes. Default: it is played to its end. */
  readonly cut?: number | undefined;
}

/**
 * The pieces in which an answer is played. A recording without pieces has one.
 *
 * @param size - the bytes of the whole answer
 */
export function* playedPieces(
  recorded: string,
  size: number,
  { chunk, delay, cut = size }: ReplayPacing,
): Generator<Piece, undefined> {
  const source = chunk === undefined ? piecesIn(recorded) : equalPieces(size, chunk);
  let left = Math.min(size, cut);
  for (const { pause, length } of source) {
    if (left === 0) return undefined;
    const piece = Math.min(length, left);
    left -= piece;
    if (piece > 0) yield { pause: delay ?? pause, length: piece };
  }
  // Redacted credentials change the length of an answer.
  if (left > 0) yield { pause: delay ?? 0, length: left };
  return undefined;
}

function* equalPieces(size: number, chunk: number): Generator<Piece> {
  for (let from = 0; from < size; from += chunk) yield { pause: 0, length: chunk };
}
