/** What OpenAI's two APIs share: errors and citations. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { readError } from '../../dialects/openai/errors.ts';
import type { ProviderError } from '../../messages.ts';
import type { AnswerPiece } from './piece.ts';

/** An error object, or the bare text that some servers send. */
export function openaiError(error: Json): ProviderError {
  const { type = 'server', message } = readError(error);
  return { type, message };
}

/** A citation of a web page. */
export function urlCitation(value: Json | undefined): readonly AnswerPiece[] {
  if (!isObject(value) || typeof value['url'] !== 'string') return [];
  const { url, title } = value;
  return [{ do: 'cite', citation: { url, ...(typeof title === 'string' ? { title } : {}) } }];
}
