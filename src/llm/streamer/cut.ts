/** Finds the UTF-16 offset of a place in a text; it never splits a surrogate pair. */
import { placeOf } from '../dialects/shared/json-scan.ts';
import type { CutAt, Offset } from '../script/script.ts';
import { inPair } from '../dialects/shared/tokenizer.ts';
import type { Tokenizer } from '../dialects/shared/tokenizer.ts';
import { offsetOfByte, offsetOfChar } from '../dialects/shared/utf8.ts';

/** The offset of a cut in this text, at most its end; undefined where the text has no such JSON place. */
export function cutOffset(text: string, at: CutAt, tokenizer: Tokenizer): number | undefined {
  return 'json' in at ? placeOf(text, at.json, at.nth) : offsetOf(text, at, tokenizer);
}

/** The offset of a place in this text, at most its end. */
export function offsetOf(text: string, at: Offset, tokenizer: Tokenizer): number {
  if ('byte' in at) return offsetOfByte(text, at.byte);
  if ('char' in at) return offsetOfChar(text, at.char);
  return offsetOfToken(text, at.token, tokenizer);
}

/** The offset after the first `n` tokens of a text, at most its end. */
export function offsetOfToken(text: string, n: number, tokenizer: Tokenizer): number {
  if (tokenizer.count(text) <= n) return text.length;
  let at = 0;
  let left = n;
  if (left <= 0) return 0;
  for (const piece of tokenizer.pieces(text)) {
    at += piece.length;
    if (--left <= 0) break;
  }
  return inPair(text, at) ? at - 1 : at;
}
