/** Servers whose complete calls have arguments that are no object: LLM-S11. */
import type { Json } from '../../../../src/kit/base/index.ts';
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import { mutant, valueOf } from './mutant.ts';
import { replaceValues } from './values.ts';

/** The paths of arguments as JSON text, in units and bodies. */
const argumentPlaces: { readonly [D in DialectName]?: readonly (readonly (string | number)[])[] } = {
  anthropic: [['delta', 'partial_json']],
  'openai-chat': [['choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments']],
  'openai-responses': [
    ['item', 'arguments'],
    ['arguments'],
    ...[0, 1, 2].map((i) => ['response', 'output', i, 'arguments']),
  ],
};

/** Removes the last brace of arguments. */
const withoutLastBrace = (text: Json): Json => (typeof text === 'string' ? text.replaceAll('}', '') : text);

const unclosed: readonly Mutant[] = [
  ...(['anthropic', 'openai-chat', 'openai-responses'] as const).map((dialect) =>
    mutant('LLM-S11', `${dialect}-unclosed`, `In ${dialect} the arguments of calls lack their last brace.`, {
      unit: (unit, context) => {
        const deltas = valueOf(unit, 'type') === 'response.function_call_arguments.delta' ? [['delta']] : [];
        return replaceValues(
          dialect,
          [...(argumentPlaces[dialect] ?? []), ...deltas],
          withoutLastBrace,
        )(unit, context);
      },
    }),
  ),
  mutant('LLM-S11', 'openai-chat-body-unclosed', 'The arguments of calls in bodies lack their last brace.', {
    unit: replaceValues(
      'openai-chat',
      [['choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments']],
      withoutLastBrace,
    ),
  }),
  mutant(
    'LLM-S11',
    'lmstudio-arguments-as-text',
    'The arguments of a call are a text without the last brace.',
    {
      unit: replaceValues('lmstudio', [['message', 'toolCallRequest', 'arguments']], (given) =>
        withoutLastBrace(JSON.stringify(given)),
      ),
    },
  ),
];

/** Encodes the arguments of calls once more, where they come in one piece. */
const encodedTwice: readonly Mutant[] = [
  mutant('LLM-S11', 'openai-chat-body-encoded-twice', 'The arguments of calls in bodies are encoded twice.', {
    unit: replaceValues(
      'openai-chat',
      [['choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments']],
      (given) => JSON.stringify(given),
    ),
  }),
  mutant('LLM-S11', 'openai-chat-body-as-object', 'The arguments of calls in bodies are an object.', {
    unit: replaceValues(
      'openai-chat',
      [['choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments']],
      (given): Json => (typeof given === 'string' ? (JSON.parse(given) as Json) : given),
    ),
  }),
  mutant('LLM-S11', 'anthropic-body-input-as-text', 'The input of calls in bodies is JSON text.', {
    unit: replaceValues(
      'anthropic',
      [0, 1, 2].map((i) => ['content', i, 'input']),
      (given) => JSON.stringify(given),
    ),
  }),
  mutant('LLM-S11', 'lmstudio-arguments-encoded', 'The arguments of a call are JSON text.', {
    unit: replaceValues('lmstudio', [['message', 'toolCallRequest', 'arguments']], (given) =>
      JSON.stringify(given),
    ),
  }),
  ...(['openai-chat', 'anthropic', 'openai-responses'] as const).map((dialect) =>
    mutant('LLM-S11', `${dialect}-arguments-in-list`, `In ${dialect} the arguments of calls are in a list.`, {
      unit: (unit, context) => {
        const deltas = valueOf(unit, 'type') === 'response.function_call_arguments.delta' ? [['delta']] : [];
        return replaceValues(dialect, [...(argumentPlaces[dialect] ?? []), ...deltas], inList)(unit, context);
      },
    }),
  ),
];

/** Puts braces into brackets, in whole arguments and in pieces. */
const inList = (text: Json): Json =>
  typeof text === 'string' ? text.replaceAll('{', '[{').replaceAll('}', '}]') : text;

/** The mutants of arguments. */
export const argumentMutants: readonly Mutant[] = [...unclosed, ...encodedTwice];
