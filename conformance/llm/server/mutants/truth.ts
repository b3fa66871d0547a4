/** Servers that do not say truly how an answer ended, what they counted, or what a call's arguments are: LLM-S10 to LLM-S13. */
import type { Json, JsonObject } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { DialectName, Unit } from '../../../../src/llm/index.ts';
import { smallLimit } from '../prompts.ts';
import { changed, mutant, valueOf, withAt } from './mutant.ts';
import type { ServerFault, FaultContext } from './mutant.ts';

/** Where a dialect's answers say why they end, and what they count: in its stream, and in a whole body. */
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

/** Changes what stands at some places of any answer of a dialect, where something stands there. */
const replaced =
  (
    dialect: DialectName,
    paths: readonly (readonly (string | number)[])[],
    edit: (before: Json, context: FaultContext) => Json | undefined,
  ): NonNullable<ServerFault['unit']> =>
  (unit, context) => {
    if (context.dialect !== dialect || context.what !== 'answer' || unit.comment === true) return [unit];
    return [
      paths.reduce((now, path) => {
        const before = valueOf(now, ...path);
        return before === undefined || before === null ? now : changed(now, path, edit(before, context));
      }, unit),
    ];
  };

const each = (make: (dialect: DialectName) => Mutant): readonly Mutant[] =>
  (['anthropic', 'openai-chat', 'openai-responses', 'ollama', 'lmstudio'] as const).map(make);

/** Says one word of the dialect for another. */
const lies = (dialect: DialectName, from: 'limit' | 'end', to: 'tool' | 'end'): ServerFault => {
  const { stop, words } = places[dialect];
  const lie = replaced(dialect, stop, (word) => (word === words[from] ? words[to] : word));
  return { unit: (unit, context) => lie(unit, context).map((told) => renamed(told, unit)) };
};

/** The terminal event of OpenAI Responses is called what the status is. */
function renamed(told: Unit, { event }: Unit): Unit {
  if (event !== 'response.incomplete' || valueOf(told, 'response', 'status') !== 'completed') return told;
  return { ...changed(told, ['type'], 'response.completed'), event: 'response.completed' };
}

const stops: readonly Mutant[] = [
  ...each((dialect) =>
    mutant(
      'LLM-S10',
      `${dialect}-limit-as-end`,
      `In ${dialect} it says that the model had no more to say, where the limit was reached.`,
      lies(dialect, 'limit', 'end'),
    ),
  ),
  ...(['anthropic', 'openai-chat', 'lmstudio'] as const).map((dialect) =>
    mutant(
      'LLM-S10',
      `${dialect}-limit-as-tool`,
      `In ${dialect} it says that tools are called, where the limit was reached.`,
      lies(dialect, 'limit', 'tool'),
    ),
  ),
  ...(['anthropic', 'openai-chat', 'lmstudio'] as const).map((dialect) =>
    mutant(
      'LLM-S10',
      `${dialect}-tool-without-call`,
      `In ${dialect} it says that tools are called, where none is.`,
      lies(dialect, 'end', 'tool'),
    ),
  ),
];

/** Where arguments stand as JSON text, in any unit or body. */
const argumentPlaces: { readonly [D in DialectName]?: readonly (readonly (string | number)[])[] } = {
  anthropic: [['delta', 'partial_json']],
  'openai-chat': [['choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments']],
  'openai-responses': [['item', 'arguments'], ['arguments']],
};

/** Arguments without their last brace: whoever makes them forgets it. */
const unclosed = (text: Json): Json => (typeof text === 'string' ? text.replaceAll('}', '') : text);

const argumentMutants: readonly Mutant[] = [
  ...(['anthropic', 'openai-chat', 'openai-responses'] as const).map((dialect) =>
    mutant('LLM-S11', `${dialect}-unclosed`, `In ${dialect} the arguments of calls lack their last brace.`, {
      unit: (unit, context) => {
        const deltas = valueOf(unit, 'type') === 'response.function_call_arguments.delta' ? [['delta']] : [];
        return replaced(dialect, [...(argumentPlaces[dialect] ?? []), ...deltas], unclosed)(unit, context);
      },
    }),
  ),
  mutant('LLM-S11', 'openai-chat-body-unclosed', 'Arguments of calls in bodies lack their last brace.', {
    unit: replaced(
      'openai-chat',
      [['choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments']],
      unclosed,
    ),
  }),
  mutant(
    'LLM-S11',
    'lmstudio-arguments-as-text',
    'The arguments of a call are text without its last brace.',
    {
      unit: replaced('lmstudio', [['message', 'toolCallRequest', 'arguments']], (given) =>
        unclosed(JSON.stringify(given)),
      ),
    },
  ),
];

/** Where a request says its limit. */
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

/** Hears of a limit far above the one that was asked for. */
const unlimited = (dialect: DialectName): NonNullable<ServerFault['asked']> => {
  const path = limitPlaces[dialect];
  return (body, context) => {
    const limit = context.dialect === dialect ? valueOf({ data: body }, ...path) : undefined;
    return limit === smallLimit ? [withAt(body, path, smallLimit * 100) as JsonObject] : [body];
  };
};

/** What the limit is, of an answer to a small one. */
const claimed =
  (most: number): ((count: Json) => Json) =>
  (count) =>
    Math.min(Number(count), most);

const limits: readonly Mutant[] = [
  ...each((dialect) =>
    mutant('LLM-S12', `${dialect}-no-limit`, `In ${dialect} it has no limit, and says so in its usage.`, {
      asked: unlimited(dialect),
    }),
  ),
  ...each((dialect) =>
    mutant('LLM-S12', `${dialect}-limit-claimed`, `In ${dialect} it has no limit, and counts as if it had.`, {
      asked: unlimited(dialect),
      unit: replaced(dialect, places[dialect].output, claimed(smallLimit - 1)),
    }),
  ),
];

const usages: readonly Mutant[] = [
  ...each((dialect) =>
    mutant(
      'LLM-S13',
      `${dialect}-above-limit`,
      `In ${dialect} it counts one token more than the limit has.`,
      {
        unit: replaced(dialect, places[dialect].output, (count) =>
          count === smallLimit ? smallLimit + 1 : count,
        ),
      },
    ),
  ),
  ...each((dialect) =>
    mutant('LLM-S13', `${dialect}-negative`, `In ${dialect} it counts less than nothing of the prompt.`, {
      unit: replaced(dialect, places[dialect].input, () => -1),
    }),
  ),
  ...(['openai-responses', 'ollama', 'lmstudio'] as const).map((dialect) =>
    mutant('LLM-S13', `${dialect}-no-output`, `In ${dialect} it does not count its output.`, {
      unit: replaced(dialect, places[dialect].output, () => undefined),
    }),
  ),
  mutant('LLM-S13', 'anthropic-no-input', 'It does not count the prompt.', {
    unit: replaced('anthropic', places.anthropic.input, () => undefined),
  }),
  mutant('LLM-S13', 'openai-chat-usage-empty', 'Its usage has no counts.', {
    unit: replaced('openai-chat', [['usage']], () => ({})),
  }),
  mutant('LLM-S13', 'openai-responses-no-usage', 'Its responses end without usage.', {
    unit: replaced('openai-responses', [['response', 'usage'], ['usage']], () => null),
  }),
];

/** Every mutant of this theme. */
export const truthMutants: readonly Mutant[] = [...stops, ...argumentMutants, ...limits, ...usages];
