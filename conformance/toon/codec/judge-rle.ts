/**
 * Reads what an encoder wrote as RLE, and tells where it is not written as TOON has it. An independent reader, small
 * enough to be held against the source line by line: the codec of src/toon is not used, for this is the check on it.
 */

/** "Encoded as `0xFF <byte> <count>`" (TOON Protocol Specification, "RLE Encoding"). */
const escape = 0xff;

/** The largest count that a byte holds: runs are split there (TOON-20). */
const longest = 255;

/** "Runs of 4+ bytes" are worth a triple (TOON Protocol Specification, "RLE Encoding"). */
const worthATriple = 4;

/** Beyond this nothing is expanded (bytes): the default limit of TOON. */
const largest = 16 << 20;

/** What may be peculiar about how RLE was written. */
export type RlePeculiarity = 'run-literal' | 'run-split' | 'count-zero';

/** An RLE text, read. */
export interface Rle {
  /** The bytes it stands for. */
  readonly expanded: Uint8Array;
  /**
   * What is not written as it should be, the first of each kind, in words: 255 at a time, then the rest as a triple,
   * or as it is when under 4 (0xFF never as it is). `run-literal` (TOON-19): four or more like bytes stand as they are.
   * `run-split` (TOON-20): the run is cut in another way than it should be. `count-zero` (TOON-22).
   */
  readonly peculiar: { readonly [P in RlePeculiarity]?: string };
}

/** One triple, or one byte that stands as it is. */
interface Token {
  readonly byte: number;
  readonly count: number;
  readonly literal: boolean;
}

/** Like bytes, as long as they go on, and how they were written. */
interface Run {
  readonly byte: number;
  length: number;
  literals: number;
  /** Counts of its triples, without those of 0. */
  readonly triples: number[];
}

/** Reads RLE without its magic byte; or says why it cannot be read. */
export function readRle(bytes: Uint8Array): Rle | string {
  const peculiar: { [P in RlePeculiarity]?: string } = {};
  let run: Run | undefined;
  let size = 0;
  for (let at = 0; at < bytes.length;) {
    const token = tokenAt(bytes, at);
    if (token === undefined) return `a triple is cut off at byte ${at} of the RLE text`;
    const { byte, count, literal } = token;
    size += count;
    if (size > largest) return `the RLE text expands to more than ${largest} bytes`;
    if (count === 0)
      peculiar['count-zero'] ??= `expected no count of 0; came one at byte ${at} of the RLE text`;
    else {
      if (run?.byte !== byte) {
        note(peculiar, run);
        run = { byte, length: 0, literals: 0, triples: [] };
      }
      run.length += count;
      if (literal) run.literals++;
      else run.triples.push(count);
    }
    at += literal ? 1 : 3;
  }
  note(peculiar, run);
  return { expanded: expand(bytes, size), peculiar };
}

function tokenAt(bytes: Uint8Array, at: number): Token | undefined {
  const [first = 0, byte, count] = [bytes[at], bytes[at + 1], bytes[at + 2]];
  if (first !== escape) return { byte: first, count: 1, literal: true };
  return byte === undefined || count === undefined ? undefined : { byte, count, literal: false };
}

function expand(bytes: Uint8Array, size: number): Uint8Array {
  const expanded = new Uint8Array(size);
  let to = 0;
  for (let at = 0; at < bytes.length;) {
    const { byte = 0, count = 0, literal = true } = tokenAt(bytes, at) ?? {};
    expanded.fill(byte, to, to + count);
    to += count;
    at += literal ? 1 : 3;
  }
  return expanded;
}

/** Keeps what is wrong with how a run was written, unless the like was kept already. */
function note(peculiar: { [P in RlePeculiarity]?: string }, run: Run | undefined): void {
  if (run === undefined) return;
  const { length, literals, triples } = run;
  if (length < worthATriple && literals === length) return;
  const right = written(run);
  if (literals === right.literals && triples.join() === right.triples.join()) return;
  const came = inWords(triples, literals);
  peculiar[literals >= worthATriple ? 'run-literal' : 'run-split'] ??=
    `expected ${length} × 0x${hex(run.byte)} as ${inWords(right.triples, right.literals)}; came ${came}`;
}

/** How a run should be written. */
function written({ byte, length }: Run): { readonly triples: readonly number[]; readonly literals: number } {
  const full = Array.from({ length: Math.floor(length / longest) }, () => longest);
  const rest = length % longest;
  if (rest === 0) return { triples: full, literals: 0 };
  return rest >= worthATriple || byte === escape
    ? { triples: [...full, rest], literals: 0 }
    : { triples: full, literals: rest };
}

const hex = (byte: number): string => byte.toString(16).padStart(2, '0');

function inWords(triples: readonly number[], literals: number): string {
  const counts =
    triples.length > 4 ? `${triples.length} triples` : triples.map((n) => `a triple of ${n}`).join(', ');
  const asTheyAre = literals === 0 ? '' : `${literals} as they are`;
  return [counts, asTheyAre].filter((words) => words !== '').join(' and ');
}
