/** NDJSON: JSON objects, a line each. Cuts lines out of bytes, and notes where reading a number may have changed it. */
import { isObject, ok, refuse } from '../base/index.ts';
import type { Codec, JsonObject } from '../base/index.ts';
import type { Framer, Framing } from '../world/index.ts';

/** Longest line taken (bytes). */
export const lineLimit: number = 1 << 20;

const newline = 0x0a;

/** JSON objects, a line each. */
export const ndjson: Codec<JsonObject> = {
  name: 'NDJSON',
  encode: (message) => Buffer.from(`${JSON.stringify(message)}\n`),
  decode(bytes) {
    if (bytes.length > lineLimit)
      return refuse({ code: 'too-large', path: '', message: `a line of more than ${lineLimit} bytes` });
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      const value: unknown = JSON.parse(text);
      if (isObject(value)) return ok({ message: value as JsonObject, ...roundingNote(text) });
    } catch {
      // Said below.
    }
    const start = Buffer.from(bytes.subarray(0, 80)).toString('latin1');
    return refuse({ code: 'bad-json', path: '', message: `expected a JSON object on a line; came ${start}` });
  },
};

/**
 * The integers of a JSON text that JSON.parse may change, since a double does not hold all beyond 2^53, as they stand
 * there. Digits in strings are none.
 *
 * @example
 * unsafeIntegers('{"a":9007199254740993,"b":"9007199254740993","c":1e300}'); // ['9007199254740993']
 */
export function unsafeIntegers(json: string): readonly string[] {
  if (!/\d{16}/.test(json)) return [];
  const bare = json.replace(/"[^"\\]*(?:\\.[^"\\]*)*"/g, '""');
  return (bare.match(/-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g) ?? []).filter(
    (number) => /^-?\d+$/.test(number) && !Number.isSafeInteger(Number(number)),
  );
}

/** Says that decoding may have changed a number, so that the trace keeps the bytes. */
const roundingNote = (text: string): { readonly note?: string } =>
  unsafeIntegers(text).length === 0 ? {} : { note: 'an integer beyond 2^53: see the bytes' };

/** Cuts lines out of bytes; of one that is too long only so much is kept as shows that. */
class LineFramer implements Framer {
  #parts: Uint8Array[] = [];
  #size = 0;

  push(chunk: Uint8Array): readonly Uint8Array[] {
    const lines: Uint8Array[] = [];
    let at = 0;
    for (let end = chunk.indexOf(newline); end >= 0; end = chunk.indexOf(newline, at)) {
      this.#keep(chunk.subarray(at, end));
      const line = this.#take();
      if (line.length > 0) lines.push(line);
      at = end + 1;
    }
    this.#keep(chunk.subarray(at));
    return lines;
  }

  end(): Uint8Array | undefined {
    const rest = this.#take();
    return rest.length === 0 ? undefined : rest;
  }

  #keep(part: Uint8Array): void {
    const room = lineLimit + 1 - this.#size;
    if (part.length === 0 || room <= 0) return;
    this.#parts.push(part.subarray(0, room));
    this.#size += Math.min(part.length, room);
  }

  #take(): Uint8Array {
    const line = this.#parts.length === 1 ? this.#parts[0] : Buffer.concat(this.#parts);
    this.#parts = [];
    this.#size = 0;
    return line ?? new Uint8Array();
  }
}

/** Lines, cut out of bytes. */
export const lineFraming: Framing = () => new LineFramer();
