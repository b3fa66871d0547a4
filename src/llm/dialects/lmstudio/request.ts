/**
 * Requests of LM Studio: the creation parameter of a `predict` channel, and of `completeRawText`, whose prompt counts
 * as a message of the user.
 */
import { inWords } from '../../../kit/base/index.ts';
import type { Json, Result } from '../../../kit/base/index.ts';
import type { LlmRequest, Refused } from '../../messages.ts';
import { BodyReader } from '../shared/body-reader.ts';
import type { WireRequest } from '../shared/dialect.ts';
import { readConfig, writeConfig } from './config.ts';
import { readHistory, writeHistory } from './history.ts';
import { specifiedModel } from './words.ts';

/** The parameters of a prediction. They are not noted as unknown, even where they have no effect here. */
const known: ReadonlySet<string> = new Set([
  'modelSpecifier',
  'history',
  'rawPrompt',
  'predictionConfigStack',
  'fuzzyPresetIdentifier',
  'ignoreServerSessionConfig',
]);

export const parameterReader = (): BodyReader =>
  new BodyReader({
    kinds: {
      string: 'a string',
      object: 'an object',
      array: 'an array',
      integer: 'an integer',
      boolean: 'true or false',
    },
    problem: (expected, value) => `expected ${expected}; came ${inWords(value)}`,
    message: (path, problem) => `${path}: ${problem}`,
  });

/** Reads a creation parameter. Always streamed, and always with usage: the protocol has no other way. */
export function readRequest(parameter: Json): Result<LlmRequest, Refused> {
  const reader = parameterReader();
  const body = reader.body(parameter, 'creationParameter');
  reader.ignoreOthers(body, known);
  const { modelSpecifier, rawPrompt, history, predictionConfigStack } = body;
  const model = specifiedModel(modelSpecifier);
  if (model === undefined) reader.expect('modelSpecifier', 'a query or an instanceReference', modelSpecifier);
  return reader.request({
    dialect: 'lmstudio',
    model: model ?? '',
    ...(rawPrompt === undefined
      ? readHistory(reader, history, 'history')
      : { messages: [{ role: 'user', content: reader.string(rawPrompt, 'rawPrompt') }] }),
    ...readConfig(reader, predictionConfigStack, 'predictionConfigStack'),
    stream: true,
    includeUsage: true,
  });
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
