/** Finds where a text is cut: what a script says, as a UTF-16 offset that splits no surrogate pair. */
import { placeOf } from '../dialects/shared/json-scan.ts';
import type { CutAt, Offset } from '../script/script.ts';
import { inPair } from './tokenizer.ts';
import type { Tokenizer } from './tokenizer.ts';
import { offsetOfByte, offsetOfChar } from '../dialects/shared/utf8.ts';

/** The offset that a cut means in this text; undefined when the text has no such JSON place. Beyond the text: its end. */
export function cutOffset(text: string, at: CutAt, tokenizer: Tokenizer): number | undefined {
  return 'json' in at ? placeOf(text, at.json, at.nth) : offsetOf(text, at, tokenizer);
}

/** The offset of a place in this text; beyond the text: its end. */
export function offsetOf(text: string, at: Offset, tokenizer: Tokenizer): number {
  if ('byte' in at) return offsetOfByte(text, at.byte);
  if ('char' in at) return offsetOfChar(text, at.char);
  return offsetOfToken(text, at.token, tokenizer);
}

/** The offset after the first `n` tokens of a text; its end when there are not so many. */
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
