/** Servers of Gemini's Interactions API with oddities that its documents show. */
import { isObject } from '../../../../src/kit/base/index.ts';
import { inUnits, valueOf, withUnitValue } from '../mutants/mutant.ts';
import type { ServerFaults, UnitEdit } from '../mutants/mutant.ts';

const dialect = 'gemini-interactions';

/** Moves the counts of the interaction to the metadata of an event before its end. */
const countsInMetadata: UnitEdit = (unit) => {
  const usage = valueOf(unit, 'interaction', 'usage');
  if (!isObject(usage)) return undefined;
  const metadata = { total_usage: usage };
  const counted = { event_type: 'step.delta', index: 100, delta: { type: 'wireproof_delta' }, metadata };
  return [
    { event: 'step.start', data: { event_type: 'step.start', index: 100, step: { type: 'wireproof_step' } } },
    { event: 'step.delta', data: counted },
    { event: 'step.stop', data: { event_type: 'step.stop', index: 100 } },
    withUnitValue(unit, ['interaction', 'usage'], undefined),
  ];
};

export const geminiInteractionsOddities: ServerFaults = {
  'interactions-without-done': inUnits(dialect, '[DONE]', () => []),
  'interactions-without-updates': inUnits(dialect, 'interaction.status_update', () => []),
  'interactions-without-event-ids': inUnits(dialect, /\./, (unit) => [
    withUnitValue(unit, ['event_id'], undefined),
  ]),
  'interactions-empty-contents-in-starts': inUnits(dialect, 'step.start', (unit) =>
    isObject(unit.data) && valueOf(unit, 'step', 'type') === 'model_output'
      ? [
          {
            ...unit,
            data: { ...unit.data, step: { type: 'model_output', content: [{ type: 'text', text: '' }] } },
          },
        ]
      : undefined,
  ),
  'interactions-counts-in-metadata': inUnits(dialect, 'interaction.completed', countsInMetadata),
};
