/**
 * The run-length code (RLE) of compressed payloads: `0xFF byte count` stands for a run, any other byte for itself. The
 * encoder writes the canonical form. The decoder checks the expanded size before it allocates memory. The loops that
 * search several bytes ahead pay in the benchmarks "TOON run-length encode" and "TOON run-length decode".
 */
import { ok, refuse } from '../../kit/base/index.ts';
import type { Result, Violation } from '../../kit/base/index.ts';
import { allocate } from './bytes.ts';
import { violationAt } from './violation-at.ts';

/** The first byte of a compressed payload. No JSON begins with it. Source: TOON Protocol Specification, "RLE Encoding". */
export const COMPRESSION_MAGIC = 0x5a;

/** The first byte of a triple. Source: TOON Protocol Specification, "RLE Encoding". */
export const RLE_ESCAPE = 0xff;

/** A payload of at most this many bytes is never compressed. Source: TOON Protocol Specification, "Compression". */
export const COMPRESSION_THRESHOLD = 1024;

/** "Runs of 4+ bytes": the shortest run that becomes a triple. */
const minRun = 4;
/** The largest value of a count byte. */
const maxCount = 255;
/** Up to this many bytes, a loop is faster than a call. */
const maxLoop = 32;

/**
 * Whether a payload is compressed: it then begins with the magic byte.
 *
 * Source: TOON Protocol Specification, "Detecting Compression".
 *
 * @example
 * isCompressed(new Uint8Array([0x5a, 0x7b, 0x7d])); // true
 */
export const isCompressed = (payload: Uint8Array): boolean => payload[0] === COMPRESSION_MAGIC;

/**
 * Encodes bytes, without the magic byte. A run of 4 to 255 bytes becomes a triple. A longer run is split at 255, and a
 * remainder of less than 4 bytes stays as it is. 0xFF always becomes a triple (TOON-19, 20, 21).
 *
 * @example
 * [...runLengthEncode(new Uint8Array(257).fill(0x41))]; // [0xff, 0x41, 0xff, 0x41, 0x41]
 */
export function runLengthEncode(bytes: Uint8Array): Uint8Array {
  const end = bytes.length;
  const out = allocate(end + 2 * escapeRuns(bytes));
  let at = 0;
  for (let from = 0; from < end;) {
    const escape = findEscape(bytes, from, end);
    at = writeRuns(bytes, from, escape, out, at);
    from = endOfRun(bytes, escape, end);
    at = writeRun(out, at, RLE_ESCAPE, from - escape, 1);
  }
  return trim(out, at);
}

/** The number of runs of 0xFF: each may become two bytes longer. */
function escapeRuns(bytes: Uint8Array): number {
  const end = bytes.length;
  let runs = 0;
  for (let i = findEscape(bytes, 0, end); i < end; i = findEscape(bytes, i, end)) {
    runs++;
    i = endOfRun(bytes, i, end);
  }
  return runs;
}

/**
 * Encodes a part without 0xFF, such as UTF-8. The output may lie before the input in the same array, because the encoder
 * never writes more bytes than it has read. Returns the end of the output.
 */
export function writeRuns(bytes: Uint8Array, from: number, end: number, out: Uint8Array, at: number): number {
  let literal = from;
  let to = at;
  for (;;) {
    const run = findRun(bytes, literal, end);
    to = copy(bytes, literal, run, out, to);
    if (run === end) return to;
    literal = endOfRun(bytes, run, end);
    to = writeRun(out, to, bytes[run] ?? 0, literal - run, minRun);
  }
}

/** Whether a part without 0xFF gets at least two bytes shorter, so that it is shorter with the magic byte too (TOON-15). */
export function isWorthIt(bytes: Uint8Array, from: number, end: number): boolean {
  const first = findRun(bytes, from, end);
  if (first === end) return false;
  const rest = endOfRun(bytes, first, end);
  return rest - first > minRun || findRun(bytes, rest, end) < end;
}

/**
 * The offset of the next run of at least four bytes, or `end`. A run of four that starts at `i` − 2, `i` − 1 or `i`
 * contains both `i` and `i` + 1: where those two bytes differ, the search can skip three starts.
 */
function findRun(bytes: Uint8Array, from: number, end: number): number {
  let floor = from;
  for (let i = from + 2; i + 1 < end;) {
    if (bytes[i] !== bytes[i + 1]) {
      i += 3;
      while (i + 4 < end && bytes[i] !== bytes[i + 1] && bytes[i + 3] !== bytes[i + 4]) i += 6;
      continue;
    }
    const byte = bytes[i];
    let begin = i;
    while (begin > floor && bytes[begin - 1] === byte) begin--;
    let stop = i + 2;
    while (stop < end && stop - begin < minRun && bytes[stop] === byte) stop++;
    if (stop - begin >= minRun) return begin;
    floor = stop;
    i = stop + 2;
  }
  return end;
}

/** The end of the run that starts here. */
function endOfRun(bytes: Uint8Array, from: number, end: number): number {
  const byte = bytes[from];
  let i = from;
  while (i < end && bytes[i] === byte) i++;
  return i;
}

/** Writes a run as triples, and a remainder of less than `shortest` bytes as it is. Returns the end of the output. */
function writeRun(out: Uint8Array, at: number, byte: number, length: number, shortest: number): number {
  let to = at;
  let left = length;
  while (left >= shortest) {
    const count = left < maxCount ? left : maxCount;
    out[to] = RLE_ESCAPE;
    out[to + 1] = byte;
    out[to + 2] = count;
    to += 3;
    left -= count;
  }
  for (; left > 0; left--) out[to++] = byte;
  return to;
}

/** Copies a part; the output may lie before it in the same array. Returns the end of the output. */
function copy(bytes: Uint8Array, from: number, end: number, out: Uint8Array, at: number): number {
  if (end - from > maxLoop) out.set(bytes.subarray(from, end), at);
  else for (let i = from; i < end; i++) out[at + i - from] = bytes[i] ?? 0;
  return at + end - from;
}

/** The offset of the next 0xFF, or `end`. */
function findEscape(bytes: Uint8Array, from: number, end: number): number {
  const near = Math.min(end, from + maxLoop);
  for (let i = from; i < near; i++) if (bytes[i] === RLE_ESCAPE) return i;
  if (near === end) return end;
  const found = bytes.indexOf(RLE_ESCAPE, near);
  return found === -1 || found > end ? end : found;
}

/** The written part of an array. It is copied when the array is more than twice as long, to free the rest. */
export const trim = (bytes: Uint8Array, length: number): Uint8Array =>
  length * 2 < bytes.length ? bytes.slice(0, length) : bytes.subarray(0, length);

/**
 * Expands run-length code. It is refused with `too-large` when the result would be over `maxExpanded` bytes, before memory
 * is allocated, and with `bad-rle` when a triple is incomplete or its count is 0 (TOON-22, 24, 26). Counts of 1 to 3 and
 * several triples of one byte are allowed (TOON-23).
 *
 * @example
 * const expanded = runLengthDecode(new Uint8Array([0xff, 0x41, 3, 0x42]), { maxExpanded: 100 });
 * expanded.ok && [...expanded.value]; // [0x41, 0x41, 0x41, 0x42]
 */
export const runLengthDecode = (
  bytes: Uint8Array,
  { maxExpanded }: { readonly maxExpanded: number },
): Result<Uint8Array, Violation> => expand(bytes, 0, bytes.length, maxExpanded);

/** As {@link runLengthDecode}, for a part of an array. */
export function expand(
  bytes: Uint8Array,
  start: number,
  end: number,
  maxExpanded: number,
): Result<Uint8Array, Violation> {
  const size = expandedSize(bytes, start, end, maxExpanded);
  if (typeof size !== 'number') return refuse(size);
  const out = allocate(size);
  let to = 0;
  for (let from = start; from < end;) {
    const escape = findEscape(bytes, from, end);
    to = copy(bytes, from, escape, out, to);
    from = escape;
    while (from < end && bytes[from] === RLE_ESCAPE) {
      const byte = bytes[from + 1] ?? 0;
      let length = 0;
      for (; from < end && bytes[from] === RLE_ESCAPE && bytes[from + 1] === byte; from += 3)
        length += bytes[from + 2] ?? 0;
      fill(out, byte, to, to + length);
      to += length;
    }
  }
  return ok(out);
}

function fill(out: Uint8Array, byte: number, from: number, end: number): void {
  if (end - from > maxLoop) out.fill(byte, from, end);
  else for (let i = from; i < end; i++) out[i] = byte;
}

/** The expanded size of a part, or the reason to refuse it. */
function expandedSize(bytes: Uint8Array, start: number, end: number, max: number): number | Violation {
  let size = 0;
  for (let from = start; from < end;) {
    const escape = findEscape(bytes, from, end);
    size += escape - from;
    from = escape;
    for (; from < end && bytes[from] === RLE_ESCAPE; from += 3) {
      if (from + 2 >= end)
        return violationAt('bad-rle', from, `three bytes from 0xFF on; came ${end - from}`);
      const count = bytes[from + 2] ?? 0;
      if (count === 0) return violationAt('bad-rle', from + 2, 'a count from 1 to 255; came 0');
      size += count;
    }
    if (size > max)
      return violationAt(
        'too-large',
        escape,
        `a payload that expands to ${max} bytes at most; this one becomes larger`,
      );
  }
  return size;
}
