/** What the streamer answers where nothing is generated: models, versions, and paths that are not there. */
import type { JsonObject } from '../../kit/base/index.ts';
import { knownPaths } from './routes.ts';
import type { Route } from './routes.ts';

/** A whole answer. */
export interface FixedAnswer {
  readonly status: number;
  readonly headers: { readonly [name: string]: string };
  readonly body: JsonObject | string;
}

/** Routes on which nothing is generated or counted. */
export type FixedRoute = Exclude<Route, { kind: 'generate' | 'count' }>;

/** Unix seconds and the RFC 3339 time at which the simulated models were made: the same in every run. */
const made = { unix: 1_767_225_600, text: '2026-01-01T00:00:00Z' } as const;

/** What the model can hold, as LM Studio and Ollama tell it (tokens). */
const contextLength = 131_072;

const json = (body: JsonObject, status = 200): FixedAnswer => ({ status, headers: {}, body });

/** The answer on a fixed route; `anthropic`: in Anthropic's form of a list. */
export function fixedAnswer(route: FixedRoute, model: string, anthropic: boolean): FixedAnswer {
  switch (route.kind) {
    case 'models':
      return json(anthropic ? anthropicModels(model) : { object: 'list', data: [openaiModel(model)] });
    case 'model':
      return json(anthropic ? anthropicModel(model) : openaiModel(model));
    case 'tags':
      return json({ models: [ollamaModel(model)] });
    case 'show':
      return json(ollamaShow(model));
    case 'version':
      return json({ version: '0.0.0-wireproof' });
    case 'greeting':
      return json({ lmstudio: true });
    case 'alive':
      return { status: 200, headers: {}, body: 'Ollama is running' };
    case 'wrong-method':
      return { ...missing(405, `${route.path} takes ${route.allow}`), headers: { allow: route.allow } };
    case 'nowhere':
      return missing(404, `nothing is at ${route.path}; there are ${knownPaths.join(', ')}`);
    default:
      return route satisfies never;
  }
}

/** Any client's library shows `error.message`. */
const missing = (status: number, message: string): FixedAnswer =>
  json({ type: 'error', error: { type: 'not_found_error', message, code: null, param: null } }, status);

const openaiModel = (id: string): JsonObject => ({
  id,
  object: 'model',
  created: made.unix,
  owned_by: 'wireproof',
});

const anthropicModel = (id: string): JsonObject => ({
  type: 'model',
  id,
  display_name: id,
  created_at: made.text,
});

const anthropicModels = (id: string): JsonObject => ({
  data: [anthropicModel(id)],
  has_more: false,
  first_id: id,
  last_id: id,
});

const details: JsonObject = {
  parent_model: '',
  format: 'gguf',
  family: 'wireproof',
  families: ['wireproof'],
  parameter_size: '0B',
  quantization_level: 'none',
};

const ollamaModel = (name: string): JsonObject => ({
  name,
  model: name,
  modified_at: made.text,
  size: 0,
  digest: '0'.repeat(64),
  details,
});

const ollamaShow = (model: string): JsonObject => ({
  modelfile: '',
  parameters: '',
  template: '',
  details,
  model_info: {
    'general.architecture': 'wireproof',
    'general.basename': model,
    'wireproof.context_length': contextLength,
  },
  capabilities: ['completion', 'tools', 'thinking'],
  modified_at: made.text,
});
