/** Servers that use the room which the Open Responses specification leaves, and servers that know one word of it. */
import { isObject } from '../../../../src/kit/base/index.ts';
import type { Unit } from '../../../../src/llm/index.ts';
import { textOf } from '../words.ts';
import { inUnits, valueOf, withUnitValue } from '../mutants/mutant.ts';
import type { ServerFaults, UnitEdit } from '../mutants/mutant.ts';
import { eventsBefore, itemAtEnd } from '../mutants/open-responses.ts';

const dialect = 'openai-responses';

/** The same event under another name. */
const renamed = (unit: Unit, type: string): Unit => ({
  ...withUnitValue(unit, ['type'], type),
  event: type,
});

/** Thoughts of a server outside the specification: deltas of its word, and no part that they belong to. */
const thoughtsWithoutPart: UnitEdit = (unit, { memory, socket }) => {
  const { data } = unit;
  if (socket || !isObject(data)) return undefined;
  const shift = memory.get('shift') ?? 0;
  const moved = withUnitValue(unit, ['sequence_number'], Number(data['sequence_number']) - shift);
  const type = textOf(data['type']);
  if (type === 'response.reasoning_summary_text.delta') return [renamed(moved, 'response.reasoning.delta')];
  if (!type.startsWith('response.reasoning_summary')) return [moved];
  memory.set('shift', shift + 1);
  return [];
};

export const openResponsesOddities: ServerFaults = {
  'open-responses-own-events': inUnits(
    dialect,
    /./,
    eventsBefore(/^response\.in_progress$/, () => [{ type: 'acme:trace_event', phase: 'queue' }]),
  ),
  'open-responses-own-items': inUnits(
    dialect,
    /./,
    itemAtEnd(/^response\.completed$/, { id: 'sr_1', type: 'acme:search_result', status: 'completed' }),
  ),
  'open-responses-reasoning-text': inUnits(dialect, /^response\.reasoning\.(delta|done)$/, (unit) => [
    renamed(unit, textOf(valueOf(unit, 'type')).replace('reasoning', 'reasoning_text')),
  ]),
  'open-responses-reasoning-without-status': inUnits(
    dialect,
    /^response\.output_item\.(added|done)$/,
    (unit) =>
      valueOf(unit, 'item', 'type') === 'reasoning'
        ? [withUnitValue(unit, ['item', 'status'], undefined)]
        : undefined,
  ),
  'responses-keepalive': inUnits(
    dialect,
    /./,
    eventsBefore(/^response\.output_item\.added$/, () => [{ type: 'keepalive' }]),
  ),
  'responses-thoughts-without-part': inUnits(dialect, /./, thoughtsWithoutPart),
};
