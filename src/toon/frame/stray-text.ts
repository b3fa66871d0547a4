/** Recognises text where a header should be: a program that prints on the stream of its messages (TOON-38). */
import { readText } from './bytes.ts';

/** The most bytes of a text that are recognised, so that a message stays short. */
const mostShown = 120;

/** Bytes of text in any encoding that contains ASCII: tab, line ends, the escape of terminal colours, and all from a space on. */
const isText = (byte: number): boolean =>
  byte >= 0x20 ? byte !== 0x7f : byte === 0x09 || byte === 0x0a || byte === 0x0d || byte === 0x1b;

/**
 * The number of bytes of text at the start, at most 120; 0 for a header, because no version is the code of a character.
 *
 * @example
 * leadingTextSize(new TextEncoder().encode('ready\n\u0001\u0004')); // 6
 */
export function leadingTextSize(bytes: Uint8Array): number {
  const from = bytes.subarray(0, mostShown);
  const end = from.findIndex((byte) => !isText(byte));
  return end === -1 ? from.length : end;
}

/** The text at the start as a JSON string, of this number of bytes. */
export const quotedText = (bytes: Uint8Array, size: number): string =>
  JSON.stringify(readText(bytes, 0, size).trimEnd() || readText(bytes, 0, size));

/** The size of version, type and payloadLength. Where all of them are text, none of them can be believed. */
export const believedSize = 6;
