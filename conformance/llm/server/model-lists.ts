/** The lists of models of servers, by dialect, and the dialects whose requests name the model in their path. */
import type { DialectName } from '../../../src/llm/index.ts';
import { at, items } from './dialects/reader.ts';

/** The page with the list of models, by dialect. */
export const modelPages: { readonly [D in Exclude<DialectName, 'lmstudio'>]: string } = {
  anthropic: '/v1/models',
  'openai-chat': '/v1/models',
  'openai-responses': '/v1/models',
  ollama: '/api/tags',
  gemini: '/v1beta/models',
  bedrock: '/foundation-models',
  'gemini-interactions': '/v1beta/models',
};

/** The dialects whose path names the model. */
export const withModelPath: ReadonlySet<DialectName> = new Set(['gemini', 'bedrock']);

/** The name of the first model of a list, if it has one. */
export function firstModel(data: unknown): string | undefined {
  const [model] = items(
    at(data, 'data') ?? at(data, 'models') ?? at(data, 'modelSummaries') ?? at(data, 'result'),
  );
  const name = ['id', 'modelId', 'identifier', 'model', 'name']
    .map((member) => at(model, member))
    .find((value) => typeof value === 'string');
  // Gemini's list has names such as models/gemini-3-pro.
  return typeof name === 'string' ? name.replace(/^models\//, '') : undefined;
}
