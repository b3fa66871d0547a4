/** The errors of Chat Completions after the stream began, and in whole answers: OpenAI's, OpenRouter's, Mistral's. */
import type { JsonObject } from '../../../kit/base/index.ts';
import type { ChatError, ChatProvider, ProviderError, Unit, Variants } from '../../messages.ts';
import { errorObject, statusOf } from '../openai/errors.ts';

const formOf: { readonly [P in ChatProvider]: ChatError } = {
  openai: 'object',
  azure: 'object',
  'azure-async': 'object',
  openrouter: 'choice',
  mistral: 'word',
};

/** The form of an error that a turn sends. */
export const errorForm = ({ chat = 'openai', chatError = formOf[chat] }: Variants): ChatError => chatError;

/** OpenRouter's error: its code is the status that it would have had before the stream. */
export const routedError = (error: ProviderError): JsonObject => ({
  code: statusOf(error),
  message: error.message,
});

/** The units of an error. @param head - the common part of all chunks */
export function errorUnits(error: ProviderError, form: ChatError, head: JsonObject): readonly Unit[] {
  const choices = [{ index: 0, delta: { content: '' }, logprobs: null, finish_reason: 'error' }];
  switch (form) {
    case 'object':
      return [{ data: { error: errorObject(error) } }];
    case 'choice':
      return [{ data: { ...head, error: routedError(error), choices } }];
    case 'empty':
      return [{ data: { ...head, error: routedError(error), choices: [] } }];
    case 'word':
      return [{ data: { ...head, choices } }, { data: '[DONE]' }];
  }
}
