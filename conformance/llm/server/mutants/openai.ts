/** Servers with faults in OpenAI's chunks, indices, items and numbers: LLM-S06 and LLM-S07. */
import type { Mutant } from '../../../../src/kit/suite/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import { textOf } from '../answer.ts';
import { withUnitValue, mutant, countUp, unitFault, valueOf } from './mutant.ts';
import type { FaultContext } from './mutant.ts';

type UnitEdit = (unit: Unit, context: FaultContext) => readonly Unit[] | undefined;

const chat = (id: string, title: string, kinds: string | RegExp, edit: UnitEdit): Mutant =>
  mutant('LLM-S06', `openai-chat-${id}`, title, { unit: unitFault('openai-chat', kinds, edit) });

const call = ['choices', 0, 'delta', 'tool_calls', 0] as const;

/** Whether the request asks for usage. */
const asksUsage = ({ asked: { stream_options: options } }: FaultContext): boolean =>
  typeof options === 'object' &&
  options !== null &&
  'include_usage' in options &&
  options['include_usage'] === true;

const usage = { prompt_tokens: 3, completion_tokens: 3, total_tokens: 6 };

const chunks: readonly Mutant[] = [
  chat('no-index', 'Its calls have no index.', 'chunk', (unit) => [
    withUnitValue(unit, [...call, 'index'], undefined),
  ]),
  chat('index-0-always', 'All calls have index 0.', 'chunk', (unit) => [
    withUnitValue(unit, [...call, 'index'], 0),
  ]),
  chat('no-id', 'Calls have no id.', 'chunk', (unit) => [withUnitValue(unit, [...call, 'id'], undefined)]),
  chat('no-name', 'Calls have no name.', 'chunk', (unit) => [
    withUnitValue(unit, [...call, 'function', 'name'], undefined),
  ]),
  chat('usage-unasked', 'It sends usage without include_usage.', 'finish', (unit, context) =>
    asksUsage(context) ? undefined : [unit, { data: { ...objectOf(unit), choices: [], usage } }],
  ),
  chat('no-usage-chunk', 'It sends no usage in spite of include_usage.', 'usage', () => []),
  chat('two-usage-chunks', 'It sends usage twice.', 'usage', (unit) => [unit, unit]),
  chat('usage-on-every-chunk', 'Every chunk has the usage so far.', /^(chunk|finish)$/, (unit, context) =>
    asksUsage(context) ? [withUnitValue(unit, ['usage'], usage)] : undefined,
  ),
  chat('usage-absent-on-chunks', 'Chunks have no usage instead of null.', /^(chunk|finish)$/, (unit) => [
    withUnitValue(unit, ['usage'], undefined),
  ]),
];

const objectOf = ({ data }: Unit): object => (typeof data === 'object' && data !== null ? data : {});

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

const items: readonly Mutant[] = [
  responses('no-numbers', 'Its events have no sequence numbers.', /./, (unit) => [
    withUnitValue(unit, ['sequence_number'], undefined),
  ]),
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
];

/** The mutants of this theme. */
export const openaiMutants: readonly Mutant[] = [...chunks, ...items];
