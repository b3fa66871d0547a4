/**
 * Reads the RLE of an encoder, and finds the differences from TOON's way of writing it. It does not use the codec of
 * src/toon, because it checks that codec. It is small, so that a reader can compare it with the source document.
 */
import { isArray } from '../../../../src/kit/base/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';

/** "Encoded as `0xFF <byte> <count>`" (TOON Protocol Specification, "RLE Encoding"). */
const escape = 0xff;

/** The largest count of a triple. Longer runs are split (TOON-20). */
const longest = 255;

/** "Runs of 4+ bytes" are worth a triple (TOON Protocol Specification, "RLE Encoding"). */
const worthATriple = 4;

/** The largest expanded size (bytes): the default limit of TOON. */
const largest = 16 << 20;

/** The peculiarities of RLE. */
export type RlePeculiarity = 'run-literal' | 'run-split' | 'count-zero';

/** The facts of an RLE text. */
export interface Rle {
  /** The expanded bytes. */
  readonly expanded: Uint8Array;
  /**
   * The first wrong run of each kind, in words. The right way: parts of 255, then the rest as a triple, or as literal bytes
   * if it is under 4 (0xFF is never literal). `run-literal` (TOON-19): four or more equal bytes are literal. `run-split`
   * (TOON-20): the run is split in another way. `count-zero` (TOON-22): a count is 0.
   */
  readonly peculiar: { readonly [P in RlePeculiarity]?: string };
}

/** A triple, or one literal byte. */
interface Token {
  readonly byte: number;
  readonly count: number;
  readonly literal: boolean;
}

/** A run of equal bytes, and its encoding. */
interface Run {
  readonly byte: number;
  length: number;
  literals: number;
  /** The counts of its triples, except counts of 0. */
  readonly triples: number[];
}

/** The text of the first peculiarity that a test forbids; undefined when there is none. `words`: the forbidden names. */
export function forbiddenIn(
  peculiar: { readonly [name: string]: string | undefined },
  words: Json | undefined,
): string | undefined {
  const names = isArray(words) ? words.filter((word) => typeof word === 'string') : [];
  return names.map((name) => peculiar[name]).find((text) => text !== undefined);
}

/** Reads RLE without its magic byte; a text: the reason why it cannot be read. */
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
      peculiar['count-zero'] ??= `expected no count of 0; a count of 0 came at byte ${at} of the RLE text`;
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

/** Notes a wrong run, unless a run with the same peculiarity was noted before. */
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

/** The right encoding of a run. */
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
  const bytes = literals === 0 ? '' : `${literals} literal`;
  return [counts, bytes].filter((words) => words !== '').join(' and ');
}
