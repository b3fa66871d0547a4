/** The readers of answers, by dialect. */
import { isObject } from '../../../kit/base/index.ts';
import type { Json } from '../../../kit/base/index.ts';
import { errorType } from '../../dialects/ollama/words.ts';
import type { ProviderError } from '../../messages.ts';
import { anthropicAnswer, anthropicError } from './anthropic.ts';
import { ollamaAnswer, ollamaError } from './ollama.ts';
import { chatAnswer } from './openai-chat.ts';
import { responsesAnswer } from './openai-responses.ts';
import { openaiError } from './openai.ts';
import type { AnswerReader } from './piece.ts';
import type { GatewayDialect } from '../dialects.ts';

const readers: { readonly [D in GatewayDialect]: () => AnswerReader } = {
  anthropic: anthropicAnswer,
  'openai-chat': chatAnswer,
  'openai-responses': responsesAnswer,
  ollama: ollamaAnswer,
};

/** Begins to read an answer. */
export const answerReader = (dialect: GatewayDialect): AnswerReader => readers[dialect]();

/**
 * The error of an answer with a status from 400 on.
 *
 * @param body - its body as JSON, or as the text that is no JSON
 */
export function refusalOf(dialect: GatewayDialect, status: number, body: Json): ProviderError {
  if (!isObject(body)) return { type: 'server', message: typeof body === 'string' ? body : '', status };
  if (dialect === 'anthropic') return { ...anthropicError(body), status };
  if (dialect === 'ollama') return { ...ollamaError(body), type: errorType(status) ?? 'server', status };
  return { ...openaiError(body['error'] ?? body), status };
}
