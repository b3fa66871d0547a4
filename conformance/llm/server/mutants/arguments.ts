/** Servers whose complete calls have arguments that are no object: LLM-S11. */
import { faultsFor } from '../../../../src/kit/suite/index.ts';
import type { Json } from '../../../../src/kit/base/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import { valueOf } from './mutant.ts';
import type { ServerFaults } from './mutant.ts';
import { replaceValues } from './values.ts';

/** The paths of arguments as JSON text, in units and bodies. */
const argumentPlaces: { readonly [D in DialectName]?: readonly (readonly (string | number)[])[] } = {
  anthropic: [['delta', 'partial_json']],
  bedrock: [['delta', 'toolUse', 'input']],
  'gemini-interactions': [['delta', 'arguments']],
  'openai-chat': [['choices', 0, 'delta', 'tool_calls', 0, 'function', 'arguments']],
  'openai-responses': [
    ['item', 'arguments'],
    ['arguments'],
    ...[0, 1, 2].map((i) => ['response', 'output', i, 'arguments']),
  ],
};

/** Removes the last brace of arguments. */
const withoutLastBrace = (text: Json): Json => (typeof text === 'string' ? text.replaceAll('}', '') : text);

const inPieces = ['anthropic', 'openai-chat', 'openai-responses', 'bedrock', 'gemini-interactions'] as const;

const unclosed: ServerFaults = {
  ...faultsFor(inPieces, (dialect) => [
    `${dialect}-unclosed`,
    {
      unit: (unit, context) => {
        const deltas = valueOf(unit, 'type') === 'response.function_call_arguments.delta' ? [['delta']] : [];
        return replaceValues(
          dialect,
          [...(argumentPlaces[dialect] ?? []), ...deltas],
          withoutLastBrace,
        )(unit, context);
      },
    },
  ]),
  'openai-chat-body-unclosed': {
    unit: replaceValues(
      'openai-chat',
      [['choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments']],
      withoutLastBrace,
    ),
  },
  'lmstudio-arguments-as-text': {
    unit: replaceValues('lmstudio', [['message', 'toolCallRequest', 'arguments']], (given) =>
      withoutLastBrace(JSON.stringify(given)),
    ),
  },
};

/** Encodes the arguments of calls once more, where they come in one piece. */
const encodedTwice: ServerFaults = {
  'openai-chat-body-encoded-twice': {
    unit: replaceValues(
      'openai-chat',
      [['choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments']],
      (given) => JSON.stringify(given),
    ),
  },
  'openai-chat-body-as-object': {
    unit: replaceValues(
      'openai-chat',
      [['choices', 0, 'message', 'tool_calls', 0, 'function', 'arguments']],
      (given): Json => (typeof given === 'string' ? (JSON.parse(given) as Json) : given),
    ),
  },
  'anthropic-body-input-as-text': {
    unit: replaceValues(
      'anthropic',
      [0, 1, 2].map((i) => ['content', i, 'input']),
      (given) => JSON.stringify(given),
    ),
  },
  'lmstudio-arguments-encoded': {
    unit: replaceValues('lmstudio', [['message', 'toolCallRequest', 'arguments']], (given) =>
      JSON.stringify(given),
    ),
  },
  ...faultsFor(['openai-chat', 'anthropic', 'openai-responses'] as const, (dialect) => [
    `${dialect}-arguments-in-list`,
    {
      unit: (unit, context) => {
        const deltas = valueOf(unit, 'type') === 'response.function_call_arguments.delta' ? [['delta']] : [];
        return replaceValues(dialect, [...(argumentPlaces[dialect] ?? []), ...deltas], inList)(unit, context);
      },
    },
  ]),
};

/** Puts braces into brackets, in whole arguments and in pieces. */
const inList = (text: Json): Json =>
  typeof text === 'string' ? text.replaceAll('{', '[{').replaceAll('}', '}]') : text;

export const argumentFaults: ServerFaults = { ...unclosed, ...encodedTwice };
