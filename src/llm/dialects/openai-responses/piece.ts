/**
 * The events of an item's pieces. Their JSON is written by hand around the text: JSON.stringify of the whole event takes
 * three times as long ("LLM streamer, events" of `npm run bench`).
 */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { Unit } from '../../messages.ts';
import type { Padding } from '../openai/padding.ts';
import type { PieceEvent } from './output.ts';

/** Writes the event of a piece with this `sequence_number`. */
export type PieceWriter = (sequence: number, delta: string) => Unit;

/** The writer of one item's pieces. */
export function pieceWriter({ type, before, behind }: PieceEvent, padding: Padding | undefined): PieceWriter {
  const start = `{"type":"${type}","sequence_number":`;
  const middle = `${inner(before)},"delta":`;
  const end = inner(behind);
  return (sequence, delta) => {
    const obfuscation = padding?.(delta);
    const pad = obfuscation === undefined ? {} : { obfuscation };
    const last = obfuscation === undefined ? '}' : `,"obfuscation":"${obfuscation}"}`;
    return {
      event: type,
      data: { type, sequence_number: sequence, ...before, delta, ...behind, ...pad },
      json: start + String(sequence) + middle + JSON.stringify(delta) + end + last,
    };
  };
}

/** The members of an object as JSON, each behind a comma. */
const inner = (object: JsonObject): string => {
  const members = JSON.stringify(object).slice(1, -1);
  return members === '' ? '' : `,${members}`;
};
