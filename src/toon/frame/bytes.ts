/**
 * Converts between bytes and UTF-8 text with Node's Buffer, or with TextEncoder and TextDecoder where there is no Buffer.
 * Buffer pays in the benchmarks "TOON encode" and "TOON decode".
 */

type Write = (this: Uint8Array, text: string, at: number) => number;
type Slice = (this: Uint8Array, start: number, end: number) => string;

/** The parts of Node's Buffer that are used here. `utf8Write` and `utf8Slice` work on any Uint8Array. */
interface NodeBuffer {
  allocUnsafe(size: number): Uint8Array;
  byteLength(text: string): number;
  readonly prototype: { readonly utf8Write: Write; readonly utf8Slice: Slice };
}

function nodeBuffer(): NodeBuffer | undefined {
  const { Buffer } = globalThis as { readonly Buffer?: NodeBuffer };
  const { utf8Write, utf8Slice } = (Buffer?.prototype ?? {}) as Partial<NodeBuffer['prototype']>;
  return typeof utf8Write === 'function' && typeof utf8Slice === 'function' ? Buffer : undefined;
}

const node: NodeBuffer | undefined = nodeBuffer();
const utf8Write = node?.prototype.utf8Write;
const utf8Slice = node?.prototype.utf8Slice;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Whether {@link allocate} takes small arrays from a pool whose memory cannot be transferred, as Node's Buffer does. Then
 * several messages can safely share one array.
 */
export const isPooled: boolean = node !== undefined;

/** A new array with undefined content. The caller must write every byte that it passes on. */
export function allocate(size: number): Uint8Array {
  if (node === undefined) return new Uint8Array(size);
  const bytes = node.allocUnsafe(size);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, size);
}

/** The number of bytes of a text in UTF-8. */
export const textSize = (text: string): number =>
  node === undefined ? sizeOf(text, 0, text.length) : node.byteLength(text);

/** Writes a text as UTF-8; the array must have room for it. Returns the number of bytes written. */
export const writeText = (text: string, into: Uint8Array, at: number): number =>
  utf8Write === undefined
    ? encoder.encodeInto(text, into.subarray(at)).written
    : utf8Write.call(into, text, at);

/** Reads UTF-8. A byte order mark is kept; malformed bytes become U+FFFD: see {@link malformedAt}. */
export const readText = (bytes: Uint8Array, start: number, end: number): string =>
  utf8Slice === undefined ? decoder.decode(bytes.subarray(start, end)) : utf8Slice.call(bytes, start, end);

/** The character that {@link readText} puts in the place of malformed bytes. */
export const replacementCharacter = '\uFFFD';

/**
 * The offset of the first malformed byte after a text from {@link readText}; undefined when all bytes are UTF-8. Each
 * U+FFFD in the text is looked up in the bytes, because the bytes may contain that character itself (EF BF BD).
 */
export function malformedAt(text: string, bytes: Uint8Array, start: number): number | undefined {
  let at = start;
  let from = 0;
  for (;;) {
    const next = text.indexOf(replacementCharacter, from);
    if (next === -1) return undefined;
    at += sizeOf(text, from, next);
    if (bytes[at] !== 0xef || bytes[at + 1] !== 0xbf || bytes[at + 2] !== 0xbd) return at;
    at += 3;
    from = next + 1;
  }
}

/** The UTF-8 size of a part of a text. The halves of a surrogate pair count 3 and 1; a lone half becomes U+FFFD: 3. */
function sizeOf(text: string, from: number, to: number): number {
  let size = to - from;
  for (let i = from; i < to; i++) {
    const unit = text.charCodeAt(i);
    if (unit < 0x80) continue;
    if (unit < 0x800) size += 1;
    else size += endsPair(text, i, from) ? 0 : 2;
  }
  return size;
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit < 0xdc00;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit < 0xe000;

const endsPair = (text: string, i: number, from: number): boolean =>
  isLow(text.charCodeAt(i)) && i > from && isHigh(text.charCodeAt(i - 1));
