/** Servers with faults in Anthropic's blocks and messages: LLM-S04 and LLM-S05. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import { withUnitValue, mutant, countUp, unitFault, combineFaults, valueOf } from './mutant.ts';
import type { ServerFault, FaultContext } from './mutant.ts';

type UnitEdit = (unit: Unit, context: FaultContext) => readonly Unit[] | undefined;

const on = (kinds: string | RegExp, edit: UnitEdit): NonNullable<ServerFault['unit']> =>
  unitFault('anthropic', kinds, edit);

const unitMutant = (
  breaks: string,
  id: string,
  title: string,
  kinds: string | RegExp,
  edit: UnitEdit,
): Mutant => mutant(breaks, `anthropic-${id}`, title, { unit: on(kinds, edit) });

const event = (type: string, fields: { readonly [name: string]: unknown }): Unit => ({
  event: type,
  data: JSON.parse(JSON.stringify({ type, ...fields })) as Unit['data'],
});

const blocks: readonly Mutant[] = [
  unitMutant('LLM-S04', 'index-from-1', 'Its blocks are counted from 1.', /^content_block_/, (unit) => [
    withUnitValue(unit, ['index'], Number(valueOf(unit, 'index')) + 1),
  ]),
  unitMutant('LLM-S04', 'index-0-always', 'Every block has index 0.', /^content_block_/, (unit) => [
    withUnitValue(unit, ['index'], 0),
  ]),
  mutant('LLM-S04', 'anthropic-block-left-open', 'Blocks of thoughts and text are never closed.', {
    unit: combineFaults(
      on('content_block_start', (unit, context) => {
        const tool = valueOf(unit, 'content_block', 'type') === 'tool_use';
        if (tool) context.memory.set('tool', Number(valueOf(unit, 'index')));
        return undefined;
      }),
      on('content_block_stop', (unit, { memory }) =>
        memory.get('tool') === valueOf(unit, 'index') ? undefined : [],
      ),
    ),
  }),
  unitMutant('LLM-S04', 'closed-twice', 'Every block is closed twice.', 'content_block_stop', (unit) => [
    unit,
    unit,
  ]),
  unitMutant(
    'LLM-S04',
    'delta-after-stop',
    'A delta comes after the end of its block.',
    'content_block_stop',
    (unit) => [
      unit,
      event('content_block_delta', {
        index: valueOf(unit, 'index'),
        delta: { type: 'text_delta', text: '' },
      }),
    ],
  ),
  unitMutant('LLM-S04', 'block-unopened', 'The first block is not opened.', 'content_block_start', (unit) =>
    valueOf(unit, 'index') === 0 ? [] : undefined,
  ),
  unitMutant(
    'LLM-S04',
    'delta-of-other-kind',
    'A call begins with a text delta.',
    'content_block_start',
    (unit) =>
      valueOf(unit, 'content_block', 'type') === 'tool_use'
        ? [
            unit,
            event('content_block_delta', {
              index: valueOf(unit, 'index'),
              delta: { type: 'text_delta', text: '' },
            }),
          ]
        : undefined,
  ),
];

const messages: readonly Mutant[] = [
  unitMutant(
    'LLM-S05',
    'no-message-start',
    'It begins with a block instead of message_start.',
    'message_start',
    () => [],
  ),
  unitMutant('LLM-S05', 'two-message-starts', 'It sends message_start twice.', 'message_start', (unit) => [
    unit,
    unit,
  ]),
  unitMutant('LLM-S05', 'no-message-delta', 'It stops without a message_delta.', 'message_delta', () => []),
  unitMutant(
    'LLM-S05',
    'no-stop-reason',
    'Its message_delta has no stop reason.',
    'message_delta',
    (unit) => [withUnitValue(unit, ['delta', 'stop_reason'], null)],
  ),
  unitMutant('LLM-S05', 'no-usage-in-delta', 'Its message_delta has no usage.', 'message_delta', (unit) => [
    withUnitValue(unit, ['usage'], undefined),
  ]),
  unitMutant(
    'LLM-S23',
    'empty-stop-at-start',
    'Its message_start has an empty stop reason.',
    'message_start',
    (unit) => [withUnitValue(unit, ['message', 'stop_reason'], '')],
  ),
  unitMutant(
    'LLM-S23',
    'empty-stop-before',
    'A message_delta with an empty stop reason comes before the true one.',
    'message_delta',
    (unit) => [withUnitValue(unit, ['delta', 'stop_reason'], ''), unit],
  ),
  mutant('LLM-S05', 'anthropic-usage-falls', 'Its usage counts only the tokens since the last usage.', {
    unit: combineFaults(
      on('message_start', (unit) => [withUnitValue(unit, ['message', 'usage', 'output_tokens'], 7)]),
      on('message_delta', (unit, context) =>
        countUp(context, 'deltas') === 1 ? [withUnitValue(unit, ['usage', 'output_tokens'], 6)] : undefined,
      ),
    ),
  }),
];

/** The mutants of this theme. */
export const anthropicMutants: readonly Mutant[] = [...blocks, ...messages];
