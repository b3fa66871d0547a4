/**
 * The run-length code of compressed payloads: `0xFF byte count` for a run, any other byte for itself. Encoding is
 * canonical and linear; decoding counts what a text would expand to before it takes any memory.
 */
import { ok, refuse } from '../../kit/base/index.ts';
import type { Result, Violation } from '../../kit/base/index.ts';
import { allocate } from './bytes.ts';

/** The first byte of a compressed payload; no JSON begins with it. Source: TOON Protocol Specification, "RLE Encoding". */
export const COMPRESSION_MAGIC = 0x5a;

/** Opens a triple. Source: TOON Protocol Specification, "RLE Encoding". */
export const RLE_ESCAPE = 0xff;

/** Payloads of so many bytes or fewer are never compressed. Source: TOON Protocol Specification, "Compression". */
export const COMPRESSION_THRESHOLD = 1024;

/** "Runs of 4+ bytes": the shortest that becomes a triple. */
const SHORTEST_RUN = 4;
/** What a count byte can say. */
const LONGEST_RUN = 255;
/** Below so many bytes a loop beats a call that copies. */
const SHORT_COPY = 32;

/**
 * Whether a payload is compressed: whether it begins with the magic byte.
 *
 * Source: TOON Protocol Specification, "Detecting Compression".
 *
 * @example
 * isCompressed(new Uint8Array([0x5a, 0x7b, 0x7d])); // true
 */
export const isCompressed = (payload: Uint8Array): boolean => payload[0] === COMPRESSION_MAGIC;

/**
 * Bytes in the run-length code, without the magic byte. Runs of 4 to 255 become a triple; longer ones are split at
 * 255, and a remainder under 4 stays as it is; 0xFF is always escaped (TOON-19, 20, 21).
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

/** How many runs of 0xFF there are: each may take two bytes more than it had. */
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
 * Compresses a part without 0xFF, such as any UTF-8, to another place, which may lie before it in the same array: no
 * step writes more than it has read. Returns where the code ends.
 */
export function writeRuns(bytes: Uint8Array, from: number, end: number, out: Uint8Array, at: number): number {
  let literal = from;
  let to = at;
  for (;;) {
    const run = findRun(bytes, literal, end);
    to = copy(bytes, literal, run, out, to);
    if (run === end) return to;
    literal = endOfRun(bytes, run, end);
    to = writeRun(out, to, bytes[run] ?? 0, literal - run, SHORTEST_RUN);
  }
}

/** Whether a part without 0xFF gets shorter by two bytes or more: with the magic byte, by one or more (TOON-15). */
export function isWorthIt(bytes: Uint8Array, from: number, end: number): boolean {
  const first = findRun(bytes, from, end);
  if (first === end) return false;
  const rest = endOfRun(bytes, first, end);
  return rest - first > SHORTEST_RUN || findRun(bytes, rest, end) < end;
}

/**
 * Where the next run of four or more begins; `end` when there is none. Any four bytes in a row from `i` − 2, `i` − 1
 * or `i` hold both `i` and `i` + 1: where those two differ, three beginnings are out at once.
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
    while (stop < end && stop - begin < SHORTEST_RUN && bytes[stop] === byte) stop++;
    if (stop - begin >= SHORTEST_RUN) return begin;
    floor = stop;
    i = stop + 2;
  }
  return end;
}

/** Where the run that begins here ends. */
function endOfRun(bytes: Uint8Array, from: number, end: number): number {
  const byte = bytes[from];
  let i = from;
  while (i < end && bytes[i] === byte) i++;
  return i;
}

/** Writes a run as triples, and a remainder under `shortest` as it is. Returns where it ends. */
function writeRun(out: Uint8Array, at: number, byte: number, length: number, shortest: number): number {
  let to = at;
  let left = length;
  while (left >= shortest) {
    const count = left < LONGEST_RUN ? left : LONGEST_RUN;
    out[to] = RLE_ESCAPE;
    out[to + 1] = byte;
    out[to + 2] = count;
    to += 3;
    left -= count;
  }
  for (; left > 0; left--) out[to++] = byte;
  return to;
}

/** Copies a part, also to a place before it in the same array. Returns where it ends. */
function copy(bytes: Uint8Array, from: number, end: number, out: Uint8Array, at: number): number {
  if (end - from > SHORT_COPY) out.set(bytes.subarray(from, end), at);
  else for (let i = from; i < end; i++) out[at + i - from] = bytes[i] ?? 0;
  return at + end - from;
}

/** Where the next 0xFF is; `end` when there is none. */
function findEscape(bytes: Uint8Array, from: number, end: number): number {
  const near = Math.min(end, from + SHORT_COPY);
  for (let i = from; i < near; i++) if (bytes[i] === RLE_ESCAPE) return i;
  if (near === end) return end;
  const found = bytes.indexOf(RLE_ESCAPE, near);
  return found === -1 || found > end ? end : found;
}

/** The part that was written; on its own when it would hold on to twice as much. */
export const trim = (bytes: Uint8Array, length: number): Uint8Array =>
  length * 2 < bytes.length ? bytes.slice(0, length) : bytes.subarray(0, length);

/** Limits of expansion. */
export interface ExpansionLimits {
  /** How many bytes a payload may become. */
  readonly maxExpanded: number;
}

/**
 * Bytes of the run-length code, expanded. The size is counted before anything is allocated: refused with `too-large`
 * above the cap, and with `bad-rle` where a triple is cut off or its count is 0 (TOON-22, 24, 26). Counts of 1 to 3
 * and runs in several triples are fine (TOON-23).
 *
 * @example
 * const expanded = runLengthDecode(new Uint8Array([0xff, 0x41, 3, 0x42]), { maxExpanded: 100 });
 * expanded.ok && [...expanded.value]; // [0x41, 0x41, 0x41, 0x42]
 */
export const runLengthDecode = (
  bytes: Uint8Array,
  { maxExpanded }: ExpansionLimits,
): Result<Uint8Array, Violation> => expand(bytes, 0, bytes.length, maxExpanded);

/** As {@link runLengthDecode}, of a part. */
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
  if (end - from > SHORT_COPY) out.fill(byte, from, end);
  else for (let i = from; i < end; i++) out[i] = byte;
}

/** What a part would expand to, or why it may not. */
function expandedSize(bytes: Uint8Array, start: number, end: number, max: number): number | Violation {
  let size = 0;
  for (let from = start; from < end;) {
    const escape = findEscape(bytes, from, end);
    size += escape - from;
    from = escape;
    for (; from < end && bytes[from] === RLE_ESCAPE; from += 3) {
      if (from + 2 >= end) return truncatedTriple(from, end);
      const count = bytes[from + 2] ?? 0;
      if (count === 0) return zeroCount(from);
      size += count;
    }
    if (size > max) return tooLarge(max, escape);
  }
  return size;
}

const truncatedTriple = (at: number, end: number): Violation => ({
  code: 'bad-rle',
  path: `@${at}`,
  message: `expected three bytes from 0xFF on; came ${end - at}`,
});

const zeroCount = (at: number): Violation => ({
  code: 'bad-rle',
  path: `@${at + 2}`,
  message: 'expected a count from 1 to 255; came 0',
});

const tooLarge = (max: number, at: number): Violation => ({
  code: 'too-large',
  path: `@${at}`,
  message: `expected a payload that expands to ${max} bytes at most; this one becomes larger`,
});
