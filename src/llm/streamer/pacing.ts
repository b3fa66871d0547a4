/** The pieces in which content is generated, and the pauses between them. */
import type { Random } from '../../kit/world/index.ts';
import type { Chunk } from '../script/script.ts';
import { inPair } from '../dialects/shared/tokenizer.ts';
import type { Tokenizer } from '../dialects/shared/tokenizer.ts';

/** The pieces of a text, lazily. They join to the text; no piece is empty or splits a surrogate pair. */
export function piecesOf(text: string, chunk: Chunk, tokenizer: Tokenizer): Iterable<string> {
  if (chunk === 'token') return tokenizer.pieces(text);
  return unitsOf(text, typeof chunk === 'object' ? chunk.size : 1);
}

/** Pieces of `size` UTF-16 units; one more where that would split a surrogate pair. */
function* unitsOf(text: string, size: number): Generator<string> {
  for (let from = 0; from < text.length;) {
    const end = Math.min(from + size, text.length);
    const to = inPair(text, end) ? end + 1 : end;
    yield text.slice(from, to);
    from = to;
  }
}

/**
 * The same pieces, split once more at these offsets of the text (ascending).
 */
export function* partedAt(pieces: Iterable<string>, stops: readonly number[]): Generator<string> {
  let at = 0;
  let next = 0;
  for (const piece of pieces) {
    let from = 0;
    for (; next < stops.length && (stops[next] ?? 0) < at + piece.length; next++) {
      const to = (stops[next] ?? 0) - at;
      if (to > from) yield piece.slice(from, to);
      from = Math.max(from, to);
    }
    yield piece.slice(from);
    at += piece.length;
  }
}

/** Milliseconds between two pieces: `delay`, up to `jitter` more or less; whole, and never below 0. */
export function pauseOf(delay: number, jitter: number, random: Random): number {
  if (jitter === 0) return delay;
  return Math.max(0, Math.round(delay + (random.next() * 2 - 1) * jitter));
}
