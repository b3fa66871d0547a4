/** Servers with faults in the items and numbers of OpenAI Responses: LLM-S07, S21, S22 and S33. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import { textOf } from '../words.ts';
import { withUnitValue, mutant, countUp, unitFault, valueOf } from './mutant.ts';
import type { UnitEdit } from './mutant.ts';

const responses = (id: string, title: string, kinds: string | RegExp, edit: UnitEdit): Mutant =>
  mutant('LLM-S07', `openai-responses-${id}`, title, { unit: unitFault('openai-responses', kinds, edit) });

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

/** The mutants of items and numbers. */
export const openaiResponsesMutants: readonly Mutant[] = [
  responses('numbers-end', 'Only its first events have sequence numbers.', /./, (unit, context) =>
    countUp(context, 'events') > 3 ? [withUnitValue(unit, ['sequence_number'], undefined)] : undefined,
  ),
  responses('number-skipped', 'It leaves out a number.', /./, (unit, context) => {
    const skipped = countUp(context, 'events') > 3 ? 1 : 0;
    return [withUnitValue(unit, ['sequence_number'], Number(valueOf(unit, 'sequence_number')) + skipped)];
  }),
  responses('number-repeated', 'All events have number 0.', /./, (unit) => [
    withUnitValue(unit, ['sequence_number'], 0),
  ]),
  responses('item-not-done', 'Its messages have no output_item.done.', /./, (unit, context) =>
    valueOf(unit, 'item', 'type') === 'message' || context.memory.has('shift')
      ? removeEvent(itemDone)(unit, context)
      : undefined,
  ),
  responses('item-twice', 'It adds every item twice.', /./, repeatEvent(added)),
  responses('item-not-added', 'It adds parts to items that it never added.', /./, removeEvent(added)),
  responses('part-not-done', 'Its parts have no done event.', /./, removeEvent('response.content_part.done')),
  responses('part-twice', 'It adds every part twice.', /./, repeatEvent('response.content_part.added')),
  responses(
    'part-not-added',
    'It sends texts of parts that it never added.',
    /./,
    removeEvent('response.content_part.added'),
  ),
  responses(
    'done-differs',
    'The done value of a text has one more space than its deltas.',
    textDone,
    (unit) => [withUnitValue(unit, ['text'], `${textOf(valueOf(unit, 'text'))} `)],
  ),
  responses(
    'delta-lost',
    'One delta of each text is empty.',
    'response.output_text.delta',
    (unit, context) => (countUp(context, 'deltas') === 2 ? [withUnitValue(unit, ['delta'], '')] : undefined),
  ),
  responses(
    'arguments-differ',
    'The done arguments have one more space than their deltas.',
    'response.function_call_arguments.done',
    (unit) => [withUnitValue(unit, ['arguments'], `${textOf(valueOf(unit, 'arguments'))} `)],
  ),
  mutant('LLM-S21', 'openai-responses-no-created', 'Its streams begin without response.created.', {
    unit: unitFault('openai-responses', /./, removeEvent('response.created')),
  }),
  mutant('LLM-S21', 'openai-responses-empty-output', 'Its completed responses have an empty output.', {
    unit: unitFault('openai-responses', 'response.completed', (unit) => [
      withUnitValue(unit, ['response', 'output'], []),
    ]),
  }),
  mutant(
    'LLM-S22',
    'openai-responses-still-in-progress',
    'Its completed responses have status in_progress.',
    {
      unit: unitFault('openai-responses', 'response.completed', (unit) => [
        withUnitValue(unit, ['response', 'status'], 'in_progress'),
      ]),
    },
  ),
  mutant('LLM-S21', 'openai-responses-other-item-id', 'Its deltas have the id of another item.', {
    unit: unitFault('openai-responses', /\.delta$/, (unit) => [withUnitValue(unit, ['item_id'], 'other')]),
  }),
  ...(['output_index', 'content_index'] as const).map((name) =>
    mutant('LLM-S21', `openai-responses-${name.replace('_', '-')}-from-1`, `Its ${name} begins with 1.`, {
      unit: unitFault('openai-responses', /./, (unit) => {
        const index = valueOf(unit, name);
        return typeof index === 'number' ? [withUnitValue(unit, [name], index + 1)] : undefined;
      }),
    }),
  ),
  mutant(
    'LLM-S21',
    'openai-responses-other-output',
    'Its final response has another text than its message.',
    {
      unit: unitFault('openai-responses', 'response.completed', (unit) => [
        [0, 1].reduce(
          (now, i) => withUnitValue(now, ['response', 'output', i, 'content', 0, 'text'], 'Hello'),
          unit,
        ),
      ]),
    },
  ),
  mutant('LLM-S33', 'openai-responses-done', 'It sends [DONE] after the last event.', {
    unit: unitFault('openai-responses', /^response\.(completed|incomplete)$/, (unit) => [
      unit,
      { data: '[DONE]' },
    ]),
  }),
];
