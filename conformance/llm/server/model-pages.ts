/** Where model servers list their models. */
import type { DialectName } from '../../../src/llm/index.ts';

/** The page with the list of models, by dialect. */
export const modelPages: { readonly [D in Exclude<DialectName, 'lmstudio'>]: string } = {
  anthropic: '/v1/models',
  'openai-chat': '/v1/models',
  'openai-responses': '/v1/models',
  ollama: '/api/tags',
  gemini: '/v1beta/models',
};
