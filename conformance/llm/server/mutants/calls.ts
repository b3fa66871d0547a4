/** Servers whose calls have no identity (LLM-S20), and servers with unfit stop words (LLM-S23, LLM-S34). */
import { faultsFor } from '../../../../src/kit/suite/index.ts';
import { dialects } from '../../../../src/llm/index.ts';
import type { DialectName } from '../../../../src/llm/index.ts';
import { isStreamedAnswer, valueOf, withUnitValue } from './mutant.ts';
import type { FaultContext, ServerFault, ServerFaults } from './mutant.ts';

type Path = readonly (string | number)[];

/** The paths of ids, names and stop words in the units of a stream. */
interface CallPlaces {
  readonly id?: readonly Path[];
  readonly name: readonly Path[];
  readonly stop?: { readonly path: Path; readonly tool?: string; readonly end: string };
}

const chatCall = ['choices', 0, 'delta', 'tool_calls', 0] as const;
const whole = ['choices', 0, 'message', 'tool_calls', 0] as const;
const geminiPart = ['candidates', 0, 'content', 'parts', 0] as const;

/** The stop words of whole bodies, in the dialects whose programs need the word for calls. */
const wholeStops = {
  anthropic: { path: ['stop_reason'], tool: 'tool_use', end: 'end_turn' },
  'openai-chat': { path: ['choices', 0, 'finish_reason'], tool: 'tool_calls', end: 'stop' },
  bedrock: { path: ['stopReason'], tool: 'tool_use', end: 'end_turn' },
} as const;

/** The paths of a member of the items in the final response. */
const ofOutput = (name: string): readonly Path[] => [0, 1, 2].map((i) => ['response', 'output', i, name]);

const places: { readonly [D in DialectName]: CallPlaces } = {
  anthropic: {
    id: [['content_block', 'id']],
    name: [['content_block', 'name']],
    stop: { path: ['delta', 'stop_reason'], tool: 'tool_use', end: 'end_turn' },
  },
  'openai-chat': {
    id: [[...chatCall, 'id']],
    name: [[...chatCall, 'function', 'name']],
    stop: { path: ['choices', 0, 'finish_reason'], tool: 'tool_calls', end: 'stop' },
  },
  'openai-responses': {
    id: [['item', 'call_id'], ...ofOutput('call_id')],
    name: [['item', 'name'], ...ofOutput('name')],
  },
  ollama: {
    id: [['message', 'tool_calls', 0, 'id']],
    name: [['message', 'tool_calls', 0, 'function', 'name']],
    stop: { path: ['done_reason'], end: 'stop' },
  },
  lmstudio: {
    id: [['message', 'toolCallRequest', 'id']],
    name: [['message', 'toolCallRequest', 'name']],
    stop: { path: ['message', 'stats', 'stopReason'], tool: 'toolCalls', end: 'eosFound' },
  },
  gemini: {
    id: [[...geminiPart, 'functionCall', 'id']],
    name: [[...geminiPart, 'functionCall', 'name']],
    stop: { path: ['candidates', 0, 'finishReason'], end: 'STOP' },
  },
  bedrock: {
    id: [['start', 'toolUse', 'toolUseId']],
    name: [['start', 'toolUse', 'name']],
    stop: { path: ['stopReason'], tool: 'tool_use', end: 'end_turn' },
  },
  'gemini-interactions': {
    id: [['step', 'id']],
    name: [['step', 'name']],
    stop: { path: ['interaction', 'status'], tool: 'requires_action', end: 'completed' },
  },
};

/** Replaces texts at these paths of a dialect's streams. */
const replaceTexts = (
  dialect: DialectName,
  paths: readonly Path[],
  edit: (before: string) => string | undefined,
): ServerFault => ({
  unit: (unit, context) => {
    if (context.dialect !== dialect || !isStreamedAnswer(context) || unit.comment === true) return [unit];
    const changed = paths.reduce((now, path) => {
      const before = valueOf(now, ...path);
      return typeof before === 'string' && before !== '' ? withUnitValue(now, path, edit(before)) : now;
    }, unit);
    return [changed];
  },
});

const withToolWord = ['anthropic', 'openai-chat', 'lmstudio', 'bedrock'] as const;
const withWord = ['anthropic', 'openai-chat', 'ollama', 'gemini', 'bedrock', 'gemini-interactions'] as const;

const identities: ServerFaults = {
  ...faultsFor(['anthropic', 'openai-responses', 'bedrock', 'gemini-interactions'] as const, (dialect) => [
    `${dialect}-call-without-id`,
    replaceTexts(dialect, places[dialect].id ?? [], () => undefined),
  ]),
  'openai-chat-body-call-without-id': {
    unit: (unit, { dialect, what, streams }) =>
      dialect === 'openai-chat' && what === 'answer' && !streams
        ? [withUnitValue(unit, [...whole, 'id'], undefined)]
        : [unit],
  },
  ...faultsFor(dialects, (dialect) => [
    `${dialect}-one-id`,
    replaceTexts(dialect, places[dialect].id ?? [], () => 'call_0'),
  ]),
  ...faultsFor(
    [
      'anthropic',
      'openai-responses',
      'ollama',
      'lmstudio',
      'gemini',
      'bedrock',
      'gemini-interactions',
    ] as const,
    (dialect) => [`${dialect}-empty-name`, replaceTexts(dialect, places[dialect].name, () => '')],
  ),
};

/** Names with the tokens of a template, in every dialect. */
const templates: ServerFaults = faultsFor(dialects, (dialect) => [
  `${dialect}-template-in-name`,
  replaceTexts(dialect, places[dialect].name, (name) => `${name}<|channel|>json`),
]);

const stops: ServerFaults = {
  ...faultsFor(withToolWord, (dialect) => {
    const { stop } = places[dialect];
    const edit = (word: string): string => (word === stop?.tool ? stop.end : word);
    return [
      `${dialect}-end-beside-calls`,
      replaceTexts(dialect, stop === undefined ? [] : [stop.path], edit),
    ];
  }),
  ...faultsFor(['anthropic', 'openai-chat', 'bedrock'] as const, (dialect) => {
    const { path, tool, end } = wholeStops[dialect];
    const isOwn = (context: FaultContext): boolean =>
      context.dialect === dialect && context.what === 'answer' && !context.streams;
    return [
      `${dialect}-body-end-beside-calls`,
      {
        unit: (unit, context) =>
          isOwn(context) && valueOf(unit, ...path) === tool ? [withUnitValue(unit, path, end)] : [unit],
      },
    ];
  }),
  ...faultsFor(withWord, (dialect) => {
    const { stop } = places[dialect];
    const edit = (word: string): string => (word === stop?.end ? 'eos' : word);
    return [`${dialect}-strange-word`, replaceTexts(dialect, stop === undefined ? [] : [stop.path], edit)];
  }),
};

export const callFaults: ServerFaults = { ...identities, ...templates, ...stops };
