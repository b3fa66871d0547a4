/** Servers with faults in the items and numbers of OpenAI Responses: LLM-S07, S21, S22 and S33. */
import { faultsFor } from '../../../../src/kit/suite/index.ts';
import { textOf } from '../words.ts';
import { withUnitValue, countUp, valueOf, inUnits } from './mutant.ts';
import type { UnitEdit, ServerFaults } from './mutant.ts';

const added = 'response.output_item.added';
const itemDone = 'response.output_item.done';
const textDone = 'response.output_text.done';

/** Repeats an event and renumbers all later events, so that only this event is wrong. */
const repeatEvent =
  (type: string): UnitEdit =>
  (unit, context) => {
    const shift = context.memory.get('shift') ?? 0;
    const number = Number(valueOf(unit, 'sequence_number')) + shift;
    const moved = withUnitValue(unit, ['sequence_number'], number);
    if (valueOf(unit, 'type') !== type) return [moved];
    context.memory.set('shift', shift + 1);
    return [moved, withUnitValue(unit, ['sequence_number'], number + 1)];
  };

/** Removes an event and renumbers all later events. */
const removeEvent =
  (type: string): UnitEdit =>
  (unit, { memory }) => {
    const shift = memory.get('shift') ?? 0;
    if (valueOf(unit, 'type') !== type)
      return [withUnitValue(unit, ['sequence_number'], Number(valueOf(unit, 'sequence_number')) - shift)];
    memory.set('shift', shift + 1);
    return [];
  };

export const openaiResponsesFaults: ServerFaults = {
  'openai-responses-numbers-end': inUnits('openai-responses', /./, (unit, context) =>
    countUp(context, 'events') > 3 ? [withUnitValue(unit, ['sequence_number'], undefined)] : undefined,
  ),
  'openai-responses-number-skipped': inUnits('openai-responses', /./, (unit, context) => {
    const skipped = countUp(context, 'events') > 3 ? 1 : 0;
    return [withUnitValue(unit, ['sequence_number'], Number(valueOf(unit, 'sequence_number')) + skipped)];
  }),
  'openai-responses-number-repeated': inUnits('openai-responses', /./, (unit) => [
    withUnitValue(unit, ['sequence_number'], 0),
  ]),
  'openai-responses-item-not-done': inUnits('openai-responses', /./, (unit, context) =>
    valueOf(unit, 'item', 'type') === 'message' || context.memory.has('shift')
      ? removeEvent(itemDone)(unit, context)
      : undefined,
  ),
  'openai-responses-item-twice': inUnits('openai-responses', /./, repeatEvent(added)),
  'openai-responses-item-not-added': inUnits('openai-responses', /./, removeEvent(added)),
  'openai-responses-part-not-done': inUnits(
    'openai-responses',
    /./,
    removeEvent('response.content_part.done'),
  ),
  'openai-responses-part-twice': inUnits('openai-responses', /./, repeatEvent('response.content_part.added')),
  'openai-responses-part-not-added': inUnits(
    'openai-responses',
    /./,
    removeEvent('response.content_part.added'),
  ),
  'openai-responses-done-differs': inUnits('openai-responses', textDone, (unit) => [
    withUnitValue(unit, ['text'], `${textOf(valueOf(unit, 'text'))} `),
  ]),
  'openai-responses-delta-lost': inUnits('openai-responses', 'response.output_text.delta', (unit, context) =>
    countUp(context, 'deltas') === 2 ? [withUnitValue(unit, ['delta'], '')] : undefined,
  ),
  'openai-responses-arguments-differ': inUnits(
    'openai-responses',
    'response.function_call_arguments.done',
    (unit) => [withUnitValue(unit, ['arguments'], `${textOf(valueOf(unit, 'arguments'))} `)],
  ),
  'openai-responses-no-created': inUnits('openai-responses', /./, removeEvent('response.created')),
  'openai-responses-empty-output': inUnits('openai-responses', 'response.completed', (unit) => [
    withUnitValue(unit, ['response', 'output'], []),
  ]),
  'openai-responses-still-in-progress': inUnits('openai-responses', 'response.completed', (unit) => [
    withUnitValue(unit, ['response', 'status'], 'in_progress'),
  ]),
  'openai-responses-other-item-id': inUnits('openai-responses', /\.delta$/, (unit) => [
    withUnitValue(unit, ['item_id'], 'other'),
  ]),
  ...faultsFor(['output_index', 'content_index'] as const, (name) => [
    `openai-responses-${name.replace('_', '-')}-from-1`,
    inUnits('openai-responses', /./, (unit) => {
      const index = valueOf(unit, name);
      return typeof index === 'number' ? [withUnitValue(unit, [name], index + 1)] : undefined;
    }),
  ]),
  'openai-responses-other-output': inUnits('openai-responses', 'response.completed', (unit) => [
    [0, 1].reduce(
      (now, i) => withUnitValue(now, ['response', 'output', i, 'content', 0, 'text'], 'Hello'),
      unit,
    ),
  ]),
  'openai-responses-done': inUnits('openai-responses', /^response\.(completed|incomplete)$/, (unit) => [
    unit,
    { data: '[DONE]' },
  ]),
};
