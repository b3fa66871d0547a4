/** Servers with faults in Anthropic's blocks and messages: LLM-S04 and LLM-S05. */
import type { Unit } from '../../../../src/llm/index.ts';
import { withUnitValue, countUp, unitFault, combineFaults, valueOf, inUnits } from './mutant.ts';
import type { ServerFault, FaultContext, ServerFaults } from './mutant.ts';

type UnitEdit = (unit: Unit, context: FaultContext) => readonly Unit[] | undefined;

const on = (kinds: string | RegExp, edit: UnitEdit): NonNullable<ServerFault['unit']> =>
  unitFault('anthropic', kinds, edit);

const event = (type: string, fields: { readonly [name: string]: unknown }): Unit => ({
  event: type,
  data: JSON.parse(JSON.stringify({ type, ...fields })) as Unit['data'],
});

const blocks: ServerFaults = {
  'anthropic-index-from-1': inUnits('anthropic', /^content_block_/, (unit) => [
    withUnitValue(unit, ['index'], Number(valueOf(unit, 'index')) + 1),
  ]),
  'anthropic-index-0-always': inUnits('anthropic', /^content_block_/, (unit) => [
    withUnitValue(unit, ['index'], 0),
  ]),
  'anthropic-block-left-open': {
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
  },
  'anthropic-closed-twice': inUnits('anthropic', 'content_block_stop', (unit) => [unit, unit]),
  'anthropic-delta-after-stop': inUnits('anthropic', 'content_block_stop', (unit) => [
    unit,
    event('content_block_delta', {
      index: valueOf(unit, 'index'),
      delta: { type: 'text_delta', text: '' },
    }),
  ]),
  'anthropic-block-unopened': inUnits('anthropic', 'content_block_start', (unit) =>
    valueOf(unit, 'index') === 0 ? [] : undefined,
  ),
  'anthropic-text-in-fallback': inUnits('anthropic', 'content_block_start', (unit) =>
    valueOf(unit, 'content_block', 'type') === 'text'
      ? [
          withUnitValue(unit, ['content_block'], {
            type: 'fallback',
            from: { model: 'a' },
            to: { model: 'b' },
          }),
        ]
      : undefined,
  ),
  'anthropic-delta-of-other-kind': inUnits('anthropic', 'content_block_start', (unit) =>
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
};

const messages: ServerFaults = {
  'anthropic-no-message-start': inUnits('anthropic', 'message_start', () => []),
  'anthropic-two-message-starts': inUnits('anthropic', 'message_start', (unit) => [unit, unit]),
  'anthropic-no-message-delta': inUnits('anthropic', 'message_delta', () => []),
  'anthropic-no-stop-reason': inUnits('anthropic', 'message_delta', (unit) => [
    withUnitValue(unit, ['delta', 'stop_reason'], null),
  ]),
  'anthropic-no-usage-in-delta': inUnits('anthropic', 'message_delta', (unit) => [
    withUnitValue(unit, ['usage'], undefined),
  ]),
  'anthropic-empty-stop-at-start': inUnits('anthropic', 'message_start', (unit) => [
    withUnitValue(unit, ['message', 'stop_reason'], ''),
  ]),
  'anthropic-empty-stop-before': inUnits('anthropic', 'message_delta', (unit) => [
    withUnitValue(unit, ['delta', 'stop_reason'], ''),
    unit,
  ]),
  'anthropic-usage-falls': {
    unit: combineFaults(
      on('message_start', (unit) => [withUnitValue(unit, ['message', 'usage', 'output_tokens'], 7)]),
      on('message_delta', (unit, context) =>
        countUp(context, 'deltas') === 1 ? [withUnitValue(unit, ['usage', 'output_tokens'], 6)] : undefined,
      ),
    ),
  },
};

export const anthropicFaults: ServerFaults = { ...blocks, ...messages };
