/**
 * Notes on a compressed payload: it should not have been compressed, or not in this form. A receiver may accept such
 * bytes; a sender must not send them. The decoded payload does not show these faults.
 */
import { COMPRESSION_THRESHOLD, RLE_ESCAPE } from './rle.ts';

/** The notes on a payload from `start` (the magic byte) to `end`, which has `expanded` bytes of UTF-8 when expanded. */
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

/** A run of one byte, as the sender wrote it: in literals and triples. */
interface Run {
  byte: number;
  /** The offset of its first byte on the wire. */
  at: number;
  size: number;
  literals: number;
  triples: number;
  /** Triples with a count of 255. */
  full: number;
}

const startRun = (byte: number, at: number): Run => ({ byte, at, size: 0, literals: 0, triples: 0, full: 0 });

/** The first note of each kind. UTF-8 has no 0xFF, so that every 0xFF starts a triple. */
function runNotes(bytes: Uint8Array, start: number, end: number): string[] {
  let [literal, split, small, short]: (string | undefined)[] = [];
  let run = startRun(-1, start);
  const close = (): void => {
    if (run.size < 4) {
      if (run.triples > 0 && run.byte !== RLE_ESCAPE) short ??= shortNote(run);
      return;
    }
    if (run.literals >= 4) literal ??= literalNote(run);
    else if (!isCanonical(run)) split ??= splitNote(run);
  };
  for (let i = start; i < end;) {
    const isTriple = bytes[i] === RLE_ESCAPE;
    const byte = (isTriple ? bytes[i + 1] : bytes[i]) ?? 0;
    if (byte !== run.byte) {
      close();
      run = startRun(byte, i);
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
  return [literal, split, small, short].filter((note) => note !== undefined);
}

/** Canonical: triples of 255, then one triple of the rest, or less than 4 literals (TOON-19, 20). */
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

const shortNote = ({ byte, at, size }: Run): string =>
  `run-short: ${size} × ${hex(byte)} at @${at} are in a triple`;

const splitNote = ({ byte, at, size, literals, triples }: Run): string =>
  `run-split: ${size} × ${hex(byte)} at @${at} are in ${triples} triples and ${literals} literals`;

const hex = (byte: number): string => `0x${byte.toString(16).toUpperCase().padStart(2, '0')}`;
