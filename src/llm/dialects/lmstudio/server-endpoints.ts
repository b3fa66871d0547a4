/**
 * The calls that an LM Studio server answers by itself, by namespace: a client's questions about models before and
 * besides its predictions. The streamer answers counts, since it has the tokenizer.
 */
import { isObject, ok, refuse } from '../../../kit/base/index.ts';
import type { Json, JsonObject, Result } from '../../../kit/base/index.ts';
import type { ProviderError } from '../../messages.ts';
import { readHistory } from './history.ts';
import type { History } from './history.ts';
import { parameterReader } from './request.ts';
import { CONTEXT_LENGTH, instanceInfo, modelInfo, specifiedModel } from './words.ts';

/** The answer to a call: its result, possibly undefined, or an error. */
export type EndpointAnswer = Result<Json | undefined, ProviderError>;

/** The data for answers. */
export interface Models {
  /** The models that count as loaded; any other is loaded on request. */
  readonly names: readonly string[];
}

type Endpoint = (parameter: JsonObject, models: Models) => EndpointAnswer;

/** The endpoints of all kinds of models. */
const common: { readonly [endpoint: string]: Endpoint } = {
  unloadModel: () => ok(undefined),
  getLoadConfig: () => ok({ fields: [{ key: 'llm.load.contextLength', value: CONTEXT_LENGTH }] }),
  getBasePredictionConfig: () => ok({ fields: [] }),
  getInstanceProcessingState: () => ok({ status: 'idle', queued: 0 }),
};

const llm: { readonly [endpoint: string]: Endpoint } = {
  ...common,
  listLoaded: (_, { names }) => ok(names.map(instanceInfo)),
  getModelInfo: ({ specifier }, { names }) => {
    const model = specifiedModel(specifier);
    if (model === undefined) return refuse(noModel('a specifier of a model'));
    const name = model === '' ? names[0] : model;
    return name === undefined ? refuse(noModel('a loaded model')) : ok(instanceInfo(name));
  },
  applyPromptTemplate: ({ history }) => {
    const reader = parameterReader();
    const read = reader.result(readHistory(reader, history, 'history'));
    return read.ok ? ok({ formatted: formatted(read.value) }) : refuse(read.error.error);
  },
  preloadDraftModel: () => ok(undefined),
};

const embedding: { readonly [endpoint: string]: Endpoint } = {
  ...common,
  listLoaded: () => ok([]),
  getModelInfo: ({ throwIfNotFound }) =>
    throwIfNotFound === true ? refuse(noModel('an embedding model')) : ok(undefined),
};

const system: { readonly [endpoint: string]: Endpoint } = {
  listDownloadedModels: (_, { names }) => ok(names.map(modelInfo)),
  listDownloadedModelVariants: () => ok([]),
  notify: () => ok(undefined),
  version: () => ok({ version: '0.4.0', build: 1 }),
  info: () => ok({ pid: 1, isDaemon: true, version: '0.4.0' }),
  getExperimentFlags: () => ok([]),
  setExperimentFlag: () => ok(undefined),
};

const namespaces: ReadonlyMap<string, { readonly [endpoint: string]: Endpoint }> = new Map([
  ['llm', llm],
  ['embedding', embedding],
  ['system', system],
]);

/** The answer to a call. An unknown endpoint is refused by name, so that no client waits forever. */
export function answerCall(
  namespace: string,
  endpoint: string,
  parameter: Json,
  models: Models,
): EndpointAnswer {
  const endpoints = namespaces.get(namespace) ?? {};
  const found = Object.hasOwn(endpoints, endpoint) ? endpoints[endpoint] : undefined;
  return found === undefined
    ? refuse(unknownEndpoint(namespace, endpoint))
    : found(isObject(parameter) ? parameter : {}, models);
}

/** The error for an endpoint that is not simulated. */
export const unknownEndpoint = (namespace: string, endpoint: string): ProviderError => ({
  type: 'not_found',
  message: `no endpoint ${endpoint} in the namespace ${namespace} of this simulated LM Studio`,
});

const noModel = (expected: string): ProviderError => ({
  type: 'not_found',
  message: `expected ${expected}; there is none`,
});

/**
 * A history as a model's prompt. Every model has its own template; this one names each role, and ends where the
 * assistant's turn begins.
 */
function formatted({ system, messages }: History): string {
  const turns = messages.map(({ role, content, toolCalls = [], toolResults = [] }) => {
    const calls = toolCalls.map(({ name, input }) => JSON.stringify({ name, arguments: input }));
    const results = toolResults.map((result) => turn('tool', result.content));
    const own = content === '' && results.length > 0 ? '' : turn(role, content + calls.join('\n'));
    return results.join('') + own;
  });
  return `${system === undefined ? '' : turn('system', system)}${turns.join('')}<|assistant|>\n`;
}

const turn = (role: string, text: string): string => `<|${role}|>\n${text}\n`;
