/** Servers with a false stop reason, false counts or false arguments: LLM-S10 to LLM-S13, S24. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { DialectName, Unit } from '../../../../src/llm/index.ts';
import { smallLimit } from '../prompts.ts';
import { withUnitValue, mutant, valueOf, withValueAt } from './mutant.ts';
import type { ServerFault } from './mutant.ts';
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
};

const each = (make: (dialect: DialectName) => Mutant): readonly Mutant[] =>
  (['anthropic', 'openai-chat', 'openai-responses', 'ollama', 'lmstudio'] as const).map(make);

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

const stops: readonly Mutant[] = [
  ...each((dialect) =>
    mutant(
      'LLM-S10',
      `${dialect}-limit-as-end`,
      `In ${dialect} it reports an ordinary end when the limit was reached.`,
      replaceStopWord(dialect, 'limit', 'end'),
    ),
  ),
  ...(['anthropic', 'openai-chat', 'lmstudio'] as const).map((dialect) =>
    mutant(
      'LLM-S10',
      `${dialect}-limit-as-tool`,
      `In ${dialect} it reports tool calls when the limit was reached.`,
      replaceStopWord(dialect, 'limit', 'tool'),
    ),
  ),
  ...(['anthropic', 'openai-chat', 'lmstudio'] as const).map((dialect) =>
    mutant(
      'LLM-S10',
      `${dialect}-tool-without-call`,
      `In ${dialect} it reports tool calls when there are none.`,
      replaceStopWord(dialect, 'end', 'tool'),
    ),
  ),
];

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

const limits: readonly Mutant[] = [
  ...each((dialect) =>
    mutant(
      'LLM-S12',
      `${dialect}-no-limit`,
      `In ${dialect} it ignores the limit and reports the true usage.`,
      {
        asked: unlimited(dialect),
      },
    ),
  ),
  ...each((dialect) =>
    mutant(
      'LLM-S12',
      `${dialect}-limit-claimed`,
      `In ${dialect} it ignores the limit and reports a usage within it.`,
      {
        asked: unlimited(dialect),
        unit: replaceValues(dialect, places[dialect].output, smallLimitOf(smallLimit - 1)),
      },
    ),
  ),
];

/** Adds one to the total of a usage. */
function plusOne(unit: Unit, usage: Path): Unit {
  const total = valueOf(unit, ...usage, 'total_tokens');
  return typeof total === 'number' ? withUnitValue(unit, [...usage, 'total_tokens'], total + 1) : unit;
}

const usages: readonly Mutant[] = [
  ...each((dialect) =>
    mutant('LLM-S13', `${dialect}-above-limit`, `In ${dialect} it reports one token more than the limit.`, {
      unit: replaceValues(dialect, places[dialect].output, (count) =>
        count === smallLimit ? smallLimit + 1 : count,
      ),
    }),
  ),
  ...each((dialect) =>
    mutant('LLM-S13', `${dialect}-negative`, `In ${dialect} it reports a negative count of the prompt.`, {
      unit: replaceValues(dialect, places[dialect].input, () => -1),
    }),
  ),
  ...(['openai-responses', 'ollama', 'lmstudio'] as const).map((dialect) =>
    mutant('LLM-S13', `${dialect}-no-output`, `In ${dialect} it reports no count of its output.`, {
      unit: replaceValues(dialect, places[dialect].output, () => undefined),
    }),
  ),
  ...each((dialect) =>
    mutant('LLM-S24', `${dialect}-zero-output`, `In ${dialect} it counts no output tokens for its content.`, {
      unit: replaceValues(
        dialect,
        [...places[dialect].output, ['message', 'usage', 'output_tokens']],
        (count, context) => (context.asked['stream'] === false ? count : 0),
      ),
    }),
  ),
  mutant('LLM-S13', 'anthropic-no-input', 'Its messages that are not streamed have no count of the prompt.', {
    unit: replaceValues('anthropic', [['usage', 'input_tokens']], () => undefined),
  }),
  ...(['openai-chat', 'openai-responses'] as const).map((dialect) =>
    mutant('LLM-S24', `${dialect}-total-differs`, `In ${dialect} the total is no sum.`, {
      unit: (unit, { dialect: own }) => [
        own === dialect ? usagesOf.reduce((now, usage) => plusOne(now, usage), unit) : unit,
      ],
    }),
  ),
  mutant('LLM-S13', 'openai-chat-usage-empty', 'Its usage has no counts.', {
    unit: replaceValues('openai-chat', [['usage']], () => ({})),
  }),
  mutant('LLM-S13', 'openai-responses-no-usage', 'Its responses end without usage.', {
    unit: replaceValues('openai-responses', [['response', 'usage'], ['usage']], () => null),
  }),
];

/** The mutants of this theme. */
export const truthMutants: readonly Mutant[] = [...stops, ...limits, ...usages];
