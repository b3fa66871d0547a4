/**
 * Bytes and UTF-8 text, as fast as the host allows: through Node's Buffer where there is one, else through the web's
 * TextEncoder and TextDecoder.
 */

type Write = (this: Uint8Array, text: string, at: number) => number;
type Slice = (this: Uint8Array, start: number, end: number) => string;

/** What Node's Buffer has and the web has not. `utf8Write` and `utf8Slice` work on any Uint8Array. */
interface NodeBuffer {
  allocUnsafe(size: number): Uint8Array;
  byteLength(text: string): number;
  readonly prototype: { readonly utf8Write: Write; readonly utf8Slice: Slice };
}

function nodeBuffer(): NodeBuffer | undefined {
  const { Buffer } = globalThis as unknown as { readonly Buffer?: NodeBuffer };
  const { utf8Write, utf8Slice } = (Buffer?.prototype ?? {}) as Partial<NodeBuffer['prototype']>;
  return typeof utf8Write === 'function' && typeof utf8Slice === 'function' ? Buffer : undefined;
}

const node: NodeBuffer | undefined = nodeBuffer();
const utf8Write = node?.prototype.utf8Write;
const utf8Slice = node?.prototype.utf8Slice;
const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Whether {@link allocate} gives small arrays as parts of a common pool whose memory cannot be transferred away, as
 * Node's does. Where it does, cutting a few of them into yet smaller ones is safe.
 */
export const pooled: boolean = node !== undefined;

/** Fresh bytes with anything in them: whoever asks for them writes all that is handed on. */
export function allocate(size: number): Uint8Array {
  if (node === undefined) return new Uint8Array(size);
  const bytes = node.allocUnsafe(size);
  return new Uint8Array(bytes.buffer, bytes.byteOffset, size);
}

/** How many bytes a text takes in UTF-8. */
export const textSize = (text: string): number =>
  node === undefined ? sizeOf(text, 0, text.length) : node.byteLength(text);

/** Writes a text as UTF-8 where there is room for it. Returns how many bytes it took. */
export const writeText = (text: string, into: Uint8Array, at: number): number =>
  utf8Write === undefined
    ? encoder.encodeInto(text, into.subarray(at)).written
    : utf8Write.call(into, text, at);

/** UTF-8 as a text; a byte order mark is kept, and what is malformed becomes U+FFFD: see {@link malformedAt}. */
export const readText = (bytes: Uint8Array, start: number, end: number): string =>
  utf8Slice === undefined ? decoder.decode(bytes.subarray(start, end)) : utf8Slice.call(bytes, start, end);

/** What {@link readText} puts where bytes are not UTF-8. */
export const REPLACEMENT = '\uFFFD';

/**
 * Where the bytes of a text from {@link readText} stop being UTF-8; undefined when they never do. A text without
 * U+FFFD is well-formed; each U+FFFD in one is looked up in the bytes, where it may stand for itself (EF BF BD).
 */
export function malformedAt(text: string, bytes: Uint8Array, start: number): number | undefined {
  let at = start;
  let from = 0;
  for (;;) {
    const next = text.indexOf(REPLACEMENT, from);
    if (next === -1) return undefined;
    at += sizeOf(text, from, next);
    if (bytes[at] !== 0xef || bytes[at + 1] !== 0xbf || bytes[at + 2] !== 0xbd) return at;
    at += 3;
    from = next + 1;
  }
}

/** The UTF-8 size of a part of a text. The two halves of a pair count 3 and 1; a half on its own becomes U+FFFD: 3. */
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
