/** The forms of errors in both APIs of OpenAI, and in servers that are compatible with them. */
import { shown, textOf } from '../words.ts';
import { at, isPresent } from './reader.ts';
import type { ErrorForm } from './reader.ts';

/** `{"error":{"message":…}}`. Azure and OpenRouter send no `type`, or null. */
export const openaiError: ErrorForm = (data) =>
  typeof at(data, 'error', 'message') === 'string'
    ? undefined
    : `expected an error as {"error": {"message", …}}; came ${shown(data)}`;

/**
 * An error instead of an answer. SDKs go by the status. Mistral's is `{"detail": …}` or `{"message": "…"}`, xAI's
 * `{"code", "error": "…"}`.
 */
export const openaiRefusal: ErrorForm = (data) => {
  const told =
    isPresent(at(data, 'detail')) || ['message', 'error'].some((name) => textOf(at(data, name)) !== '');
  return told ? undefined : openaiError(data);
};
