/**
 * Places in text and in its UTF-8 bytes: lengths, offsets that split no character, fillings, and bytes split into
 * writes.
 */
import { inPair } from './tokenizer.ts';

/** A text that is repeated up to this many UTF-8 bytes, without splitting a character. */
export interface Fill {
  readonly text: string;
  readonly bytes: number;
}

/**
 * Where units are split into several writes: after `size` bytes, after each byte, inside each multi-byte character,
 * or around each line end.
 */
export type Split = { readonly size: number } | 'byte' | 'utf8' | 'lines';

/** UTF-8 bytes of a text; a surrogate without its other half counts 3, as U+FFFD. */
export const byteLength = (text: string): number => Buffer.byteLength(text);

/** Whether a text is Unicode that UTF-8 can carry: no half of a surrogate pair alone. */
export const isWellFormed = (text: string): boolean => !/\p{Surrogate}/u.test(text);

/** The UTF-16 offset of the character that holds byte `n`, at most the end of the text. */
export function offsetOfByte(text: string, n: number): number {
  let bytes = 0;
  for (let at = 0; at < text.length;) {
    const code = text.codePointAt(at) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > n) return at;
    at += code < 0x10000 ? 1 : 2;
  }
  return text.length;
}

/** The UTF-16 offset of character (code point) `n`, at most the end of the text. */
export function offsetOfChar(text: string, n: number): number {
  let at = 0;
  for (let left = n; left > 0 && at < text.length; left--) at += inPair(text, at + 1) ? 2 : 1;
  return at;
}

/** The text of a filling: repeated up to `bytes` bytes, without splitting a character. */
export function filled({ text, bytes }: Fill): string {
  const size = byteLength(text);
  if (size === 0) return '';
  const rest = text.slice(0, offsetOfByte(text, bytes % size));
  return text.repeat(Math.floor(bytes / size)) + rest;
}

const LF = 0x0a;
const CR = 0x0d;

/**
 * The pieces in which bytes are written. They join to the bytes; no piece is empty. `utf8` splits inside every multi-
 * byte character, `lines` before, inside and after every line end.
 *
 * @example
 * [...writes(new TextEncoder().encode('aé'), 'utf8')].map((piece) => piece.length); // [2, 1]
 */
export function* writes(bytes: Uint8Array, split?: Split): Generator<Uint8Array> {
  let from = 0;
  if (split !== undefined) {
    const size = split === 'byte' ? 1 : typeof split === 'object' ? split.size : 0;
    for (let at = size > 0 ? size : 1; at < bytes.length; at += size > 0 ? size : 1) {
      if (size === 0 && !(split === 'utf8' ? continues(bytes, at) : atLineEnd(bytes, at))) continue;
      yield bytes.subarray(from, at);
      from = at;
    }
  }
  if (from < bytes.length) yield bytes.subarray(from);
}

/** Whether the byte here is not the first of its character. */
const continues = (bytes: Uint8Array, at: number): boolean => ((bytes[at] ?? 0) & 0xc0) === 0x80;

const atLineEnd = (bytes: Uint8Array, at: number): boolean =>
  isLineEnd(bytes[at]) || isLineEnd(bytes[at - 1]);

const isLineEnd = (byte: number | undefined): boolean => byte === LF || byte === CR;

/** Characters (code points) of a text. */
export function charLength(text: string): number {
  let pairs = 0;
  for (let at = 1; at < text.length; at++) if (inPair(text, at)) pairs++;
  return text.length - pairs;
}
