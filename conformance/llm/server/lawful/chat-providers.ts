/** Servers that send what Azure, OpenRouter and Mistral add to OpenAI Chat. */
import { isArray, isObject } from '../../../../src/kit/base/index.ts';
import type { JsonObject } from '../../../../src/kit/base/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import { countUp, inUnits, kindOf, valueOf, withUnitValue } from '../mutants/mutant.ts';
import type { ServerFaults } from '../mutants/mutant.ts';

const chunks = /^(chunk|finish)$/;

/** A chunk of Azure's asynchronous filter. */
const annotation: Unit = {
  data: {
    id: '',
    object: '',
    created: 0,
    model: '',
    usage: null,
    choices: [
      {
        index: 0,
        finish_reason: null,
        content_filter_results: { hate: { filtered: false, severity: 'safe' } },
        content_filter_offsets: { check_offset: 44, start_offset: 44, end_offset: 198 },
      },
    ],
  },
};

const choice = (more: JsonObject): JsonObject => ({ index: 0, delta: { content: '' }, ...more });

const textChunk = (text: string): JsonObject => ({ type: 'text', text });
const thought = { type: 'thinking', thinking: [textChunk('Hm.')] } as const;

/** Adds members beside what a unit has at a path. */
function withMore(unit: Unit, path: readonly (string | number)[], more: JsonObject): Unit {
  const value = valueOf(unit, ...path);
  return isObject(value) ? withUnitValue(unit, path, { ...value, ...more }) : unit;
}

/** The content of a delta or a message as Mistral has it in an answer with thoughts. */
const listed = (unit: Unit, path: readonly (string | number)[], first: boolean): Unit => {
  const text = valueOf(unit, ...path);
  const said = typeof text === 'string' && text !== '' ? [textChunk(text)] : [];
  return withUnitValue(unit, path, [...(first ? [thought] : []), ...said]);
};

export const chatProviderOddities: ServerFaults = {
  'chat-late-filter-results': inUnits('openai-chat', chunks, (unit) => [unit, annotation]),
  'chat-filter-results': inUnits('openai-chat', chunks, (unit) => [
    withMore(unit, ['choices', 0], { content_filter_results: {} }),
  ]),
  'chat-routed-members': inUnits('openai-chat', chunks, (unit) => {
    const details = [{ type: 'reasoning.text', text: 'Hm.', index: 0, format: null }];
    const said = withMore(unit, ['choices', 0, 'delta'], { role: 'assistant', reasoning_details: details });
    return [withMore(withMore(said, ['choices', 0], { native_finish_reason: null }), [], { provider: 'A' })];
  }),
  'chat-errors-beside-choices': {
    unit: (unit, { dialect, streams }) => [
      dialect === 'openai-chat' && streams && valueOf(unit, 'error') !== undefined
        ? withMore(unit, [], { choices: [choice({ finish_reason: 'error', native_finish_reason: 'error' })] })
        : unit,
    ],
  },
  'chat-errors-without-choices': {
    unit: (unit, { dialect, streams }) => [
      dialect === 'openai-chat' && streams && valueOf(unit, 'error') !== undefined
        ? withMore(unit, [], { id: 'gen-1', choices: [] })
        : unit,
    ],
  },
  'chat-listed-content': {
    unit: (unit, context) => {
      const { dialect, what, streams, status } = context;
      if (dialect !== 'openai-chat' || what !== 'answer' || status !== 200) return [unit];
      if (!streams) return [listed(unit, ['choices', 0, 'message', 'content'], true)];
      const isChunk = chunks.test(kindOf(unit, context)) && isArray(valueOf(unit, 'choices'));
      if (!isChunk || valueOf(unit, 'choices', 0, 'delta') === undefined) return [unit];
      return [listed(unit, ['choices', 0, 'delta', 'content'], countUp(context, 'chunks') === 1)];
    },
  },
};
