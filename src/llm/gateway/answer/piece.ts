/**
 * What an answer says, piece by piece and in no dialect's words. A gateway reads an answer as pieces below, and writes
 * the same pieces above. Nothing is judged, repaired or dropped here: a call's arguments are the text that came.
 */
import type { Json, StopReason, Usage } from '../../../kit/base/index.ts';
import type { Citation, ProviderError } from '../../messages.ts';

/** One piece of an answer. A call is named by its position among the calls of its answer, from 0. */
export type AnswerPiece =
  | { readonly do: 'start'; readonly id?: string; readonly model?: string }
  | { readonly do: 'text' | 'refusal'; readonly text: string }
  | { readonly do: 'thought'; readonly text: string }
  /** A part of the answer is over: a text or thought that follows is another part. */
  | { readonly do: 'border' }
  /** The signature of the thought before it. */
  | { readonly do: 'signature'; readonly signature: string }
  /** A thought that is not shown. */
  | { readonly do: 'redacted'; readonly data: string }
  | { readonly do: 'call'; readonly call: number; readonly id?: string; readonly name: string }
  | { readonly do: 'arguments'; readonly call: number; readonly text: string }
  /** The dialect says that the call is over. It may still have been cut. */
  | { readonly do: 'call_end'; readonly call: number }
  | { readonly do: 'cite'; readonly citation: Citation }
  /** Counts so far: each replaces the earlier one. */
  | { readonly do: 'usage'; readonly usage: Partial<Usage> }
  /** `word`: the reason as it came. */
  | { readonly do: 'stop'; readonly reason: StopReason; readonly word: string; readonly sequence?: string }
  | { readonly do: 'terminal' }
  /** `unit`: the unit that says so, where it may pass as it came. */
  | { readonly do: 'error'; readonly error: ProviderError; readonly unit?: AnswerUnit }
  | RawPiece;

/** A unit, or a body, that may pass as it came, with its own pieces. */
export interface RawPiece {
  readonly do: 'raw';
  readonly unit: AnswerUnit;
  readonly pieces: readonly AnswerPiece[];
}

/** The pieces before which an answer has not begun: they are known before any content is. */
const preliminary: ReadonlySet<AnswerPiece['do']> = new Set(['start', 'usage', 'border']);

/** Whether an answer has not begun with this piece. */
export const isPreliminary = (piece: AnswerPiece): boolean =>
  piece.do === 'raw' ? piece.pieces.every(isPreliminary) : preliminary.has(piece.do);

/** Whether a piece says why the answer ends. */
export const isStop = (piece: AnswerPiece): boolean =>
  piece.do === 'raw' ? piece.pieces.some(isStop) : piece.do === 'stop';

/** One unit of a response, with its data as JSON or as the text that is no JSON. */
export interface AnswerUnit {
  /** SSE's event name. */
  readonly event?: string;
  readonly data: Json;
}

/** Reads one answer of a dialect. Unknown units and members are passed over. Never throws. */
export interface AnswerReader {
  /** The pieces of the next unit of a stream. */
  unit(unit: AnswerUnit): readonly AnswerPiece[];
  /** The pieces of an answer that is not streamed. */
  whole(body: Json): readonly AnswerPiece[];
}
