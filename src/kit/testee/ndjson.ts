/** NDJSON: one JSON object a line. Cuts lines out of bytes, and notes numbers that decoding may have changed. */
import { exactJsonOf, exactText, isObject, jsonOf, ok, refuse } from '../base/index.ts';
import type { Codec, JsonObject } from '../base/index.ts';
import type { Framer, Framing } from '../world/index.ts';

/** The longest accepted line (bytes). */
export const lineLimit: number = 1 << 20;

const newline = 0x0a;
const lineBreak = Uint8Array.of(newline);

/** The codec of one line. */
export const ndjson: Codec<JsonObject> = {
  name: 'NDJSON',
  encode: (message) => Buffer.from(`${exactText(message)}\n`),
  decode(bytes) {
    if (bytes.length > lineLimit)
      return refuse({ code: 'too-large', path: '', message: `a line of more than ${lineLimit} bytes` });
    try {
      const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
      const value = jsonOf(text);
      if (isObject(value)) return ok({ message: value, ...roundingNote(text) });
    } catch {
      // The refusal below reports it.
    }
    const start = Buffer.from(bytes.subarray(0, 80)).toString('latin1');
    return refuse({
      code: 'bad-json',
      path: '',
      message: `expected a JSON object on a line; came ${start}${start.startsWith('{') ? '' : ' (logs belong on stderr)'}`,
    });
  },
};

/** The same codec, which keeps all digits of integers: those that a double does not give back are bigints. */
export const exactNdjson: Codec<JsonObject> = {
  ...ndjson,
  decode(bytes) {
    const read = ndjson.decode(bytes);
    if (!read.ok || read.value.note === undefined) return read;
    return ok({ ...read.value, message: exactJsonOf(new TextDecoder().decode(bytes)) as JsonObject });
  },
};

/**
 * The same codec, which also reads NaN and Infinity, as null: a testee whose JSON library takes them from a model writes
 * them into its answer, too, and the answer shows that it ran them.
 */
export const lenientNdjson: Codec<JsonObject> = {
  ...ndjson,
  decode(bytes) {
    const strict = ndjson.decode(bytes);
    if (strict.ok || strict.error.code !== 'bad-json') return strict;
    const text = Buffer.from(bytes).toString('utf8');
    const read = ndjson.decode(Buffer.from(withoutNonNumbers(text)));
    return read.ok ? ok({ ...read.value, note: 'NaN or Infinity, read as null: see the bytes' }) : strict;
  },
};

/** A JSON text with null for NaN and Infinity. Does not look into strings. */
const withoutNonNumbers = (text: string): string =>
  text.replace(/"[^"\\]*(?:\\.[^"\\]*)*"|\bNaN\b|-?\bInfinity\b/g, (part) =>
    part.startsWith('"') ? part : 'null',
  );

/**
 * The integers of a JSON text that JSON.parse may change, because a double cannot hold every integer beyond 2^53. Does
 * not look into strings.
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

/** A note that decoding may have changed a number. The trace then keeps the bytes. */
const roundingNote = (text: string): { readonly note?: string } =>
  unsafeIntegers(text).length === 0 ? {} : { note: 'an integer beyond 2^53: see the bytes' };

/** Cuts lines out of bytes. Keeps one byte more than the limit of a line that is too long. */
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

  /** Ends a message with a line break, unless its codec did. */
  wrap(message: Uint8Array): Uint8Array {
    return message.at(-1) === newline ? message : Buffer.concat([message, lineBreak]);
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

/** The framing of NDJSON. */
export const lineFraming: Framing = () => new LineFramer();
