/**
 * What decoding a compressed payload hides: that it should not have been compressed, or not in this way. A peer may
 * read such bytes; a sender must not send them.
 */
import { COMPRESSION_THRESHOLD, RLE_ESCAPE } from './rle.ts';

/** Notes of a payload at `start` to `end`, magic byte first, that expanded to so many bytes of UTF-8. */
export function compressionNotes(bytes: Uint8Array, start: number, end: number, expanded: number): string[] {
  const notes: string[] = [];
  if (expanded <= COMPRESSION_THRESHOLD)
    notes.push(
      `compressed-small: ${expanded} bytes, and only more than ${COMPRESSION_THRESHOLD} may be compressed`,
    );
  if (end - start > expanded)
    notes.push(`compressed-not-shorter: ${end - start} bytes on the wire for ${expanded}`);
  return [...notes, ...runNotes(bytes, start + 1, end)];
}

/** A run as its sender cut it: a maximal stretch of one byte, in literals and triples. */
interface Run {
  byte: number;
  /** Where it begins on the wire. */
  at: number;
  size: number;
  literals: number;
  triples: number;
  /** Triples with a count of 255. */
  full: number;
}

const fresh = (byte: number, at: number): Run => ({ byte, at, size: 0, literals: 0, triples: 0, full: 0 });

/** The first of each kind. There is no 0xFF to think of: this is UTF-8. */
function runNotes(bytes: Uint8Array, start: number, end: number): string[] {
  let [literal, split, small]: (string | undefined)[] = [];
  let run = fresh(-1, start);
  const close = (): void => {
    if (run.size < 4) return;
    if (run.literals >= 4) literal ??= literalNote(run);
    else if (!isCanonical(run)) split ??= splitNote(run);
  };
  for (let i = start; i < end;) {
    const isTriple = bytes[i] === RLE_ESCAPE;
    const byte = (isTriple ? bytes[i + 1] : bytes[i]) ?? 0;
    if (byte !== run.byte) {
      close();
      run = fresh(byte, i);
    }
    const count = isTriple ? (bytes[i + 2] ?? 0) : 1;
    run.size += count;
    if (isTriple) {
      run.triples++;
      if (count === 255) run.full++;
      if (count < 4) small ??= `count-small: a triple of ${count} × ${hex(byte)} at @${i}`;
    } else run.literals++;
    i += isTriple ? 3 : 1;
  }
  close();
  return [literal, split, small].filter((note) => note !== undefined);
}

/** Triples of 255, then one of what is left, or under 4 literals (TOON-19, 20). */
function isCanonical({ size, literals, triples, full }: Run): boolean {
  const rest = size % 255;
  const whole = (size - rest) / 255;
  return (
    full === whole &&
    (rest < 4 ? literals === rest && triples === whole : triples === whole + 1 && literals === 0)
  );
}

const literalNote = ({ byte, at, size, literals }: Run): string =>
  `run-literal: ${literals} of ${size} × ${hex(byte)} at @${at} are literals`;

const splitNote = ({ byte, at, size, literals, triples }: Run): string =>
  `run-split: ${size} × ${hex(byte)} at @${at} are in ${triples} triples and ${literals} literals`;

const hex = (byte: number): string => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
