/** What the readers of all dialects share: members of unknown JSON, and texts of errors. */
import { exactText, isObject } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Usage } from '../../../kit/base/index.ts';
import type { AnswerPiece } from './piece.ts';

/** A member that is an object; `{}` for anything else. */
export const objectIn = (value: Json | undefined, key: string): JsonObject => {
  const member = isObject(value) ? value[key] : undefined;
  return isObject(member) ? member : {};
};

/** A member that is a text; undefined for anything else. */
export const textIn = (value: Json | undefined, key: string): string | undefined => {
  const member = isObject(value) ? value[key] : undefined;
  return typeof member === 'string' ? member : undefined;
};

/** A member that is a text with characters. */
export const wordIn = (value: Json | undefined, key: string): string | undefined =>
  textIn(value, key) || undefined;

/** A text as a piece; no piece for an empty text. */
export const textPiece = (
  kind: 'text' | 'refusal' | 'thought',
  text: Json | undefined,
): readonly AnswerPiece[] => (typeof text === 'string' && text !== '' ? [{ do: kind, text }] : []);

/** Counts that are integers from 0 on; no piece where there is none. */
export function usagePiece(counts: {
  readonly [K in keyof Usage]?: Json | undefined;
}): readonly AnswerPiece[] {
  const known = Object.entries(counts).filter(
    ([, count]) => typeof count === 'number' && Number.isSafeInteger(count) && count >= 0,
  );
  return known.length === 0 ? [] : [{ do: 'usage', usage: Object.fromEntries(known) }];
}

/** The start of an answer, with what it says of itself. */
export function startPiece(id: string | undefined, model: string | undefined): AnswerPiece {
  return { do: 'start', ...(id === undefined ? {} : { id }), ...(model === undefined ? {} : { model }) };
}

/** Arguments that came as a value, as JSON text with all digits. */
export const argumentsText = (value: Json | undefined): string => exactText(value ?? {});
