/**
 * The headers of a message: a name, a type and a value each. "Event stream encoding" of Amazon Lex; aws-c-event-stream for
 * the types.
 */
import { ok, WireproofError } from '../../../kit/base/index.ts';
import type { Result, Violation } from '../../../kit/base/index.ts';
import { decodeValue, encodeValue } from './header-values.ts';
import type { HeaderValue } from './header-values.ts';
import { refuseAt, sizes } from './violation.ts';

/** A header. Names are unique in a message. */
export type EventHeader = HeaderValue & { readonly name: string };

const encoder = new TextEncoder();
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * The bytes of headers, in their order.
 *
 * @example
 * [...encodeHeaders([{ name: 'a', type: 'string', value: 'b' }])]; // [1, 97, 7, 0, 1, 98]
 */
export function encodeHeaders(headers: readonly EventHeader[]): Uint8Array {
  const parts = headers.flatMap(({ name, ...value }) => {
    const bytes = encoder.encode(name);
    if (bytes.length === 0 || bytes.length > sizes.name)
      throw new WireproofError(
        'internal',
        `expected a header name of 1 to ${sizes.name} bytes; came ${bytes.length}`,
      );
    return [Uint8Array.of(bytes.length), bytes, encodeValue(value)];
  });
  const out = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/**
 * Reads headers.
 *
 * @param from - the offset of `bytes` in the stream, for refusals
 */
export function decodeHeaders(bytes: Uint8Array, from: number): Result<readonly EventHeader[], Violation> {
  const headers: EventHeader[] = [];
  const names = new Set<string>();
  for (let at = 0; at < bytes.length;) {
    const length = bytes[at] ?? 0;
    const end = at + 1 + length;
    if (length === 0) return refuseAt('bad-header', from + at, 'a header name of 1 byte or more');
    if (end > bytes.length)
      return refuseAt('bad-header', from + at, `a header name of ${length} bytes within the headers`);
    const name = textOf(bytes.subarray(at + 1, end));
    if (name === undefined) return refuseAt('bad-utf8', from + at + 1, 'a header name in UTF-8');
    if (names.has(name))
      return refuseAt('duplicate-header', from + at, `the header ${JSON.stringify(name)} once`);
    names.add(name);
    const read = decodeValue(bytes, end, from);
    if (!read.ok) return read;
    headers.push({ ...read.value.value, name });
    at = read.value.end;
  }
  return ok(headers);
}

/** The longest header block (bytes) that is remembered, and how many are. */
const longestKept = 512;
const blocksKept = 8;

/**
 * Reads headers, and remembers them: most messages of a stream have the same ("LLM client decode, bedrock" of `npm run
 * bench`).
 */
export class HeaderReader {
  readonly #known: { readonly bytes: Uint8Array; readonly headers: readonly EventHeader[] }[] = [];

  /** See {@link decodeHeaders}. */
  read(bytes: Uint8Array, from: number): Result<readonly EventHeader[], Violation> {
    const known = this.#known.find((one) => isSame(one.bytes, bytes));
    if (known !== undefined) return ok(known.headers);
    const read = decodeHeaders(bytes, from);
    if (read.ok && bytes.length <= longestKept && this.#known.length < blocksKept)
      this.#known.push({ bytes: bytes.slice(), headers: read.value });
    return read;
  }
}

/** Blocks of one length mostly differ near their beginning: the type of an event stands first. */
function isSame(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) return false;
  for (let at = 0; at < one.length; at++) if (one[at] !== other[at]) return false;
  return true;
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return decoder.decode(bytes);
  } catch {
    return undefined;
  }
}
