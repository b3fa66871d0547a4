/**
 * Requests of LM Studio: the creation parameter of a `predict` channel, and of `completeRawText`, whose prompt counts
 * as what a user said.
 */
import { isObject, ok, refuse } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { LlmRequest, Refused } from '../../messages.ts';
import type { WireRequest } from '../shared/dialect.ts';
import { readConfig, writeConfig } from './config.ts';
import { readHistory, writeHistory } from './history.ts';
import type { History } from './history.ts';
import { refused } from './refused.ts';
import { specifiedModel } from './words.ts';

/** Parameters of a prediction that are understood, or known to change nothing here. */
const known: ReadonlySet<string> = new Set([
  'modelSpecifier',
  'history',
  'rawPrompt',
  'predictionConfigStack',
  'fuzzyPresetIdentifier',
  'ignoreServerSessionConfig',
]);

/** Reads a creation parameter. Always streamed, and always with usage: the protocol has no other way. */
export function readRequest(body: Json): Result<LlmRequest, Refused> {
  if (!isObject(body)) return refuse(refused('creationParameter', 'an object', body));
  const model = specifiedModel(body['modelSpecifier']);
  if (model === undefined)
    return refuse(refused('modelSpecifier', 'a query or an instanceReference', body['modelSpecifier']));
  const history = readPrompt(body);
  if (!history.ok) return history;
  const config = readConfig(body['predictionConfigStack'], 'predictionConfigStack');
  if (!config.ok) return config;
  const strange = Object.keys(body).filter((key) => !known.has(key));
  const unknown = [...strange, ...(history.value.unknown ?? []), ...(config.value.unknown ?? [])];
  return ok({
    dialect: 'lmstudio',
    model,
    ...history.value,
    ...config.value,
    stream: true,
    includeUsage: true,
    ...(unknown.length === 0 ? {} : { unknown }),
  });
}

function readPrompt(parameter: JsonObject): Result<History, Refused> {
  const { rawPrompt, history } = parameter;
  if (rawPrompt === undefined) return readHistory(history, 'history');
  if (typeof rawPrompt !== 'string') return refuse(refused('rawPrompt', 'a string', rawPrompt));
  return ok({ messages: [{ role: 'user', content: rawPrompt }] });
}

/** Writes the creation parameter of a `predict` channel; the path is that of the WebSocket. */
export function writeRequest(request: LlmRequest): WireRequest {
  return {
    path: '/llm',
    headers: {},
    body: {
      modelSpecifier: { type: 'query', query: { identifier: request.model } },
      history: writeHistory(request),
      predictionConfigStack: { layers: [{ layerName: 'apiOverride', config: writeConfig(request) }] },
    },
  };
}
