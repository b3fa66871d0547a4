/** Servers with a false stop reason, false counts or false arguments: LLM-S10 to LLM-S13, S24. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import { faultsFor } from '../../../../src/kit/suite/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName, Unit } from '../../../../src/llm/index.ts';
import { smallLimit } from '../prompts.ts';
import { withUnitValue, valueOf, withValueAt } from './mutant.ts';
import type { ServerFault, ServerFaults } from './mutant.ts';
import { replaceValues, usagesOf } from './values.ts';
import type { Path } from './values.ts';

/** The paths of the stop reason and the counts in a dialect's answers: in a stream, and in a whole body. */
interface Places {
  readonly stop: readonly (readonly (string | number)[])[];
  readonly words: { readonly limit: string; readonly tool: string; readonly end: string };
  readonly input: readonly (readonly (string | number)[])[];
  readonly output: readonly (readonly (string | number)[])[];
}

const places: { readonly [D in DialectName]: Places } = {
  anthropic: {
    stop: [['delta', 'stop_reason'], ['stop_reason']],
    words: { limit: 'max_tokens', tool: 'tool_use', end: 'end_turn' },
    input: [
      ['usage', 'input_tokens'],
      ['message', 'usage', 'input_tokens'],
    ],
    output: [['usage', 'output_tokens']],
  },
  'openai-chat': {
    stop: [['choices', 0, 'finish_reason']],
    words: { limit: 'length', tool: 'tool_calls', end: 'stop' },
    input: [['usage', 'prompt_tokens']],
    output: [['usage', 'completion_tokens']],
  },
  'openai-responses': {
    stop: [['response', 'status'], ['status']],
    words: { limit: 'incomplete', tool: 'completed', end: 'completed' },
    input: [
      ['response', 'usage', 'input_tokens'],
      ['usage', 'input_tokens'],
    ],
    output: [
      ['response', 'usage', 'output_tokens'],
      ['usage', 'output_tokens'],
    ],
  },
  ollama: {
    stop: [['done_reason']],
    words: { limit: 'length', tool: 'stop', end: 'stop' },
    input: [['prompt_eval_count']],
    output: [['eval_count']],
  },
  lmstudio: {
    stop: [['message', 'stats', 'stopReason']],
    words: { limit: 'maxPredictedTokensReached', tool: 'toolCalls', end: 'eosFound' },
    input: [['message', 'stats', 'promptTokensCount']],
    output: [['message', 'stats', 'predictedTokensCount']],
  },
  gemini: {
    stop: [['candidates', 0, 'finishReason']],
    words: { limit: 'MAX_TOKENS', tool: 'STOP', end: 'STOP' },
    input: [['usageMetadata', 'promptTokenCount']],
    output: [['usageMetadata', 'candidatesTokenCount']],
  },
  bedrock: {
    stop: [['stopReason']],
    words: { limit: 'max_tokens', tool: 'tool_use', end: 'end_turn' },
    input: [['usage', 'inputTokens']],
    output: [['usage', 'outputTokens']],
  },
  'gemini-interactions': {
    stop: [['interaction', 'status'], ['status']],
    words: { limit: 'incomplete', tool: 'requires_action', end: 'completed' },
    input: [
      ['interaction', 'usage', 'total_input_tokens'],
      ['usage', 'total_input_tokens'],
    ],
    output: [
      ['interaction', 'usage', 'total_output_tokens'],
      ['usage', 'total_output_tokens'],
    ],
  },
};

/** Replaces a stop word by another word of the dialect. */
const replaceStopWord = (dialect: DialectName, from: 'limit' | 'end', to: 'tool' | 'end'): ServerFault => {
  const { stop, words } = places[dialect];
  const lie = replaceValues(dialect, stop, (word) => (word === words[from] ? words[to] : word));
  return { unit: (unit, context) => lie(unit, context).map((told) => renamed(told, unit)) };
};

/** The name of the terminal event in OpenAI Responses contains the status. */
function renamed(told: Unit, { event }: Unit): Unit {
  if (event !== 'response.incomplete' || valueOf(told, 'response', 'status') !== 'completed') return told;
  return { ...withUnitValue(told, ['type'], 'response.completed'), event: 'response.completed' };
}

const withToolWord = ['anthropic', 'openai-chat', 'lmstudio', 'bedrock', 'gemini-interactions'] as const;

const stops: ServerFaults = {
  ...faultsFor(dialects, (dialect) => [`${dialect}-limit-as-end`, replaceStopWord(dialect, 'limit', 'end')]),
  ...faultsFor(withToolWord, (dialect) => [
    `${dialect}-limit-as-tool`,
    replaceStopWord(dialect, 'limit', 'tool'),
  ]),
  ...faultsFor(withToolWord, (dialect) => [
    `${dialect}-tool-without-call`,
    replaceStopWord(dialect, 'end', 'tool'),
  ]),
};

/** The path of the limit in a request. */
const limitPlaces: { readonly [D in DialectName]: readonly (string | number)[] } = {
  anthropic: ['max_tokens'],
  'openai-chat': ['max_completion_tokens'],
  'openai-responses': ['max_output_tokens'],
  ollama: ['options', 'num_predict'],
  lmstudio: [
    'creationParameter',
    'predictionConfigStack',
    'layers',
    0,
    'config',
    'fields',
    0,
    'value',
    'value',
  ],
  gemini: ['generationConfig', 'maxOutputTokens'],
  bedrock: ['inferenceConfig', 'maxTokens'],
  'gemini-interactions': ['generation_config', 'max_output_tokens'],
};

/** Reads a limit far above the requested one. */
const unlimited = (dialect: DialectName): NonNullable<ServerFault['asked']> => {
  const path = limitPlaces[dialect];
  return (body, context) => {
    const limit = context.dialect === dialect ? valueOf({ data: body }, ...path) : undefined;
    return limit === smallLimit ? [withValueAt(body, path, smallLimit * 100) as JsonObject] : [body];
  };
};

/** The limit in a request with a small limit. */
const smallLimitOf =
  (most: number): ((count: Json) => Json) =>
  (count) =>
    Math.min(Number(count), most);

const limits: ServerFaults = {
  ...faultsFor(dialects, (dialect) => [
    `${dialect}-no-limit`,
    {
      asked: unlimited(dialect),
    },
  ]),
  ...faultsFor(dialects, (dialect) => [
    `${dialect}-limit-claimed`,
    {
      asked: unlimited(dialect),
      unit: replaceValues(dialect, places[dialect].output, smallLimitOf(smallLimit - 1)),
    },
  ]),
};

/** Adds one to the total of a usage. */
function plusOne(unit: Unit, usage: Path): Unit {
  const total = valueOf(unit, ...usage, 'total_tokens');
  return typeof total === 'number' ? withUnitValue(unit, [...usage, 'total_tokens'], total + 1) : unit;
}

const countingAtEnd = [
  'openai-responses',
  'ollama',
  'lmstudio',
  'gemini',
  'bedrock',
  'gemini-interactions',
] as const;

const usages: ServerFaults = {
  ...faultsFor(dialects, (dialect) => [
    `${dialect}-above-limit`,
    {
      unit: replaceValues(dialect, places[dialect].output, (count) =>
        count === smallLimit ? smallLimit + 1 : count,
      ),
    },
  ]),
  ...faultsFor(dialects, (dialect) => [
    `${dialect}-negative`,
    {
      unit: replaceValues(dialect, places[dialect].input, () => -1),
    },
  ]),
  ...faultsFor(countingAtEnd, (dialect) => [
    `${dialect}-no-output`,
    {
      unit: replaceValues(dialect, places[dialect].output, () => undefined),
    },
  ]),
  ...faultsFor(dialects, (dialect) => [
    `${dialect}-zero-output`,
    {
      unit: replaceValues(
        dialect,
        [...places[dialect].output, ['message', 'usage', 'output_tokens']],
        (count, context) => (context.asked['stream'] === false ? count : 0),
      ),
    },
  ]),
  'anthropic-no-input': { unit: replaceValues('anthropic', [['usage', 'input_tokens']], () => undefined) },
  ...faultsFor(['openai-chat', 'openai-responses'] as const, (dialect) => [
    `${dialect}-total-differs`,
    {
      unit: (unit, { dialect: own }) => [
        own === dialect ? usagesOf.reduce((now, usage) => plusOne(now, usage), unit) : unit,
      ],
    },
  ]),
  'openai-chat-usage-empty': { unit: replaceValues('openai-chat', [['usage']], () => ({})) },
  'openai-responses-no-usage': {
    unit: replaceValues('openai-responses', [['response', 'usage'], ['usage']], () => null),
  },
};

export const truthFaults: ServerFaults = { ...stops, ...limits, ...usages };
